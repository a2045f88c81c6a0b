public import HDRCore

/// What the beginning of a JPEG XL file says: the header of its codestream, Exif and XMP.
///
/// Source: ISO/IEC 18181-2: the codestream stands alone or in boxes, in one or in parts.
public struct JXLFileSummary: Sendable {
  public let header: JXLImageHeader
  /// From the TIFF header on.
  public private(set) var exif: [UInt8]?
  public private(set) var xmp: [UInt8]?
  public private(set) var notices: [Notice] = []

  /// More than any header needs, but for an ICC profile, which is not read.
  private static let longestHeader = 1 << 12

  /// Reads headers and metadata, and nothing of the samples.
  ///
  /// - Throws: `.malformed` or `.truncated` if there is no codestream, `.limitExceeded` for too many
  ///   boxes.
  public init(parsing source: ByteSource, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    let prefix = try source.prefix(Self.longestHeader)
    guard !prefix.starts(with: [0xFF, 0x0A]) else {
      header = try JXLImageHeader(parsing: prefix)
      return
    }
    var codestream: [UInt8] = []
    var found: (exif: [UInt8]?, xmp: [UInt8]?) = (nil, nil)
    var (offset, count) = (0, 0)
    var notices: [Notice] = []
    while offset < source.count {
      count += 1
      guard count <= limits.items else {
        throw ImageError(
          .limitExceeded, "more than \(limits.items) boxes", at: .init(offset: offset))
      }
      let available = source.count - offset
      let bytes = try source.bytes(in: offset..<offset + min(available, BoxHeader.maximumSize))
      var reader = ByteReader(bytes.span, fileOffset: offset)
      let box = try BoxHeader(parsing: &reader, available: available)
      let content = offset + box.headerSize..<offset + box.headerSize + box.contentSize
      switch box.type {
      case "jxlc", "jxlp":
        let start = min(content.lowerBound + (box.type == "jxlp" ? 4 : 0), content.upperBound)
        let rest = max(Self.longestHeader - codestream.count, 0)
        codestream += try source.bytes(in: start..<min(start + rest, content.upperBound))
      case "Exif" where found.exif == nil:
        found.exif = try Self.exif(source, content, limits, &notices)
      case "xml " where found.xmp == nil && content.count <= limits.memory:
        found.xmp = try source.bytes(in: content)
      case "brob":
        notices.append(
          Notice(
            .lost, "metadata compressed with Brotli is not read",
            at: .init(path: ["brob"], offset: offset)))
      default: break
      }
      offset = content.upperBound
    }
    guard !codestream.isEmpty else {
      throw ImageError(.malformed, "no codestream", at: .init(offset: source.count))
    }
    header = try JXLImageHeader(parsing: codestream)
    (exif, xmp) = found
    self.notices = notices
  }

  /// Exif behind the offset of its TIFF header.
  private static func exif(
    _ source: ByteSource, _ content: Range<Int>, _ limits: ImageLimits, _ notices: inout [Notice]
  ) throws(ImageError) -> [UInt8]? {
    guard content.count <= limits.memory else { return nil }
    let bytes = try source.bytes(in: content)
    var reader = ByteReader(bytes.span, fileOffset: content.lowerBound)
    do throws(ImageError) {
      try reader.skip(Int(try reader.readBigEndian(as: UInt32.self)))
      return reader.readRest()
    } catch {
      notices.append(
        Notice(.lost, "Exif cannot be read: \(error.reason)", at: .init(path: ["Exif"])))
      return nil
    }
  }
}
