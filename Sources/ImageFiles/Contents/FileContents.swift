public import GainMap
public import HDRCore
package import ImageContainers

/// What a file contains: its images, their color and light, and the metadata that describe them.
///
/// Made from the structure and the headers of bitstreams alone, so that it also works for formats
/// whose codec is not in the build.
public struct FileContents: Sendable {
  /// Format of the file.
  public var format: FileFormat
  /// How the file names its kind within its format: the major brand, the version of DNG.
  public var variant: String?
  /// Size of the file, in bytes.
  public var byteCount: Int
  /// The images of the file, the primary one first; never empty.
  public internal(set) var images: [FileImage]
  /// The gain maps of the file, those that can be applied to the base first.
  public internal(set) var gainMaps: [FoundGainMap] = []
  /// Summary of the Exif metadata.
  public var exif: ExifSummary?
  /// Summary of the XMP packet.
  public var xmp: XMPSummary?
  /// What is irregular, contradictory or assumed.
  public package(set) var notices: [Notice]

  /// The image that the file shows.
  public var primary: FileImage { images[0] }

  package init(
    format: FileFormat, source: ByteSource, images: [FileImage], notices: [Notice]
  ) {
    self.format = format
    byteCount = source.count
    self.images = images
    self.notices = notices
  }

  /// The gain map that leads from the primary image to its alternate rendition.
  public var gainMap: FoundGainMap? { gainMaps.first { $0.isApplicable } }

  /// Whether a display with headroom shows the file brighter than its reference white: by the
  /// primary image itself, or by a gain map.
  public var isHighDynamicRange: Bool {
    let headroom = gainMap?.metadata?.fullHeadroom.stops ?? 0
    return primary.isHighDynamicRange || headroom > 0
  }
}

extension FileContents {
  /// Interprets the structure of a file.
  ///
  /// - Throws: As `ImageFile.contents()`.
  init(of file: ImageFile) throws(ImageError) {
    self = try Self.interpreted(file)
    guard primary.isCMYK else { return }
    notices.append(
      Notice(.colorCMYKNotDecodable))
  }

  private static func interpreted(_ file: ImageFile) throws(ImageError) -> FileContents {
    switch file.container {
    case .heif(let heif): return try HEIFInterpreter(file, heif).contents()
    case .jpeg(let jpeg): return try JPEGInterpreter(file, jpeg).contents()
    case .png(let png): return try PNGInterpreter(file, png).contents()
    case .tiff(let tiff): return try TIFFInterpreter(file, tiff).contents()
    case .exr(let header): return try EXRInterpreter(file, header).contents()
    case .radiance(let header): return try RadianceInterpreter(file, header).contents()
    case .jpegXL(let jpegXL): return try JPEGXLInterpreter(file, jpegXL).contents()
    case .cameraRaw where file.format == .cr3: return try CR3Interpreter(file).contents()
    case .cameraRaw:
      throw ImageError(.rawHeadersUnsupported)
    }
  }
}

extension FileContents {
  /// Takes gain maps, and what is to be said about them.
  mutating func take(_ inventory: GainMapInventory) {
    gainMaps = inventory.maps
    notices += inventory.notices
  }

  /// Takes metadata and the notices about them.
  mutating func take(_ metadata: FileMetadata) {
    exif = metadata.exif.map { ExifSummary($0.structure, byteCount: $0.bytes.count) }
    xmp = metadata.xmp.map { XMPSummary($0) }
    notices += metadata.notices
  }
}
