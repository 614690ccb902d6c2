import Testing

/// Notes as people write them, each with a reader's summary that was written before anything was tuned.
///
/// In some the essential point is at the end, because minutes, letters and logs come to it late. Constants of the
/// summary are chosen by `tuning`; `heldOut` only judges them.
enum SummarySet {
    struct Entry: CustomTestStringConvertible {
        var title: String
        var text: String
        var reference: String

        var testDescription: String { title }
    }

    static let tuning = [
        Entry(
            title: "Allotment committee, 4 March",
            text: """
                # Allotment committee, 4 March

                Present: Ruth, Omar, Jelena, Piet. Apologies from Hugh, who is in bed with a cold. Ruth opened the \
                meeting at seven and read out the last minutes, which were accepted. Piet had brought rhubarb cake.

                The water bill came. It is 340 euros, twice as much as last year. Omar thinks that the tap by the \
                gate leaks. Jelena said that some plots water with hoses at noon. There was a long talk about hoses.

                The fence at the railway side has fallen in two places. A new fence costs about 900 euros. Piet \
                could repair the old one with posts from his barn.

                ## Decisions

                - Hoses are forbidden from June on, and each plot pays 10 euros more for water.
                - Piet repairs the fence before Easter with his own posts.
                - Omar has the tap by the gate replaced.
                """,
            reference: """
                The water bill has doubled, so hoses are forbidden from June and each plot pays 10 euros more. Omar \
                has the leaking tap replaced, and Piet repairs the fence before Easter.
                """),
        Entry(
            title: "Lentil soup",
            text: """
                # Lentil soup

                From Samira, who had it from her grandmother in Homs. We ate it on her balcony in the rain.

                ## Ingredients

                - 250 g red lentils
                - 2 onions
                - 1 tsp cumin
                - juice of a lemon
                - 1.2 l water

                ## Method

                Fry the onions slowly until they are brown; that takes twenty minutes and must not be hurried. Take \
                half of them out for the top. Add lentils, cumin and water, and simmer for twenty-five minutes until \
                the lentils fall apart. Blend the soup, then stir in the lemon juice. Serve with the fried onions on \
                top.

                Salt only at the end. It keeps for three days, and gets thick; add water when it is warmed up.
                """,
            reference: """
                Fry onions slowly until brown and keep half for the top. Simmer lentils with cumin and water for \
                twenty-five minutes, blend, stir in lemon juice and salt at the end.
                """),
        Entry(
            title: "The Silent Guests (reading notes)",
            text: """
                # The Silent Guests (reading notes)

                Borrowed from the library until the 20th. 312 pages, small print.

                The book follows three families who rent the same house by the lake, in 1912, 1943 and 1988. At \
                first the chapters seem to have nothing in common but the wallpaper. Then small things return: a \
                cup, a scratched name, a dog that is afraid of the cellar.

                > “A house does not remember. It only keeps.” (p. 87)

                I liked the middle part best; the mother who hides the radio is a wonderful figure. The last part is \
                too long, and the letter at the end explains what one had understood already.

                What stays with me is the idea that places keep what people forget. The book says that memory is a \
                matter of objects, not of stories. I would recommend it to Clara, but tell her to skip the letter.
                """,
            reference: """
                A novel about three families who rent the same house by the lake in different years. Its idea is \
                that places and objects keep what people forget. The middle part is best, the last too long.
                """),
        Entry(
            title: "Letter to the landlord",
            text: """
                Dear Mr Brandt,

                I hope that you are well and that the move to your daughter went as you had wished. We think of you \
                often, not least because the roses that you planted are in full bloom.

                I am writing to you because of the heating. Since the middle of October the radiators in both \
                bedrooms have stayed cold. The plumber came on the 21st and said that the pump is broken and has to \
                be replaced. He needs your consent, as the new pump costs 780 euros.

                The children sleep in the kitchen now, and the smaller one has been coughing for a week. I therefore \
                ask you to order the new pump by Friday. Otherwise we will reduce the rent by a fifth from November \
                on, until the heating works again.

                With kind regards,
                Elif Aydin
                """,
            reference: """
                The radiators in both bedrooms have been cold since October because the pump is broken. I ask you to \
                order the new pump for 780 euros by Friday, otherwise we will reduce the rent by a fifth.
                """),
        Entry(
            title: "Why the nightly job failed",
            text: """
                # Why the nightly job failed

                02:14 the job starts as usual. 02:31 first warning: disk at 91 %. 02:40 the job stops with exit code \
                28.

                Looked at the logs in the morning. At first I thought of the new compression, since it went live on \
                Tuesday, and I spent two hours on it. It was not that: with the old version it fails in the same \
                way.

                `du` shows 46 GB in `/var/tmp/export`. Those are exports that nobody has removed since May. The \
                script that removes them runs as a user that was deleted in the spring, so it has done nothing for \
                months, and its error mail goes to an address that nobody reads.

                Cause: the old exports were never removed, so the disk was full and the nightly job failed. Fix: the \
                script runs as the service user now, and its errors go to the team. The disk is at 38 % again.

                To do: an alarm at 80 %.
                """,
            reference: """
                The nightly job failed because the disk was full: old exports were never removed, as the script ran \
                as a deleted user. The script runs as the service user now, and errors go to the team.
                """),
        Entry(
            title: "Call with the insurance",
            text: """
                Called the insurance about the bicycle, number 0800 555 019. Waited for eighteen minutes. A Ms \
                Keller answered, very friendly, and asked for the policy number, the date and the make of the \
                bicycle.

                She asked whether it was locked, and to what. I said to the stand in front of the station, with the \
                folding lock. She wanted to know whether there are witnesses. There are none.

                They pay the value of a new bicycle, up to 1,500 euros, since it was locked. For that they need the \
                report of the police, the receipt and a picture of the lock, by the 30th of the month. She gave me \
                the claim number 7731-B.
                """,
            reference: """
                The insurance pays the value of a new bicycle up to 1,500 euros because it was locked. They need the \
                police report, the receipt and a picture of the lock by the 30th; claim number 7731-B.
                """),
    ]

    static let heldOut = [
        Entry(
            title: "Parents' evening, class 3b",
            text: """
                # Parents' evening, class 3b

                It began late because the caretaker had locked the wrong room. Nineteen parents came. Ms Okafor \
                showed pictures of the autumn walk and thanked those who had baked.

                Reading goes well in the class. In arithmetic about a third of the children are unsure of the \
                tables, and they should practise ten minutes a day at home. Telephones stay in the bag.

                There was a dispute about homework: some find it too much, others too little. It led to nothing.

                The class trip goes to the coast from 12 to 15 May and costs 145 euros, to be paid by 1 February. \
                Two parents are still needed to come along. Whoever cannot pay should talk to Ms Okafor in \
                confidence.
                """,
            reference: """
                The class trip goes to the coast from 12 to 15 May and costs 145 euros, to be paid by 1 February; \
                two parents are needed. Children should practise the tables ten minutes a day.
                """),
        Entry(
            title: "Sourdough log",
            text: """
                # Sourdough log

                **Mon** Fed the starter at eight, 50 g rye. Little happened, the kitchen had 18 °C.

                **Tue** Fed twice. Bubbles at the rim, smells of apples.

                **Wed** First loaf. Flat and sour, the crumb was wet. The oven was not hot enough, I think.

                **Thu** Starter in the airing cupboard at 26 °C. It doubled in five hours!

                **Fri** Second loaf with the warm starter, oven at 250 °C with the lid on. Much better: it rose well \
                and the crust was crisp.

                **Sun** Third loaf as on Friday, but the dough rested overnight in the fridge. The best so far.

                What I have learnt: the starter must stand warm at 26 °C, the oven must be at 250 °C with the lid \
                on, and the dough should rest overnight in the fridge.
                """,
            reference: """
                Bread became good when the starter stood warm at 26 °C, the oven was at 250 °C with the lid on, and \
                the dough rested overnight in the fridge. The first loaf was flat and sour.
                """),
        Entry(
            title: "Lecture 6: why cities grow",
            text: """
                # Lecture 6: why cities grow

                Room changed to H12. Slides are online from Monday on. Exam questions will be like those of the \
                exercises.

                Cities grow because work gets more productive where many people live close together. Economists name \
                three reasons: firms share suppliers, workers and firms match better, and knowledge spreads by talk. \
                When a city doubles, its wages rise by about five per cent.

                Against it work rents, long ways and dirt. A city stops growing where these costs eat up the higher \
                wages. Zipf's law: the second city has half of the first city's people, the third a third. Nobody \
                knows exactly why.

                Question for the exercise: what happens to a city when everybody can work at home?
                """,
            reference: """
                Cities grow because work is more productive where many people live close together: they share \
                suppliers, match better and spread knowledge. Growth stops where rents and long ways eat up the \
                higher wages.
                """),
        Entry(
            title: "Dear Aunt Vera",
            text: """
                Dear Aunt Vera,

                thank you for the parcel, the socks fit and the honey is gone already. Here it has rained for nine \
                days, and the dog refuses to go out. Papa sends his love; he is painting the shed again, this time \
                in green.

                You asked how the studies go. The laboratory is hard, and I failed the first test in chemistry, but \
                passed the second. I like the people.

                Now the news: I have got the place in Lisbon! I will work at the institute for marine biology for a \
                year, from September on. They pay the journey and a small wage. I am looking for a room, and wanted \
                to ask whether your friend Inês still lives there and could help me to find one.

                Love,
                Toni
                """,
            reference: """
                I have got the place in Lisbon and will work at the institute for marine biology for a year from \
                September on. I am looking for a room: could your friend Inês help me to find one?
                """),
        Entry(
            title: "Replacing the washer of the kitchen tap",
            text: """
                # Replacing the washer of the kitchen tap

                So that I know it next time.

                1. Shut the valve below the sink, and open the tap until no water comes.
                2. Prise off the cap with the red dot and loosen the screw below it (Allen key, 2.5 mm).
                3. Pull off the lever, and unscrew the ring with the big pliers. Put a cloth around it.
                4. Lift the cartridge out and look at the washers. Mine was cracked.
                5. Put in the new washer, 15 mm, with a little grease, and put all together again.

                The shop at the bridge has the washers, 1.20 euros for two. The valve below the sink drips for a day \
                after it was turned; that is normal.
                """,
            reference: """
                Shut the valve below the sink, take off cap, lever and ring, lift the cartridge out, and put in a \
                new 15 mm washer with a little grease. The shop at the bridge has the washers.
                """),
        Entry(
            title: "After the spring market",
            text: """
                # After the spring market

                Thanks to all who carried tables on Sunday evening. The lost child was found at the waffles, where \
                else.

                What went well: the second entrance, the music, and the new tickets. We had 2,300 visitors, 400 more \
                than last year, and took 6,150 euros. The waffles alone brought 1,100.

                What went badly: the power failed three times, because all kettles hung on one line. The queue for \
                the only toilet was forty people long at three o'clock. Cars parked in the meadow of Mr Hansen, who \
                was angry, and rightly so.

                For next year we need a second power line, four toilets, and somebody who keeps the cars off the \
                meadow. After all costs 3,900 euros remain for the roof of the hall.
                """,
            reference: """
                The market had 2,300 visitors, 400 more than last year, and 3,900 euros remain for the roof of the \
                hall. Next year we need a second power line, more toilets, and somebody who keeps the cars off the \
                meadow.
                """),
    ]
}
