import GRDB

extension Notebook.Projects {
    /// Makes a project with the folders of its type's template, all in one transaction.
    @discardableResult
    public func create(
        _ name: String, type: NoteContainer.ProjectType, details: String = ""
    ) throws(StoreError) -> NoteContainer {
        try notebook.write { transaction in
            let head = try transaction.recorded(
                .addProject, notes: [], containers: [], made: { ([], [$0.id]) },
                {
                    let project = try transaction.insertContainer(
                        .project, name: name, parent: nil, projectType: type, details: details)
                    _ = try transaction.completeTemplate(of: project, type)
                    return project
                })
            return try transaction.container(key: head.key)
        }
    }

    /// Makes those folders of its template that a project lacks, with their roles.
    ///
    /// Returns the new ones; an ordinary folder with the right name takes the role if its content allows it.
    @discardableResult
    public func repairTemplate(of id: ContainerID) throws(StoreError) -> [NoteContainer] {
        try notebook.write { transaction in
            let head = try transaction.changeableContainer(id)
            let project = try transaction.container(key: head.key)
            guard project.isProject, let type = project.projectType else { throw StoreError.noSuchContainer(id) }
            return try transaction.completeTemplate(of: head, type).map(transaction.container(key:))
        }
    }

    /// Sets the description of a project, or of any folder.
    public func setDetails(_ id: ContainerID, _ details: String) throws(StoreError) {
        try notebook.act(.renameFolder, containers: [id]) { transaction in
            let head = try transaction.changeableContainer(id)
            try transaction.run("UPDATE container SET details = ? WHERE id = ?", [details, head.key])
            transaction.change.containers = true
        }
    }
}

extension Transaction {
    /// Makes the missing folders of a project's template; returns their keys.
    func completeTemplate(of project: ContainerHead, _ type: NoteContainer.ProjectType) throws -> [Int64] {
        var made: [Int64] = []
        for folder in ProjectTemplate(type).folders {
            let (above, isNew) = try templateFolder(folder, of: project, in: project.key)
            if isNew { made.append(above) }
            for part in folder.folders {
                let (key, isNew) = try templateFolder(part, of: project, in: above)
                if isNew { made.append(key) }
            }
        }
        try refreshProject(project.key)
        return made
    }

    /// Returns the project's folder with this role; makes it under `parent` if there is none.
    private func templateFolder(
        _ folder: ProjectTemplate.Folder, of project: ContainerHead, in parent: Int64
    ) throws -> (key: Int64, isNew: Bool) {
        let found: Int64? = try value(
            "SELECT id FROM container WHERE project = ? AND role = ? AND place = 0 ORDER BY id LIMIT 1",
            [project.key, folder.role.rawValue])
        if let found { return (found, false) }
        if let plain = try child(named: folder.name, of: parent), try canTake(folder.role, plain) {
            try run("UPDATE container SET role = ? WHERE id = ?", [folder.role.rawValue, plain.key])
            return (plain.key, false)
        }
        let name = try freeName(folder.name, kind: .folder, parent: parent, except: nil)
        return (try insertContainer(.folder, name: name, parent: parent, role: folder.role).key, true)
    }

    private func canTake(_ role: NoteContainer.Role, _ head: ContainerHead) throws -> Bool {
        guard head.role == nil else { return false }
        let hasFolders: Bool? = try value("SELECT EXISTS (SELECT 1 FROM container WHERE parent = ?)", [head.key])
        let hasNotes: Bool? = try value("SELECT EXISTS (SELECT 1 FROM note WHERE folder = ?)", [head.key])
        return (role.holdsFolders || hasFolders == false) && (role.holdsNotes || hasNotes == false)
    }
}
