// SPDX-License-Identifier: Apache-2.0
internal import ImageContainers

extension ImageFile {
  /// Display names of data other than images and their metadata, such as videos and vendor data.
  ///
  /// In file order.
  public var attachments: [String] {
    switch container {
    case .jpeg(let file): file.trailers.flatMap(\.attachments)
    case .heif(let file): file.layout.attachments
    default: []
    }
  }

  /// Whether the file contains a video, as motion photos do.
  public var containsVideo: Bool {
    switch container {
    case .jpeg(let file): file.trailers.contains(where: \.containsVideo)
    case .heif(let file): file.layout.containsVideo
    default: false
    }
  }
}

extension JPEGTrailer {
  /// The block that contains the video of Samsung motion photos.
  ///
  /// Source: ExifTool, Samsung.pm, as documentation of the format.
  private static let samsungVideo = "MotionPhoto_Data"

  fileprivate var containsVideo: Bool { content == .video || names.contains(Self.samsungVideo) }

  fileprivate var attachments: [String] {
    switch content {
    case .video: ["video"]
    case .samsung where names.isEmpty: ["Samsung metadata"]
    case .samsung:
      names.map { ($0 == Self.samsungVideo ? "video" : "Samsung metadata") + " (\($0))" }
    case .padding: []
    case .unknown: ["\(range.count) bytes after the images"]
    }
  }
}

extension HEIFLayout {
  fileprivate var containsVideo: Bool {
    movie != nil || trailerIsFile
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
        case "sefd": return "Samsung metadata"
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
