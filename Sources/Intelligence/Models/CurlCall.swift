import Foundation
import Processes
import Synchronization

/// A request to a server, made by a curl process.
///
/// curl knows the system's certificates, proxies and IPv6 configuration, and a signal ends it. Its configuration,
/// including the key, is passed through a pipe (descriptor 3), and the body through standard input, so neither is among
/// its arguments.
struct CurlCall {
    var address: ServerAddress
    var path: String
    /// The body of a POST request, or `nil` for a GET request.
    var body: String?
    var key: String?
    var patience: Int

    /// The exit status of curl and the HTTP response.
    struct Ending {
        var status: Int32
        var head: ResponseHead?
        var isMalformed: Bool
        var isStopped: Bool
        var isSilent: Bool
        var seconds: Double
    }

    /// The environment variables that curl gets, for programs, certificates and proxies.
    private static let variables = [
        "PATH", "HOME", "LANG", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
        "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE",
    ]
    /// The time limit for establishing a connection, in seconds.
    private static let connecting = 5

    /// Makes the request and passes on the bytes of the response's body as they arrive.
    func run(
        environment: [String: String], stop: CommandStop?,
        _ receive: @escaping @Sendable (ResponseHead, [UInt8]) -> Void
    ) throws(ModelFailure) -> Ending {
        let ending = try run(environment: environment, stop: stop, unpacks: true, receive)
        // A curl that was built without decoders does not know that option, and has sent nothing.
        guard ending.status == 2, ending.head == nil, !ending.isStopped else { return ending }
        return try run(environment: environment, stop: stop, unpacks: false, receive)
    }

    private func run(
        environment: [String: String], stop: CommandStop?, unpacks: Bool,
        _ receive: @escaping @Sendable (ResponseHead, [UInt8]) -> Void
    ) throws(ModelFailure) -> Ending {
        guard let curl = Command.path(of: "curl", in: environment["PATH"] ?? "/usr/bin:/bin") else { throw .noCurl }
        let splitter = Mutex(ResponseSplitter())
        var command = Command(path: curl, words: ["curl", "-q", "-K", "/dev/fd/3"])
        command.input = .bytes(Array((body ?? "").utf8))
        command.secretInput = Array(configuration(unpacks: unpacks).utf8)
        command.environment = environment.filter { Self.variables.contains($0.key) }
        command.endsWithParent = true
        command.output = .passed { bytes in
            let (head, body) = splitter.withLock { splitter in
                let body = splitter.body(bytes)
                return (splitter.head, body)
            }
            if let head, !body.isEmpty { receive(head, body) }
        }
        let (result, start): (CommandResult, ContinuousClock.Instant)
        start = .now
        do {
            // curl ends by itself after that much silence. This limit is for a curl that hangs.
            result = try command.run(silence: .seconds(patience + 2), stop: stop)
        } catch {
            throw .noCurl
        }
        let status: Int32 = if case .exited(let status) = result.end { status } else { -1 }
        return splitter.withLock {
            Ending(
                status: status, head: $0.head, isMalformed: $0.isMalformed, isStopped: stop?.isRequested == true,
                isSilent: result.isStopped && stop?.isRequested != true,
                seconds: (ContinuousClock.now - start) / .seconds(1))
        }
    }

    /// Returns the configuration of curl, with one option a line.
    ///
    /// - Parameter unpacks: whether curl unpacks a compressed response, which some servers send although none is asked for.
    private func configuration(unpacks: Bool) -> String {
        var lines = [
            option("url", address.text + path), option("user-agent", "tn"), option("header", "Expect:"),
            option("proto", "=http,https"), "silent", "no-buffer", "globoff", "include", "suppress-connect-headers",
            "connect-timeout = \(Self.connecting)", "speed-limit = 1", "speed-time = \(patience)",
        ]
        if body != nil {
            lines += [
                option("header", "Content-Type: application/json"),
                option("header", "Accept: text/event-stream, application/json"), option("data-binary", "@-"),
            ]
        }
        if unpacks { lines += ["compressed", option("header", "Accept-Encoding: identity")] }
        // Without this, curl would use a proxy even for loopback addresses.
        if address.isLocal { lines.append(option("noproxy", "*")) }
        if let socket = address.socket { lines.append(option("unix-socket", socket)) }
        if let key { lines.append(option("header", "Authorization: Bearer \(key)")) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func option(_ name: String, _ value: String) -> String {
        "\(name) = \"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Returns the failure that an ending means, or `nil` if the transfer succeeded.
    ///
    /// - Parameter setting: The setting that names the provider.
    static func failure(
        _ ending: Ending, label: String, patience: Int, hasBegun: Bool, setting: String = "ai.chat"
    ) -> ModelFailure? {
        if ending.isStopped { return .stopped }
        if ending.isSilent { return .silent(label, seconds: patience) }
        switch ending.status {
        case 0: return nil
        // curl does not know an option, and has sent nothing.
        case 2 where ending.head == nil: return .oldCurl
        case 5, 6: return .noSuchHost(label)
        case 7: return .noServer(label, setting: setting)
        // curl has the same status for both of its time limits.
        case 28 where ending.head == nil && patience > connecting && ending.seconds < Double(patience):
            return .connectingTooSlow(label)
        case 28: return .silent(label, seconds: patience)
        case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91: return .insecure(label)
        case 1, 8, 43: return .notAChat(label)
        case 18, 52, 55, 56, 92, 95, -1: return .hungUp(label, isInAnswer: hasBegun)
        default: return .transferFailed(label, code: ending.status)
        }
    }
}
