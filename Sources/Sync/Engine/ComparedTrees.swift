/// Trees of a merge, most of whose files are the same, with the paths that count in them.
struct ComparedTrees {
    let trees: [Tree]
    /// The paths whose entries differ between the trees.
    let differing: Set<TreePath>
    /// The paths at which a tree has a file that describes folders, tags, lists or attachments; such files are always
    /// decoded completely.
    let structure: Set<TreePath>

    /// - Parameter changed: Paths outside which the trees are known to be the same, or `nil` if that is not known.
    init(_ trees: [Tree], changed: Set<TreePath>? = nil) {
        self.trees = trees
        if let changed {
            differing = changed.filter { path in trees.dropFirst().contains { $0[path] != trees[0][path] } }
        } else {
            differing = Self.differing(trees)
        }
        // What is the same in all trees is judged once.
        var structure: Set<TreePath> = []
        for (path, entry) in trees.first ?? [:] where Self.isStructure(path, entry) { structure.insert(path) }
        for tree in trees.dropFirst() {
            for path in differing where tree[path].map({ Self.isStructure(path, $0) }) ?? false {
                structure.insert(path)
            }
        }
        self.structure = structure
    }

    /// Returns the paths whose entries differ between the trees, each of which is read completely.
    static func differing(_ trees: [Tree]) -> Set<TreePath> {
        var paths: Set<TreePath> = []
        guard let first = trees.first, trees.count > 1 else { return Set(trees.first?.keys.map { $0 } ?? []) }
        for tree in trees.dropFirst() {
            for (path, entry) in tree where first[path] != entry { paths.insert(path) }
            for path in first.keys where tree[path] == nil { paths.insert(path) }
        }
        return paths
    }

    private static func isStructure(_ path: TreePath, _ entry: TreeEntry) -> Bool {
        switch TreeLayout.role(of: path, entry) {
        case .list, .folder, .image, .attachment: true
        case .note, .other: false
        }
    }

    /// Returns the part of a tree that has to be decoded: its structure, and other files that are relevant.
    func part(of tree: Tree, _ relevant: Set<TreePath>, without left: Set<TreePath>) -> Tree {
        var part: Tree = [:]
        for path in structure {
            if let entry = tree[path], Self.isStructure(path, entry) { part[path] = entry }
        }
        for path in relevant where !left.contains(path) { part[path] = tree[path] }
        return part
    }

    /// Returns the entries that one of the trees has at these paths.
    func entries(at paths: Set<TreePath>) -> [(path: TreePath, entry: TreeEntry)] {
        trees.flatMap { tree in paths.compactMap { path in tree[path].map { (path, $0) } } }
    }
}
