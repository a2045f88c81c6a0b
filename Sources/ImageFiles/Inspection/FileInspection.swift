public import GainMap
public import HDRCore
public import ImageContainers

/// What a file holds and what it says about it, found out without decoding anything.
///
/// Works for formats whose codec is not in the build, and reads only the headers of a file.
public struct FileInspection: Sendable {
  public var format: FileFormat
  /// What the file calls itself within its format: the major brand, the version of DNG.
  public var variant: String?
  public var byteCount: Int
  /// The pictures of the file, the primary one first; never empty.
  public internal(set) var pictures: [PictureInspection]
  /// The gain maps of the file, those that can be applied to the base first.
  public internal(set) var gainMaps: [FoundGainMap] = []
  public var exif: ExifSummary?
  public var xmp: XMPSummary?
  /// What is odd, contradictory or assumed.
  public package(set) var notices: [Notice]
  /// The file as its format sees it.
  public var structure: StructureNode

  /// The picture that the file shows.
  public var primary: PictureInspection { pictures[0] }

  package init(
    format: FileFormat, source: ByteSource, pictures: [PictureInspection], notices: [Notice],
    structure: [StructureNode]
  ) {
    self.format = format
    byteCount = source.count
    self.pictures = pictures
    self.notices = notices
    self.structure = StructureNode(format.rawValue, 0..<source.count, children: structure)
  }

  /// The gain map that leads from the primary picture to its alternate rendition.
  public var gainMap: FoundGainMap? { gainMaps.first { $0.isApplicable } }

  /// Whether a display with headroom shows the file brighter than its reference white: by the
  /// primary picture itself, or by a gain map.
  public var isHighDynamicRange: Bool {
    let headroom = gainMap?.reading?.meaning.fullHeadroom.stops ?? 0
    return primary.isHighDynamicRange || headroom > 0
  }
}

extension FileInspection {
  /// Looks into a file.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - options: Limits, and the meaning of what the file leaves open.
  /// - Returns: What the file says.
  /// - Throws: `.malformed`, `.truncated` or `.limitExceeded` for a file that cannot be what it
  ///   says it is; `.unsupported` for one that holds no still picture.
  public static func inspect(
    _ source: ByteSource, options: OpeningOptions = OpeningOptions()
  ) throws(ImageError) -> FileInspection {
    var inspection = try parsed(source, options)
    if inspection.primary.isCMYK {
      inspection.notices.append(
        Notice(
          .irregular,
          "CMYK has no color of its own, and no verb decodes it: convert the file to RGB"))
    }
    return inspection
  }

  private static func parsed(
    _ source: ByteSource, _ options: OpeningOptions
  ) throws(ImageError) -> FileInspection {
    guard let format = FileFormat.sniff(try source.prefix(32)) else {
      throw ImageError(
        .malformed, "not a picture file of a kind known here", at: .init(offset: 0))
    }
    switch format {
    case .heif, .avif: return try HEIFInspector(source, format, options).inspection()
    case .jpeg: return try JPEGInspector(source, options).inspection()
    case .png: return try PNGInspector(source, options).inspection()
    case .tiff: return try TIFFInspector(source, options).inspection()
    case .exr: return try EXRInspector(source, options).inspection()
    case .radiance: return try RadianceInspector(source, options).inspection()
    case .jxl: return try JXLInspector(source, options).inspection()
    case .cr3: return try CR3Inspector(source, options).inspection()
    case .raw:
      throw ImageError(
        .unsupported, "a camera raw file of a kind whose headers only its decoder reads")
    }
  }
}

extension FileInspection {
  /// Takes gain maps, and what is to be said about them.
  mutating func take(_ inventory: GainMapInventory) {
    gainMaps = inventory.maps
    notices += inventory.notices
  }

  /// Takes metadata; a block that cannot be read gives a notice.
  mutating func take(exif: [UInt8]?, xmp: [UInt8]?) {
    if let exif {
      do throws(ImageError) {
        self.exif = ExifSummary(try ExifBlock(parsing: exif).structure, byteCount: exif.count)
      } catch {
        notices.append(Notice(.irregular, "unreadable Exif: \(error.reason)", at: error.location))
      }
    }
    if let xmp {
      do throws(ImageError) {
        self.xmp = XMPSummary(try XMPPacket(parsing: xmp))
      } catch {
        notices.append(
          Notice(.irregular, "unreadable XMP: \(error.reason)", at: .init(path: ["XMP"])))
      }
    }
  }
}
