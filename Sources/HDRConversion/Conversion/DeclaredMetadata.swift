// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// Metadata of the output: from the input, from the caller, and measured.
struct DeclaredMetadata {
  private(set) var notices: [Notice] = []
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  private(set) var auxiliary = AuxiliaryMetadata()
  private let options: ConversionOptions
  private let source: LightMetadata
  private let target: ConversionTarget

  /// Collects metadata.
  ///
  /// - Parameters:
  ///   - options: Choices of the caller.
  ///   - document: The input.
  ///   - target: Encoding of the output.
  ///   - layout: Layout of the output.
  /// - Throws: `.malformed` for Exif or XMP that cannot be parsed or edited.
  init(
    _ options: ConversionOptions, document: SourceImage, target: ConversionTarget,
    layout: ImageLayout
  ) throws(ImageError) {
    self.options = options
    self.target = target
    source = document.image.light
    exif = options.exif.value(kept: document.exif, automatic: document.exif)
    xmp = options.xmp.value(kept: document.xmp, automatic: document.xmp)
    if case .keep = options.xmp, let bytes = xmp {
      xmp = try Self.xmpForNewFile(bytes, options.metadata.keepsMakerNotes ?? false, &notices)
    }
    if case .keep = options.exif, let bytes = exif {
      exif = try MetadataOfNewFile.exif(
        bytes, keepsMakerNotes: options.metadata.keepsMakerNotes ?? false, notices: &notices)
    }
    // IPTC and texts are dropped or replaced with XMP.
    if case .value = options.xmp {
      notices += try document.auxiliaryMetadata.droppedWithXMP
    } else {
      var found = document.auxiliaryMetadata
      if case .drop = options.xmp { found.becomesXMP = false }
      let fitted = try found.fitted(to: options.format, xmp: xmp)
      (auxiliary, xmp) = (fitted.carried, fitted.xmp)
      notices += fitted.notices
    }
    reportUnstorableItems()
    try checkExif(target.orientation)
    try updateExif(for: layout)
    try reportThumbnail()
    try makeXMPConsistent(target.orientation, stored: document.image.orientation)
  }

  /// Reports an orientation of given Exif that the writer replaces.
  private mutating func checkExif(_ orientation: Orientation) throws(ImageError) {
    guard case .value(let bytes) = options.exif,
      let found = try ExifBlock(parsing: bytes).orientation, found != orientation
    else { return }
    noteOrientation(found, of: "given Exif", used: orientation)
  }

  /// Updates Exif of the input for a cropped, resized or rotated image.
  private mutating func updateExif(for layout: ImageLayout) throws(ImageError) {
    if case .value = options.exif { return }
    let cropsOrRotates = options.geometry.crop != nil || target.rotation != .upright
    guard cropsOrRotates || options.geometry.size != nil, let bytes = exif else { return }
    exif = try ExifBlock.fitted(
      bytes, width: layout.width, height: layout.height, keepsThumbnail: false, notices: &notices)
  }

  /// Reports a thumbnail, which TIFF and JPEG XR cannot store: their directories are images.
  private mutating func reportThumbnail() throws(ImageError) {
    guard options.format.traits.exifIsOfTheFile, let exif,
      let block = try ifReadable(try ExifBlock(parsing: exif)),
      block.main.next != 0
    else { return }
    notices.append(
      Notice(
        .exifThumbnailNotInTIFF, ["format": options.format.title], at: .init(path: ["Exif"])))
  }

  /// Makes the orientation in XMP that of the container.
  private mutating func makeXMPConsistent(
    _ orientation: Orientation, stored: Orientation
  ) throws(ImageError) {
    guard let bytes = xmp else { return }
    var packet = try XMPPacket(parsing: bytes)
    guard let found = packet.orientation else { return }
    if case .value = options.xmp {
      if found != orientation { noteOrientation(found, of: "given XMP", used: orientation) }
    } else if found != stored {
      noteOrientation(found, of: "XMP", used: stored)
    }
    if try packet.updateOrientation(orientation) { xmp = packet.bytes }
  }

  private mutating func noteOrientation(
    _ found: Orientation, of carrier: String, used: Orientation
  ) {
    notices.append(
      Notice(
        .conflict, "{source} specifies orientation {orientation}, the image {used}; using {used}",
        ["source": carrier, "orientation": found.rawValue, "used": used.rawValue]))
  }

  /// Returns the light metadata to write, given the measured light levels of the output.
  func resolved(measured light: LightLevels) -> LightMetadata {
    switch target.encoding.transfer {
    case .pq, .hlg: break
    case .linear: return LightMetadata(diffuseWhite: target.encoding.referenceWhite)
    default: return LightMetadata()
    }
    var choices = options.metadata
    if !canStoreMasteringDisplay { choices.masteringDisplay = .drop }
    return choices.light(
      kept: source, measured: LightMetadata(light, white: target.encoding.referenceWhite))
  }

  /// Whether the mastering display can be stored: `mDCV` of PNG requires `cICP`.
  ///
  /// Source: PNG, third edition, 11.3.2.7.
  private var canStoreMasteringDisplay: Bool {
    let traits = options.format.traits
    return traits.colorPrecedence != .codePoints || target.signaling != .icc
  }

  /// Returns XMP of the input for the output; unchanged if it is empty or cannot be edited.
  private static func xmpForNewFile(
    _ bytes: [UInt8], _ keepsMakerNotes: Bool, _ notices: inout [Notice]
  ) throws(ImageError) -> [UInt8]? {
    do throws(ImageError) {
      let packet = try XMPPacket(parsing: bytes)
      return packet.properties.isEmpty
        ? bytes : try packet.forNewFile(keepsMakerNotes: keepsMakerNotes, notices: &notices)
    } catch {
      guard !error.endsJob else { throw error }
      return bytes
    }
  }

  /// Reports metadata items that the format cannot store.
  private mutating func reportUnstorableItems() {
    let traits = options.format.traits
    let places = traits.metadataFields
    func report(_ name: String) {
      notices.append(
        Notice(
          .dropped, "not stored: {item} ({format} cannot store it)",
          ["format": traits.title, "item": name]))
    }
    func isLost(_ item: MetadataItem, _ light: any LightItem.Type) -> Bool {
      let choice = item.effectiveChoice(options.metadata)
      return choice == .value || choice == .keep && light.isPresent(in: source)
    }
    // Diffuse white is below; the environments, which fewer formats store, come first.
    let groups = MetadataItem.light.split { $0.light.field == .ndwt }
    for (item, light) in groups.dropFirst().joined() + groups.prefix(1).joined().reversed()
    where isLost(item, light) {
      if light.field == .mdcv, !canStoreMasteringDisplay {
        report("mastering display without code points")
      }
      if !places.contains(light.field) { report("\(item.title) (\(item.name))") }
    }
    guard traits.storesLinearValues else { return }
    if options.icc.given != nil { report("ICC profile") }
    if case .value(let luminance) = options.metadata.diffuseWhite,
      traits.storesScRGB || luminance != target.encoding.referenceWhite
    {
      report("diffuse white (ndwt) other than the luminance of 1.0")
    }
  }
}

/// Exif of an image that is encoded again.
///
/// Parts that belong to the old file are dropped: the thumbnail, and large maker notes. Camera,
/// lens, date, copyright and the headroom of Apple gain maps stay.
enum MetadataOfNewFile {
  /// Size of maker notes and of single properties above which they are not copied, in bytes.
  static let mostBytes = 16 << 10

  /// Returns Exif for the new file; unchanged if it cannot be parsed.
  ///
  /// - Parameters:
  ///   - bytes: Exif of the old file.
  ///   - keepsMakerNotes: Whether large maker notes are kept.
  ///   - notices: Gets notices about dropped data.
  /// - Returns: The block.
  /// - Throws: `.malformed` if the block cannot be edited.
  static func exif(
    _ bytes: [UInt8], keepsMakerNotes: Bool, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8] {
    guard var block = try ifReadable(try ExifBlock(parsing: bytes)) else { return bytes }
    if let note = block.exposure?[.makerNote], note.values.count > mostBytes, !keepsMakerNotes {
      let numbers = try AppleMakerNote(block)
      let order = block.structure.byteOrder
      // Offsets in the note do not have to stay valid, so that the rest can move together.
      let rest = try NewTIFFDirectory.exif(of: block.structure, omitting: [.makerNote])
      let hadThumbnail = block.main.next != 0
      var copy = rest.serialized(order: order)
      try numbers?.write(into: &copy)
      notices.append(.notCopied([item("maker note", note.values.count)]))
      if hadThumbnail { notices.append(Notice(.exifThumbnailDropped, at: .init(path: ["Exif"]))) }
      return copy
    }
    guard block.main.next != 0 else { return block.bytes }
    let isCleared = try block.removeThumbnail()
    notices.append(Notice(.exifThumbnailDropped, at: .init(path: ["Exif"])))
    if !isCleared { notices.append(Notice(.exifThumbnailOverlaps, at: .init(path: ["Exif"]))) }
    return block.bytes
  }

  /// Name and size of dropped data.
  static func item(_ name: String, _ size: Int) -> String {
    size < 1 << 10 ? name : "\(name) (\(size >> 10) kB)"
  }
}

extension Notice {
  /// The notice about data of the camera that are not copied.
  static func notCopied(_ items: [String]) -> Notice {
    Notice(.metadataMakerNotesDropped, ["items": items])
  }
}

extension XMPPacket {
  /// Returns the packet with its orientation and size, if it has them, updated.
  ///
  /// - Parameters:
  ///   - layout: Layout of the image; `nil` to keep the size.
  ///   - orientation: Orientation of the image.
  /// - Returns: The packet.
  /// - Throws: `.malformed` if the packet cannot be edited.
  func fitted(to layout: ImageLayout?, orientation: Orientation) throws(ImageError) -> XMPPacket {
    var packet = self
    _ = try packet.updateOrientation(orientation)
    if let layout { try packet.updatePixelSize(width: layout.width, height: layout.height) }
    return packet
  }

  /// Returns the packet for a new file of its image: without references to the other images and the
  /// video of the old file, without data of its old samples and of its camera, and without light
  /// levels, which the encoder of the new file writes.
  ///
  /// - Parameters:
  ///   - keepsMakerNotes: Whether data of the camera are kept.
  ///   - notices: Gets a notice about dropped data.
  /// - Returns: The packet; `nil` if no properties are left.
  /// - Throws: `.malformed` if the packet cannot be edited.
  func forNewFile(keepsMakerNotes: Bool, notices: inout [Notice]) throws(ImageError) -> [UInt8]? {
    var packet = self
    try packet.removeGainMapProperties()
    try packet.removeDirectory()
    try packet.setLightLevel(nil)
    let bound = packet.properties.filter { property in
      property.name == Self.thumbnails
        || !keepsMakerNotes
          && (Self.makerNotes.contains(property.name.local.lowercased())
            || property.value.byteCount > MetadataOfNewFile.mostBytes)
    }
    if !bound.isEmpty {
      try packet.remove(Set(bound.map(\.name)))
      notices.append(
        .notCopied(bound.map { MetadataOfNewFile.item($0.name.local, $0.value.byteCount) }))
    }
    return packet.properties.isEmpty ? nil : packet.bytes
  }

  private static let thumbnails = XMPName("http://ns.adobe.com/xap/1.0/", "Thumbnails")
  /// Properties of Google's cameras, in lower case.
  private static let makerNotes: Set<String> = [
    "hdrp_makernote", "hdrplusmakernote", "shot_log_data",
  ]
}

extension XMPValue {
  /// Size of all texts, in bytes.
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .array(let items): items.reduce(0) { $0 + $1.byteCount }
    case .structure(let fields): fields.reduce(0) { $0 + $1.value.byteCount }
    }
  }
}
