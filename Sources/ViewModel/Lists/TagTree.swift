import NoteStore

/// Tags as a tree: `#a/b` lies below `#a`.
struct TagTree {
    /// The tag above each tag that lies below another one.
    private(set) var parents: [ContainerID: ContainerID] = [:]
    /// The displayed title of each such tag: its name after that of the tag above it.
    private(set) var titles: [ContainerID: String] = [:]

    /// Builds the tree at the cost of looking at each tag's name; most have no `/`.
    init(_ containers: [NoteContainer]) {
        let nested = containers.filter { $0.isTag && $0.name.contains("/") }
        if nested.isEmpty { return }
        let tags = Dictionary(containers.filter(\.isTag).map { (Folding.key($0.name), $0) }) { first, _ in first }
        for tag in nested {
            guard let above = TagPath.above(tag.name).last(where: { tags[Folding.key($0)] != nil }),
                let parent = tags[Folding.key(above)], parent.id != tag.id
            else { continue }
            parents[tag.id] = parent.id
            titles[tag.id] = String(tag.name.dropFirst(above.count + 1))
        }
    }
}
