// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A Canon CR3 raw file: images in the tracks of an ISO base media file, metadata in Canon boxes.
///
/// Source: the format is not published; ExifTool's tables and the notes of the canon_cr3 project.
package struct CR3File: Sendable {
  /// An image, and its location in the file.
  package struct StoredImage: Hashable, Sendable {
    package enum Coding: Hashable, Sendable {
      /// Canon's codec for sensor samples, with the bits per sample.
      case crx(bits: Int)
      case jpeg
    }

    package enum Storage: Hashable, Sendable {
      /// A track, counted from 1.
      case track(Int)
      case preview
      case thumbnail
    }

    package var place: Storage
    package var width: Int
    package var height: Int
    package var coding: Coding
  }

  /// Images in file order.
  package private(set) var images: [StoredImage] = []
  /// The main Exif directory (CMT1), as a TIFF structure.
  package private(set) var exif: [UInt8]?
  /// The Exif directory of the exposure (CMT2), as a TIFF structure.
  package private(set) var exposure: [UInt8]?
  /// The GPS directory (CMT4), as a TIFF structure.
  package private(set) var location: [UInt8]?
  package private(set) var xmp: [UInt8]?
  /// Irregularities that did not prevent parsing.
  package private(set) var notices: [Notice] = []

  private let source: ByteSource
  private let limits: ImageLimits
  private var boxCount = 0
  private var trackCount = 0

  /// Returns whether a file begins with the CR3 brand.
  package static func begins(_ prefix: [UInt8]) -> Bool {
    prefix.dropFirst(4).starts(with: "ftypcrx ".utf8)
  }

  /// Parses headers and metadata; coded images are not read.
  ///
  /// - Throws: `.malformed` or `.truncated` for boxes that cannot be parsed or a file without
  ///   images, `.limitExceeded` for more boxes than `limits.items` or deeper nesting than
  ///   `limits.nesting`.
  package init(parsing source: ByteSource, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    self.source = source
    self.limits = limits
    guard Self.begins(try source.prefix(12)) else {
      throw ImageError(.notOfFormat, ["format": "CR3"], at: .init(offset: 0))
    }
    try read(0..<source.count, depth: 0)
    guard !images.isEmpty else {
      throw ImageError(.missingElement, ["element": "the image of the CR3 file"])
    }
  }

  private mutating func read(_ range: Range<Int>, depth: Int) throws(ImageError) {
    guard depth < limits.nesting else {
      throw ImageError(
        .nestedTooDeeply, ["elements": "boxes", "limit": depth], at: .init(offset: range.lowerBound)
      )
    }
    var offset = range.lowerBound
    // Box lists may end with fewer than eight bytes that do not form a box.
    while range.upperBound - offset >= 8 {
      boxCount += 1
      guard boxCount <= limits.items else {
        throw ImageError(
          .tooManyElements, ["limit": limits.items, "elements": "boxes"], at: .init(offset: offset))
      }
      try Execution.current.budget.debit(elements: 1, of: "boxes", at: .init(offset: offset))
      let head = try source.bytes(
        in: offset..<min(range.upperBound, offset + BoxHeader.maximumSize))
      var reader = ByteReader(head.span, fileOffset: offset)
      let header: BoxHeader
      do throws(ImageError) {
        header = try BoxHeader(parsing: &reader, available: range.upperBound - offset)
      } catch {
        // A truncated preview does not affect the boxes before it.
        guard depth > 0, error.category == .truncated else { throw error }
        notices.append(Notice(.cr3BoxIgnored, ["cause": error], at: error.location))
        _ = try ifReadable(try readSize(ofTruncatedBox: head, at: offset))
        return
      }
      let start = offset + header.headerSize
      let content = start..<start + header.contentSize
      do throws(ImageError) {
        try read(header, content, depth: depth)
      } catch {
        throw error.inside(header.type.description)
      }
      offset = content.upperBound
    }
  }

  /// Adds an image whose coded bytes are not all in the file.
  private mutating func readSize(ofTruncatedBox head: [UInt8], at offset: Int) throws(ImageError) {
    var reader = ByteReader(head.span, fileOffset: offset)
    let header = try BoxHeader(parsing: &reader, available: source.count - offset, mayBeCut: true)
    guard header.type == "PRVW" || header.type == "THMB" else { return }
    let start = offset + header.headerSize
    try read(header, start..<start + header.contentSize, depth: 0)
  }

  private mutating func read(
    _ header: BoxHeader, _ content: Range<Int>, depth: Int
  ) throws(ImageError) {
    switch header.type {
    case "CMT1": exif = try source.bytes(in: content)
    case "CMT2": exposure = try source.bytes(in: content)
    case "CMT4": location = try source.bytes(in: content)
    case "THMB": try addJPEG(.thumbnail, content, sizeAt: 4)
    case "PRVW": try addJPEG(.preview, content, sizeAt: 6)
    case "CRAW": try addSample(content)
    case "uuid" where header.userType == Self.xmpType: xmp = try source.bytes(in: content)
    default:
      if header.type == "trak" { trackCount += 1 }
      guard let skipped = Self.containerOffset(header) else { return }
      let first = min(content.lowerBound + skipped, content.upperBound)
      try read(first..<content.upperBound, depth: depth + 1)
    }
  }

  /// Adds a JPEG image whose size is stored in two 16-bit fields.
  private mutating func addJPEG(
    _ place: StoredImage.Storage, _ content: Range<Int>, sizeAt offset: Int
  ) throws(ImageError) {
    let bytes = try source.bytes(in: content.prefix(offset + 4))
    var reader = ByteReader(bytes.span, fileOffset: content.lowerBound)
    try reader.skip(offset)
    let width: UInt16 = try reader.readBigEndian()
    let height: UInt16 = try reader.readBigEndian()
    images.append(StoredImage(place: place, width: Int(width), height: Int(height), coding: .jpeg))
  }

  /// Parses a sample entry: the fields of a visual sample entry, then boxes that identify the
  /// codec.
  private mutating func addSample(_ content: Range<Int>) throws(ImageError) {
    let bytes = try source.bytes(in: content.prefix(1 << 10))
    var reader = ByteReader(bytes.span, fileOffset: content.lowerBound)
    try reader.skip(24)
    let width: UInt16 = try reader.readBigEndian()
    let height: UInt16 = try reader.readBigEndian()
    try reader.skip(Self.sampleEntrySize - 28)
    let box = try BoxHeader(parsing: &reader, available: reader.remaining)
    let place = StoredImage.Storage.track(trackCount)
    switch box.type {
    case "JPEG":
      images.append(
        StoredImage(place: place, width: Int(width), height: Int(height), coding: .jpeg))
    case "CMP1":
      try reader.skip(8)
      let codedWidth: UInt32 = try reader.readBigEndian()
      let codedHeight: UInt32 = try reader.readBigEndian()
      try reader.skip(8)  // The size of a tile.
      let bits: UInt8 = try reader.readBigEndian()
      try limits.check(width: Int(codedWidth), height: Int(codedHeight))
      images.append(
        StoredImage(
          place: place, width: Int(codedWidth), height: Int(codedHeight),
          coding: .crx(bits: Int(bits))))
    default: break
    }
  }
}

extension CR3File {
  /// Size of a visual sample entry with the four bytes that Canon adds.
  private static let sampleEntrySize = 82

  /// Bytes between the header of a box and its first child; `nil` if the box is not a container.
  static func containerOffset(_ header: BoxHeader) -> Int? {
    switch header.type {
    case "moov", "trak", "mdia", "minf", "stbl": 0
    case "stsd": 8
    case "CRAW": sampleEntrySize
    case "uuid" where header.userType == metadataType: 0
    case "uuid" where header.userType == previewType: 8
    default: nil
    }
  }

  private static let metadataType: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  private static let previewType: [UInt8] = [
    0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
  ]
  private static let xmpType: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
}

extension Range<Int> {
  /// Returns the first `count` bytes of a range, or all if there are fewer.
  fileprivate func prefix(_ count: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + count)
  }
}

extension CR3File {
  /// The Exif metadata of the file as one block; `nil` if the file does not contain any.
  ///
  /// - Throws: `.malformed` or `.truncated` for unreadable directories.
  package func wholeExif() throws(ImageError) -> [UInt8]? {
    guard let exif else { return nil }
    let main = try TIFFFile(parsing: ByteSource(exif))
    let directory = try NewTIFFDirectory.description(
      main: main,
      exposure: try exposure.flatMap { bytes throws(ImageError) in
        try ifReadable(try TIFFFile(parsing: ByteSource(bytes)))
      },
      location: try location.flatMap { bytes throws(ImageError) in
        try ifReadable(try TIFFFile(parsing: ByteSource(bytes)))
      })
    guard !directory.isEmpty else { return nil }
    let header = main.byteOrder.header(firstDirectoryAt: 8)
    return header + directory.serialized(at: header.count, order: main.byteOrder)
  }
}

/// Interprets the images and metadata of Canon CR3 files, without decoding samples.
struct CR3Interpreter {
  private let source: ByteSource
  private let file: CR3File

  init(_ container: ImageFile) throws(ImageError) {
    source = container.source
    file = try container.cr3()
  }

  func contents() throws(ImageError) -> FileContents {
    var notices = file.notices
    let exif = try directory(file.exif, "CMT1", &notices)
    let orientation = exif?.orientation ?? .upright
    let main = mainIndex
    let images = file.images.enumerated().map { index, stored in
      image(of: stored, isMain: index == main, orientation)
    }
    var contents = FileContents(
      format: .cr3, source: source,
      images: [images[main]] + images[..<main] + images[(main + 1)...], notices: notices)
    try contents.take(try FileMetadata(exif: nil, xmp: file.xmp))
    if let exif {
      let exposure = try directory(file.exposure, "CMT2", &contents.notices)
      let location = try directory(file.location, "CMT4", &contents.notices)
      contents.exif = try ExifSummary(
        main: exif.structure, exposure: exposure?.structure, location: location?.structure,
        byteCount: [exif, exposure, location].reduce(0) { $0 + ($1?.bytes.count ?? 0) })
    }
    return contents
  }

  /// Index of the largest raw image, or of the largest image if none is raw.
  private var mainIndex: Int {
    func rank(_ stored: CR3File.StoredImage) -> (Int, Int) {
      (stored.isRaw ? 1 : 0, stored.width * stored.height)
    }
    return file.images.indices.max { rank(file.images[$0]) < rank(file.images[$1]) } ?? 0
  }

  private func image(
    of stored: CR3File.StoredImage, isMain: Bool, _ orientation: Orientation
  ) -> FileImage {
    let (components, bits, coding): (ImageLayout.Components, Int, CodecConfiguration) =
      switch stored.coding {
      case .crx(let bits): (.gray, bits, CodecConfiguration("CRX", lumaDepth: bits))
      case .jpeg: (.rgb, 8, CodecConfiguration("JPEG", lumaDepth: 8))
      }
    let (name, role): (String, FileImage.Role) =
      switch stored.place {
      case .track(let number): ("track \(number)", .preview)
      case .preview: ("PRVW", .preview)
      case .thumbnail: ("THMB", .thumbnail)
      }
    return FileImage(
      name: name, role: isMain ? .primary : role,
      layout: ImageLayout(
        width: stored.width, height: stored.height, components: components,
        samples: .integer(bits: bits)),
      orientation: orientation, coding: coding,
      interpretation: stored.isRaw ? "Color Filter Array" : nil)
  }

  private func directory(
    _ bytes: [UInt8]?, _ box: String, _ notices: inout [Notice]
  ) throws(ImageError) -> ExifBlock? {
    guard let bytes else { return nil }
    do throws(ImageError) {
      return try ExifBlock(parsing: bytes)
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.metadataUnreadable, ["name": "Exif", "cause": error], at: .init(path: [box])))
      return nil
    }
  }
}

extension CR3File.StoredImage {
  fileprivate var isRaw: Bool {
    if case .crx = coding { return true }
    return false
  }
}

/// A camera raw file that is not based on TIFF, whose structure is parsed on demand.
package struct CameraRawContainer: ParsedContainer {
  let format: FileFormat

  var parsedFile: (format: FileFormat, source: ByteSource?) { (format, nil) }
  var asContainer: FileContainer { .cameraRaw(self) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    throw ImageError(.unsupportedValue, ["field": "format", "value": format.title])
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    guard !format.traits.hasOpaqueHeaders else {
      throw ImageError(.unsupported, "camera raw file whose headers only its decoder reads")
    }
    return try CR3Interpreter(file).contents()
  }

  func summary(of item: UInt32?, in file: ImageFile) throws(ImageError) -> MetadataSummary {
    throw editingError
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    format.traits.hasOpaqueHeaders ? [] : try file.boxNodes
  }
}
