public import HDRCore

/// A JPEG file: its picture, and the pictures and other data that follow it.
///
/// Gain maps, previews and the other eye of a stereo pair follow the first picture as pictures of
/// their own; cameras put films and private data behind them.
public struct JPEGFile: Sendable {
  /// What follows the first picture.
  public enum Appendix: Sendable {
    case image(JPEGImage)
    case trailer(JPEGTrailer)
  }

  /// The file that was parsed.
  public let source: ByteSource
  /// The first image of the file.
  public var primary: JPEGImage
  /// Everything behind the first picture, in order and without gaps.
  public var appendices: [Appendix]
  /// What was odd in the file but could be read.
  public internal(set) var notices: [Notice]

  /// What reports and errors call a picture: they are counted from 0, the first one.
  public static func nameOfImage(_ index: Int) -> String { "picture \(index)" }

  /// Items of the container directory that are pictures of this file: from their index to where the
  /// picture lay.
  package let containerItems: [Int: Range<Int>]
  /// Where the TIFF header of the multi-picture directory lay, from which its offsets count.
  let multiPictureHeader: Int?
  private let limits: ImageLimits
  /// Pictures that the file had when it was parsed.
  let parsedImageCount: Int
  /// Whether the multi-picture directory is made right even if nothing moved.
  package var arrangesDirectory = false
  /// Whether the multi-picture directory has entries for what is not there, so that there is a new one
  /// or none.
  package var hasStaleDirectory = false

  /// Parses a file and whatever follows its first picture.
  ///
  /// - Throws: `.malformed` or `.truncated` if the first picture is not readable, `.limitExceeded` for
  ///   too many segments.
  public init(
    parsing source: ByteSource, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) {
    let primary = try JPEGParser.parse(source, at: 0, limits: limits)
    var parser = JPEGAppendixParser(source: source, primary: primary, limits: limits)
    try parser.parse()
    self.source = source
    self.limits = limits
    self.primary = primary
    appendices = parser.appendices
    notices = primary.notices + parser.notices
    containerItems = parser.containerItems
    multiPictureHeader = parser.multiPictureHeader
    parsedImageCount = 1 + parser.imageCount
  }

  /// The first picture and those that follow it.
  public var images: [JPEGImage] {
    [primary]
      + appendices.compactMap { if case .image(let image) = $0 { image } else { nil } }
  }

  /// What is neither the first picture nor another one.
  public var trailers: [JPEGTrailer] {
    appendices.compactMap { if case .trailer(let trailer) = $0 { trailer } else { nil } }
  }

  /// The segments of a picture that cannot be read to its end; `nil` if none begins there.
  package func segments(ofPictureIn trailer: JPEGTrailer) -> [JPEGSegment]? {
    let start = trailer.range.lowerBound
    guard trailer.range.count >= 2,
      (try? source.bytes(in: start..<start + 2)) == [0xFF, JPEGMarker.startOfImage.rawValue]
    else { return nil }
    return JPEGParser.readableSegments(source, at: start, limits: limits)
  }

  /// Puts another picture in the place of one of `images`.
  ///
  /// - Precondition: There is a picture of this number.
  public mutating func replaceImage(_ index: Int, with image: JPEGImage) {
    let places = appendices.indices.filter {
      if case .image = appendices[$0] { true } else { false }
    }
    if index == 0 { primary = image } else { appendices[places[index - 1]] = .image(image) }
  }

  /// Adds a picture right behind the first, where directories that count lengths find it.
  ///
  /// - Throws: what reading its file throws.
  public mutating func insertBehindFirst(_ image: JPEGImage) throws(ImageError) {
    appendices.insert(.image(try image.detached()), at: 0)
  }
}

/// Data behind the pictures of a file, kept as they are.
public struct JPEGTrailer: Hashable, Sendable {
  /// What the data look like.
  public enum Kind: String, Hashable, Sendable {
    /// A film: the moving part of a motion photo.
    case video
    /// Samsung's directory of private data, and the data.
    case samsung
    /// Zero bytes.
    case padding
    case unknown
  }

  /// Format of the data, by their first bytes.
  public var kind: Kind
  /// Where they lie in the source.
  public var range: Range<Int>
  /// What Samsung's directory calls its data.
  public var names: [String] = []
}
