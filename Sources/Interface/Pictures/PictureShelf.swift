import Foundation
import Markdown
import Pictures
import Terminal
import ViewModel

/// The decoded pictures of the reading view.
///
/// The pictures in sight are decoded one after the other in the background, once scrolling has rested. Until then, and
/// if a picture cannot be decoded, its label stays where the layout has put it.
@MainActor
final class PictureShelf {
    /// A picture in a size, for a way of showing it.
    struct Key: Hashable {
        let destination: String
        let columns: Int
        let rows: Int
        let display: PictureDisplay
        let cell: Capabilities.CellPixels
    }

    /// A picture that can be drawn.
    enum Content {
        case mosaic(PictureMosaic)
        case placeholder(PicturePlaceholder, png: [UInt8])
        /// The picture cannot be decoded.
        case nothing

        /// The bytes that it takes.
        fileprivate var cost: Int {
            switch self {
            case .mosaic(let mosaic): mosaic.pixels.bytes.count
            case .placeholder(_, let png): png.count
            case .nothing: 64
            }
        }
    }

    /// How long scrolling must rest before pictures are decoded: shorter than a look at them, longer than between two
    /// turns of a wheel.
    static let rest = Duration.milliseconds(100)
    /// The most bytes of decoded pictures kept; those not in sight for the longest time go first.
    static let maximumBytes = 32 << 20
    private let maximumBytes: Int

    private var contents: [Key: Content] = [:]
    /// The keys of `contents`, the last seen last.
    private var order: [Key] = []
    /// The pictures in sight that are not decoded yet, in the order of the text.
    private var wanted: [Key] = []
    /// The pictures in sight, which are never given up for others.
    private var seen: Set<Key> = []
    /// The pictures in sight that keep their labels, since there is no room for all.
    private var withoutRoom: Set<Key> = []
    private var isWorking = false
    private var waiting: ScheduledWork?

    init(maximumBytes: Int = PictureShelf.maximumBytes) { self.maximumBytes = maximumBytes }

    /// The decoded picture; nil while it is not.
    subscript(key: Key) -> Content? { contents[key] }

    /// The bytes of all decoded pictures.
    var byteCount: Int { contents.values.reduce(0) { $0 + $1.cost } }

    /// Notes which pictures are in sight, and decodes those that are new.
    ///
    /// - Parameter changed: Called when a picture can be drawn.
    func see(
        _ keys: [Key], of model: TakeNoteVM, decoding: PictureDecoding, limit: Int?,
        changed: @escaping @MainActor @Sendable () -> Void
    ) {
        if seen != Set(keys) {
            // Other pictures are in sight now, so there may be room for those that had none.
            seen = Set(keys)
            for key in withoutRoom { contents[key] = nil }
            order.removeAll(where: withoutRoom.contains)
            withoutRoom = []
        }
        let missing = keys.filter { contents[$0] == nil }
        order.removeAll(where: keys.contains)
        order += keys.filter { contents[$0] != nil }
        guard missing != wanted else { return }
        wanted = missing
        waiting?.cancel()
        waiting = nil
        guard !wanted.isEmpty else { return }
        waiting = model.schedule(after: Self.rest) { [weak self] in
            self?.decodeNext(of: model, decoding, limit, changed)
        }
    }

    private func decodeNext(
        of model: TakeNoteVM, _ decoding: PictureDecoding, _ limit: Int?,
        _ changed: @escaping @MainActor @Sendable () -> Void
    ) {
        guard !isWorking, let key = wanted.first else { return }
        isWorking = true
        let load = model.imageLoader
        let number = UInt32.random(in: 1...0xFF_FFFF)
        model.inBackground(onOwnThread: "tn.picture") {
            Self.content(for: key, number: number, decoding, limit, load)
        } then: { [weak self] content in
            guard let self else { return }
            isWorking = false
            keep(content, for: key)
            wanted.removeAll { $0 == key }
            changed()
            decodeNext(of: model, decoding, limit, changed)
        }
    }

    private nonisolated static func content(
        for key: Key, number: UInt32, _ decoding: PictureDecoding, _ limit: Int?, _ load: (String) -> Data?
    ) -> Content {
        guard let file = load(key.destination) else { return .nothing }
        switch key.display {
        case .labels: return .nothing
        case .mosaics:
            return decoding.pixels(file, key.columns, key.rows * 2).map { .mosaic(PictureMosaic($0)) } ?? .nothing
        case .placeholders:
            let (width, height) = (key.columns * key.cell.width, key.rows * key.cell.height)
            guard let png = decoding.png(file, width, height, limit) else { return .nothing }
            let picture = PicturePlaceholder(number: number, columns: key.columns, rows: key.rows)
            return .placeholder(picture, png: png)
        }
    }

    private func keep(_ content: Content, for key: Key) {
        contents[key] = content
        order.append(key)
        var total = byteCount
        while total > maximumBytes, let oldest = order.firstIndex(where: { !seen.contains($0) }) {
            total -= contents.removeValue(forKey: order.remove(at: oldest))?.cost ?? 0
        }
        // There is no room for all pictures in sight. If one gave way to another, they would be decoded in turns
        // without end, so the last one keeps its label while they are in sight.
        if total > maximumBytes, seen.count > 1, contents[key] != nil {
            contents[key] = .nothing
            withoutRoom.insert(key)
        }
    }

    /// Forgets everything: what is seen next is read anew.
    func empty() {
        waiting?.cancel()
        (contents, order, wanted, waiting) = ([:], [], [], nil)
        (seen, withoutRoom) = ([], [])
    }
}
