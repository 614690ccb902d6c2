import ArgumentParser
import NoteStore

/// A command-line argument that names a container of one kind.
protocol ContainerName: ExpressibleByArgument, RawRepresentable, Sendable where RawValue == String {
    static var kind: NoteContainer.Kind { get }
    /// The placeholder for the argument in help: `path`.
    static var valueName: String { get }
    /// The one-line help of the command that deletes such a container.
    static var deletion: String { get }
    static var renamingExample: String { get }
    static var deletingExample: String { get }

    /// - Throws: `Failure` or `StoreError` if there is no such container.
    func container(in notebook: Notebook) throws -> NoteContainer
}

extension ContainerName {
    static var noun: String { kind.rawValue }

    /// Returns the folder or project at this path.
    func container(in notebook: Notebook) throws -> NoteContainer {
        let found: NoteContainer
        do {
            if let project = try project(in: notebook) { return project }
            found = try notebook.containers.resolve(path: rawValue)
        } catch {
            guard case .noSuchPath = error, Self.kind == .project else { throw error }
            throw Failure.noProject(rawValue)
        }
        if found.isSystemFolder { throw StoreError.systemContainer(name: found.name) }
        guard found.kind == Self.kind else {
            throw Failure.wrongKind(rawValue, is: found.kind, not: Self.noun)
        }
        return found
    }

    /// Returns the project with exactly this name; nil for other kinds and if there is none.
    ///
    /// `tn project add A/B` creates a project `A/B`, so the other commands find it by that name too, and not only by the
    /// path `A\/B` that lists show.
    private func project(in notebook: Notebook) throws(StoreError) -> NoteContainer? {
        guard Self.kind == .project else { return nil }
        do {
            let found = try notebook.containers.resolve(path: Notebook.Containers.path(ofNames: [rawValue]))
            return found.isProject ? found : nil
        } catch {
            guard case .noSuchPath = error else { throw error }
            return nil
        }
    }
}

/// The subcommand `rename`: renames a folder, project or tag.
struct RenameContainer<Name: ContainerName>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rename", abstract: "Rename a \(Name.noun).",
            discussion: "Example:\n\n  \(Name.renamingExample)")
    }

    @OptionGroup var options: NotebookOptions
    @Argument(help: ArgumentHelp("The \(Name.noun).", valueName: Name.valueName))
    var container: Name
    @Argument(help: "Its new name.")
    var name: String

    func run() throws {
        let notebook = try options.open()
        try notebook.containers.rename(try container.container(in: notebook).id, to: name)
    }
}

/// The subcommand `delete`: deletes a folder, project or tag; its contents can be restored.
struct DeleteContainer<Name: ContainerName>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "delete", abstract: Name.deletion, discussion: "Example:\n\n  \(Name.deletingExample)")
    }

    @OptionGroup var options: NotebookOptions
    @Argument(help: ArgumentHelp("The \(Name.noun).", valueName: Name.valueName))
    var container: Name

    func run() throws {
        let notebook = try options.open()
        try notebook.containers.delete([try container.container(in: notebook).id])
    }
}
