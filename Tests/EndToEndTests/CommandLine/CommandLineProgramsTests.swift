import Testing

/// Tests importing what other programs have exported.
struct CommandLineProgramsTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `an export that cannot be read keeps none of the others from coming in`() throws {
        try transcript.write("# One\n", to: "one.md")
        try transcript.check(
            #"""
            $ printf 'PK\003\004 cut' > cut.zip; printf 'PK\005\006' > short.zip
            $ printf '{"activeNotes":[{"id":"1","content":"Simple"}],"trashedNotes":[]}' > notes.json
            $ tn import cut.zip notes.json short.zip one.md; echo $?
            1 note imported.
            1 note imported.
            65
            ! tn: cut.zip is damaged, or not complete; get it again
            ! tn: short.zip is damaged, or not complete; get it again
            $ tn list --sort title | cut -f3
            one
            Simple
            $ tn import cut.zip; echo $?
            65
            ! tn: cut.zip is damaged, or not complete; get it again
            $ tn import cut.zip short.zip; echo $?
            65
            ! tn: cut.zip is damaged, or not complete; get it again
            ! tn: short.zip is damaged, or not complete; get it again
            """#)
    }

    @Test func `an Obsidian vault comes with its links, embeds, tags and front matter`() throws {
        try transcript.write("{}", to: "vault/.obsidian/app.json")
        try transcript.write(
            "---\ntags:\n  - books\naliases: [x]\n---\nSee [[Deep note|that]] and ![[dot.png|100]] #inline\n",
            to: "vault/Start.md")
        try transcript.write("Back to [[Start#Part]] and [rel](../Start.md)\n", to: "vault/Folder/Deep note.md")
        try transcript.check(
            #"""
            $ mkdir vault/files; printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' > vault/files/dot.png
            $ tn import vault --dry-run
            vault/Folder/Deep note.md	vault/Folder
            vault/Start.md	vault
            2 notes would be imported.
            $ tn import vault
            2 notes imported, 1 image.
            $ tn show Start; tn tag Start
            ---
            tags:
              - books
            aliases: [x]
            ---
            See [[Deep note|that]] and ![dot.png|100](takenote://image/<UUID>) #inline
            books
            inline
            $ tn show 'Deep note'
            Back to [[Start#Part]] and [rel](takenote://note/<UUID>)
            $ tn backlinks 'Deep note' | cut -f3; tn backlinks Start | cut -f3
            Start
            Deep note
            Deep note
            $ tn import vault
            0 notes imported, 2 unchanged.
            """#)
    }

    @Test func `a RAW export of Joplin comes with folders, tags, links and images`() throws {
        let ids = (0..<7).map { String(repeating: "\($0)", count: 31) + "a" }
        func item(_ title: String, _ body: String?, _ id: Int, _ properties: String) throws {
            let text = [title, body, "id: \(ids[id])\n\(properties)"].compactMap { $0 }.joined(separator: "\n\n")
            try transcript.write(text, to: "joplin/\(ids[id]).md")
        }
        let dates = "created_time: 2021-03-04T05:06:07.890Z\nupdated_time: 2022-03-04T05:06:07.890Z\n"
        try item("Kitchen", nil, 0, "parent_id: \n\(dates)type_: 2")
        try item(
            "Bread", "Flour: 500 g\n\nSee [cake](:/\(ids[2])) ![](:/\(ids[3]))\n", 1,
            "parent_id: \(ids[0])\n\(dates)is_todo: 0\ntype_: 1")
        try item("Cake", "Sugar", 2, "parent_id: \(ids[0])\n\(dates)type_: 1")
        try item("dot.png", nil, 3, "mime: image/png\nfile_extension: png\n\(dates)type_: 4")
        try item("baking", nil, 4, "parent_id: \n\(dates)type_: 5")
        let noteTag = "note_id: \(ids[1])\ntag_id: \(ids[4])\n\(dates)type_: 6"
        try transcript.write("id: \(ids[5])\n\(noteTag)", to: "joplin/\(ids[5]).md")
        try item("Gone", "x", 6, "parent_id: \(ids[0])\n\(dates)deleted_time: 1700000000000\ntype_: 1")
        try transcript.check(
            #"""
            $ mkdir joplin/resources; printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' > joplin/resources/3333333333333333333333333333333a.png
            $ tn import joplin
            2 notes imported, 1 image.
            ! tn: joplin/6666666666666666666666666666666a.md (Gone): left out, since it was in the other program's Trash
            $ tn show Bread; tn tag Bread
            Flour: 500 g

            See [cake](takenote://note/<UUID>) ![](takenote://image/<UUID>)
            baking
            $ tn list --folder Kitchen --sort title | cut -f3
            Bread
            Cake
            $ tn backlinks Cake | cut -f3
            Bread
            $ tn show Cake --json | grep -e created -e updated | tr -d ' ,' | sed 's/T/ /'
            "created":"<DATE>:07.890Z"
            "updated":"<DATE>:07.890Z"
            $ tn import joplin
            0 notes imported, 2 unchanged.
            ! tn: joplin/6666666666666666666666666666666a.md (Gone): left out, since it was in the other program's Trash
            """#)
    }

    @Test func `exports of Simplenote and Standard Notes are read`() throws {
        try transcript.write(
            """
            {"activeNotes": [{"id": "0123456789abcdef0123456789abcdef", "content": "Shopping\\r\\nmilk",
            "creationDate": "2020-01-02T03:04:05.678Z", "lastModified": "2021-01-02T03:04:05.678Z",
            "tags": ["home"], "pinned": true}], "trashedNotes": [{"id": "x", "content": "gone"}]}
            """, to: "simple.json")
        try transcript.write(
            """
            {"version": "004", "items": [
            {"uuid": "5A5A5A5A-0000-4000-8000-000000000001", "content_type": "Note", "created_at": "2020-01-02T03:04:05.678Z",
            "updated_at": "2020-01-02T03:04:05.678Z", "content": {"title": "Idea", "text": "A text", "references": []}},
            {"uuid": "5A5A5A5A-0000-4000-8000-000000000002", "content_type": "Tag", "content": {"title": "thoughts",
            "references": [{"uuid": "5A5A5A5A-0000-4000-8000-000000000001", "content_type": "Note"}]}},
            {"uuid": "5A5A5A5A-0000-4000-8000-000000000003", "content_type": "SN|UserPreferences", "content": {"x": [1]}}]}
            """, to: "standard.txt")
        try transcript.write(
            #"{"items": [{"uuid": "u", "content_type": "Note", "content": "004:encrypted"}]}"#, to: "locked.txt")
        try transcript.check(
            #"""
            $ tn import simple.json standard.txt
            1 note imported.
            1 note imported.
            ! tn: simple.json (gone): left out, since it was in the other program's Trash
            $ tn list --sort title | cut -f3-; tn tags; tn list --starred | cut -f3
            Idea	A text
            Shopping	milk
            home	1
            thoughts	1
            Shopping
            $ tn show Idea
            A text
            $ tn import simple.json
            0 notes imported, 1 unchanged.
            ! tn: simple.json (gone): left out, since it was in the other program's Trash
            $ tn import locked.txt
            ! tn: locked.txt is encrypted; choose a decrypted backup in Standard Notes
            ? 65
            """#)
    }

    @Test func `a Joplin export of Markdown with front matter comes with dates, tags, links and images`() throws {
        try transcript.write(
            """
            ---
            title: "Bread: white"
            updated: 2022-03-04 05:06:07Z
            created: 2021-03-04 05:06:07Z
            latitude: 0.00000000
            completed?: no
            tags:
              - baking
              - Home made
            ---

            Flour. See [Cake](../Kitchen/Sweets/Cake.md) ![dot](../_resources/dot.png)

            """, to: "joplin/Kitchen/Bread- white.md")
        try transcript.write("Sugar", to: "joplin/Kitchen/Sweets/Cake.md")
        try transcript.check(
            #"""
            $ mkdir joplin/_resources; printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' > joplin/_resources/dot.png; tn import joplin
            2 notes imported, 1 image.
            $ tn show 'Bread: white' | tail -1; tn tag 'Bread: white'; tn folder list | cut -f1
            Flour. See [Cake](takenote://note/<UUID>) ![dot](takenote://image/<UUID>)
            baking
            Home made
            Inbox
            joplin
            joplin/Kitchen
            joplin/Kitchen/Sweets
            $ tn show 'Bread: white' --json | grep -e '"created"' -e '"updated"' | sed 's/T0/ 0/'
              "created" : "<DATE>:07.000Z",
              "updated" : "<DATE>:07.000Z",
            $ tn import joplin
            0 notes imported, 2 unchanged.
            """#)
    }

    @Test func `Markdown folders of Bear and Apple Notes come with links and images`() throws {
        try transcript.write(
            "# Trip to Rome\n#travel/italy #plans#\n\n[[Packing]] ![](Trip%20to%20Rome/dot.png)\n",
            to: "bear/Trip to Rome.md")
        try transcript.write("# Packing\nshoes\n", to: "bear/Packing.md")
        try transcript.write(
            "# Groceries\n\n- [ ] Milk\n\n![dot](attachments/dot.png)\n", to: "apple/iCloud/Notes/Groceries.md")
        try transcript.check(
            #"""
            $ mkdir 'bear/Trip to Rome' apple/iCloud/Notes/attachments; printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' | tee 'bear/Trip to Rome/dot.png' > apple/iCloud/Notes/attachments/dot.png
            $ tn import bear apple
            3 notes imported, 2 images.
            $ tn show 'Trip to Rome'; tn backlinks Packing | cut -f3
            # Trip to Rome
            #travel/italy #plans#

            [[Packing]] ![](takenote://image/<UUID>)
            Trip to Rome
            $ tn list --folder apple/iCloud/Notes | cut -f3; tn show Groceries | tail -1
            Groceries
            ![dot](takenote://image/<UUID>)
            $ tn import bear apple
            0 notes imported, 3 unchanged.
            """#)
    }
}
