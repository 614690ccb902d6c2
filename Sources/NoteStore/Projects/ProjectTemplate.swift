/// The folders that a project starts with.
struct ProjectTemplate {
    struct Folder {
        let role: NoteContainer.Role
        let name: String
        var folders: [Folder] = []
    }

    let folders: [Folder]

    init(_ type: NoteContainer.ProjectType) {
        let name =
            switch type {
            case .poetry: "Your Poetry"
            case .prose: "Your Prose"
            case .drama: "Your Drama"
            }
        folders = [
            Folder(
                role: .work, name: name,
                folders: [
                    Folder(role: .all, name: "All"), Folder(role: .draft, name: "Draft"),
                    Folder(role: .ready, name: "Ready"), Folder(role: .setAside, name: "Set Aside"),
                    Folder(role: .published, name: "Published"), Folder(role: .collections, name: "Collections"),
                    Folder(role: .submissions, name: "Submissions"), Folder(role: .research, name: "Research"),
                ]),
            Folder(
                role: .publications, name: "Publications",
                folders: [
                    Folder(role: .magazines, name: "Magazines"), Folder(role: .competitions, name: "Competitions"),
                    Folder(role: .commissions, name: "Commissions"), Folder(role: .other, name: "Other"),
                ]),
        ]
    }
}
