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
  public var holdsFilm: Bool {
    switch container {
    case .jpeg(let file): file.trailers.contains(where: \.holdsFilm)
    case .heif(let file): file.layout.holdsFilm
    default: false
    }
  }
}

extension JPEGTrailer {
  /// The block that contains the video of Samsung motion photos.
  ///
  /// Source: ExifTool, Samsung.pm, as documentation of the format.
  private static let samsungFilm = "MotionPhoto_Data"

  fileprivate var holdsFilm: Bool { kind == .video || names.contains(Self.samsungFilm) }

  fileprivate var attachments: [String] {
    switch kind {
    case .video: ["film"]
    case .samsung where names.isEmpty: ["data of Samsung's"]
    case .samsung:
      names.map { ($0 == Self.samsungFilm ? "film" : "data of Samsung's") + " (\($0))" }
    case .padding: []
    case .unknown: ["\(range.count) bytes behind the pictures"]
    }
  }
}

extension HEIFLayout {
  fileprivate var holdsFilm: Bool {
    movie != nil || trailerIsFile
      || topLevel.contains {
        if case .other(let box) = $0 { box.type == Self.videoBox } else { false }
      }
  }

  fileprivate var attachments: [String] {
    var names = topLevel.compactMap { box -> String? in
      switch box {
      case .movie: return "sequence of pictures"
      case .other(let box):
        switch box.type {
        case Self.videoBox: return "film"
        case "sefd": return "data of Samsung's"
        case "free", "skip": return nil
        default: return "box '\(box.type)'"
        }
      case .fileType, .meta, .mediaData: return nil
      }
    }
    if trailerIsFile {
      names.append("film")
    } else if let trailer {
      names.append("\(trailer.count) bytes behind the last box")
    }
    return names
  }
}
