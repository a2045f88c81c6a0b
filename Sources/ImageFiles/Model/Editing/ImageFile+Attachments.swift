// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ImageFile {
  /// Display names of data other than images and their metadata, such as videos and vendor data.
  ///
  /// In file order; empty for formats other than HEIF, AVIF, JPEG and PNG.
  public var attachments: [String] {
    switch container {
    case .jpeg(let file): file.trailers.flatMap(\.attachments)
    case .heif(let file): file.layout.attachments
    case .png(let file): file.attachments
    default: []
    }
  }

  /// Whether the file contains a video, as motion photos do, or an image sequence.
  public var containsVideo: Bool {
    switch container {
    case .jpeg(let file): file.trailers.contains(where: \.containsVideo)
    case .heif(let file): file.layout.containsVideo
    case .png(let file): file.video != nil
    default: false
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
    guard let range = videoRange else { return nil }
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
  public var videoByteCount: Int? { videoRange?.count }

  private var videoRange: Range<Int>? {
    switch container {
    case .jpeg(let file): file.trailers.lazy.compactMap(\.video).first
    case .heif(let file):
      file.layout.videos.first { $0.upperBound <= source.count }
        ?? file.layout.samsungVideo
    case .png(let file): file.video
    default: nil
    }
  }
}

extension JPEGTrailer {
  fileprivate var containsVideo: Bool { video != nil }

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
    guard let trailer else { return [] }
    return [
      video == nil
        ? "\(DiagnosticTemplate.byteText(trailer.count)) of data after the image" : "video"
    ]
  }
}

extension HEIFLayout {
  /// Range of the video in Samsung data; `nil` if missing.
  fileprivate var samsungVideo: Range<Int>? {
    topLevel.lazy.compactMap { box in
      if case .other(let box) = box { box.samsung?.video } else { nil }
    }.first
  }

  fileprivate var containsVideo: Bool {
    movie != nil || trailerIsFile || samsungVideo != nil
      || topLevel.contains {
        if case .other(let box) = $0 { box.type == Self.videoBox } else { false }
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
