// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ImageFile {
  /// Display names of data other than images and their metadata, such as videos and vendor data.
  ///
  /// In file order; empty for formats other than HEIF, AVIF, JPEG and PNG.
  ///
  /// - Throws: Errors of reading.
  public var attachments: [String] {
    get throws(ImageError) {
      switch container {
      case .jpeg(let file): file.trailers.flatMap(\.attachments)
      case .heif(let file): file.layout.attachments
      case .png(let file): try file.attachments
      default: []
      }
    }
  }

  /// Whether the file contains a video, as motion photos do, or an image sequence.
  ///
  /// - Throws: Errors of reading.
  public var containsVideo: Bool {
    get throws(ImageError) {
      switch container {
      case .jpeg(let file): file.trailers.contains { $0.video != nil }
      case .heif(let file): try file.layout.containsVideo
      case .png(let file): try file.video != nil
      default: false
      }
    }
  }
}

extension ImageFile {
  /// The video of a motion photo, as a file of its own.
  ///
  /// - Parameter removal: Metadata to remove from it; `nil` to copy it as it is.
  /// - Returns: The video, whether it contains a location, and names of its parts that are not read,
  ///   if metadata are removed; `nil` if the file does not contain a video.
  /// - Throws: Errors of reading.
  package func video(
    removing removal: VideoMetadata.Removal?
  ) throws(ImageError) -> (bytes: SplicedBytes, hasLocation: Bool, unread: [String])? {
    guard let range = try videoRange else { return nil }
    let metadata = try VideoMetadata(in: range, of: source, removing: removal ?? .location)
    var bytes = SplicedBytes(source: source)
    for piece in removal == nil ? [.kept(range)] : metadata.pieces {
      switch piece {
      case .kept(let range): bytes.append(range)
      case .new(let new): bytes.append(new)
      }
    }
    guard removal != nil else { return (bytes, metadata.hasLocation, []) }
    return (bytes, false, try metadata.unreadParts())
  }

  /// Size of the video of a motion photo, in bytes; `nil` if the file does not contain one.
  ///
  /// - Throws: Errors of reading.
  public var videoByteCount: Int? { get throws(ImageError) { try videoRange?.count } }

  private var videoRange: Range<Int>? {
    get throws(ImageError) {
      switch container {
      case .jpeg(let file): return file.trailers.lazy.compactMap(\.video).first
      case .heif(let file):
        let whole = file.layout.videos.first { $0.upperBound <= source.count }
        return if let whole { whole } else { try file.layout.samsungVideo }
      case .png(let file): return try file.video
      default: return nil
      }
    }
  }
}

extension JPEGTrailer {
  fileprivate var attachments: [String] {
    switch content {
    case .video: ["video"]
    case .samsung where names.isEmpty: ["Samsung metadata"]
    case .samsung:
      names.map { ($0 == Self.samsungVideo ? "video" : "Samsung metadata") + " (\($0))" }
    case .padding: []
    case .unknown: ["\(DiagnosticTemplate.byteText(range.count)) of camera data after the image"]
    }
  }
}

extension PNGFile {
  fileprivate var attachments: [String] {
    get throws(ImageError) {
      guard let trailer else { return [] }
      return [
        try video == nil
          ? "\(DiagnosticTemplate.byteText(trailer.count)) of data after the image" : "video"
      ]
    }
  }
}

extension HEIFLayout {
  /// Range of the video in Samsung data; `nil` if missing.
  fileprivate var samsungVideo: Range<Int>? {
    get throws(ImageError) {
      for case .other(let box) in topLevel {
        if let video = try box.samsung?.video { return video }
      }
      return nil
    }
  }

  fileprivate var containsVideo: Bool {
    get throws(ImageError) {
      let isInBox = topLevel.contains {
        if case .other(let box) = $0 { box.type == Self.videoBox } else { false }
      }
      return try samsungVideo != nil || movie != nil || trailerIsFile || isInBox
    }
  }

  fileprivate var attachments: [String] {
    var names = topLevel.compactMap { box -> String? in
      switch box {
      case .movie: return "image sequence"
      case .other(let box):
        switch box.type {
        case Self.videoBox: return "video"
        case OpaqueBox.samsungBox: return "Samsung metadata"
        case "free", "skip": return nil
        default: return "box '\(box.type)'"
        }
      case .fileType, .meta, .mediaData: return nil
      }
    }
    if trailerIsFile {
      names.append("video")
    } else if let trailer {
      names.append("\(trailer.count) bytes after the last box")
    }
    return names
  }
}
