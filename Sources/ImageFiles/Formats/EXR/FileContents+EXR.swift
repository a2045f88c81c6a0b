// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension DeclaredImage {
  /// Creates the declarations of an OpenEXR image: the display window of the chosen part and
  /// channels.
  ///
  /// Linear values are as stored; 1.0 is `whiteLuminance` if the file specifies it, else reference
  /// white.
  init(_ header: EXRHeader, options: OpeningOptions, fileSize: Int) throws(ImageError) {
    var layout = try EXRLayout(of: header, options.image)
    // Samples with other primaries than the file specifies are not XYZ.
    if options.declared?.primaries != nil { layout.part.chromaticities = nil }
    try layout.check(
      limits: options.limits, chunksAtOnce: 2, headerEnd: header.end, fileSize: fileSize)
    let white = layout.part.declaredReferenceWhite
    self.init(
      .exr(layout),
      layout: ImageLayout(
        width: layout.displayWindow.width, height: layout.displayWindow.height,
        components: layout.components, samples: .float, hasAlpha: layout.hasAlpha,
        isAlphaPremultiplied: layout.hasAlpha),
      color: ColorDescription(
        primaries: layout.part.chromaticities, referenceWhite: white.luminance),
      notices: layout.notices + white.notices)
    let description = try EXRDescription(layout.part)
    metadata = try FileMetadata(exif: description.exif, xmp: layout.part.xmp)
    notCopied = description.notices
  }
}

/// Interprets the headers of OpenEXR files.
struct EXRInterpreter {
  private let container: ImageFile
  private let header: EXRHeader

  init(_ container: ImageFile, _ header: EXRHeader) {
    self.container = container
    self.header = header
  }

  func contents() throws(ImageError) -> FileContents {
    let declared = try container.primaryImage()
    guard case .exr(let layout) = declared.samples else { throw ImageError(.unrecognizedFormat) }
    let all = EXRImages(of: header).all
    var images = [image(declared, layout, named: all.first { $0.number == layout.number })]
    for entry in all where entry.number != layout.number {
      if let image = otherImage(entry) { images.append(image) }
    }
    for (index, part) in header.parts.enumerated() where part.isDeep {
      guard let window = part.dataWindow else { continue }
      images.append(
        FileImage(
          name: "part \(index)", role: .other,
          layout: ImageLayout(
            width: window.width, height: window.height,
            components: part.channels.count < 3 ? .gray : .rgb, samples: .float),
          floatBits: part.channels.first.map { 8 * $0.bytesPerSample },
          coding: coding(part)))
    }
    var contents = FileContents(
      format: .exr, source: container.source, images: images,
      notices: declared.notices + (images[0].color?.notices ?? []))
    try contents.take(FileMetadata(exif: layout.part.exif, xmp: layout.part.xmp))
    return contents
  }

  /// An image that is not read.
  private func otherImage(_ entry: EXRImages.Entry) -> FileImage? {
    let part = header.parts[entry.partIndex]
    guard let window = part.dataWindow else { return nil }
    let isGray = if case .gray = entry.colorModel { true } else { false }
    var image = FileImage(
      name: entry.name, role: .other,
      layout: ImageLayout(
        width: window.width, height: window.height, components: isGray ? .gray : .rgb,
        samples: .float, hasAlpha: entry.hasAlpha, isAlphaPremultiplied: entry.hasAlpha),
      floatBits: bits(of: entry.channels, in: part),
      uprightSize: part.displayWindow.map { ($0.width, $0.height) }, coding: coding(part))
    image.number = entry.number
    return image
  }

  private func bits(of channels: [String], in part: EXRHeader.Part) -> Int? {
    part.channels.first { channels.contains($0.name) }.map { 8 * $0.bytesPerSample }
  }

  private func image(
    _ declared: DeclaredImage, _ layout: EXRLayout, named entry: EXRImages.Entry?
  ) -> FileImage {
    let part = layout.part
    let (data, display) = (layout.dataWindow, layout.displayWindow)
    var format = declared.layout
    (format.width, format.height) = (data.width, data.height)
    let color = ColorInspection(
      declared, in: .exr,
      carriers: [
        .primaries("chromaticities", part.chromaticities),
        part.referenceWhite.map { .init("whiteLuminance", "\($0) cd/m²") },
      ], options: container.options
    ) { _, _ in nil }
    var image = FileImage(
      name: entry?.name ?? "part \(layout.partIndex)", role: .primary, layout: format,
      floatBits: bits(of: layout.channels, in: part),
      uprightSize: (display.width, display.height), coding: coding(part), color: color)
    image.number = layout.number
    return image
  }

  private func coding(_ part: EXRHeader.Part) -> CodecConfiguration {
    CodecConfiguration(
      part.compression.map(EXRStructure.compressionName) ?? "unknown", profile: part.type)
  }
}

extension EXRHeader: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.exr, nil) }
  var asContainer: FileContainer { .exr(self) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, options: file.options, fileSize: file.source.count)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try EXRInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    try EXRStructure.nodes(of: file.source, limits: file.options.limits)
  }
}

/// Descriptive attributes of a header, converted to Exif tags of the same meaning.
///
/// An Exif block in the file takes precedence over attributes. Attributes that Exif does not
/// contain are listed in a notice.
///
/// Source: OpenEXR, "Standard Optional Attributes"; Exif 3.0, 4.6. OpenImageIO maps `owner` and
/// `comments` to the same tags, and stores other tags under their Exif names.
package struct EXRDescription {
  /// Exif from its TIFF header on; `nil` if it would be empty.
  package private(set) var exif: [UInt8]?
  package private(set) var notices: [Notice] = []

  package init(_ part: EXRHeader.Part) throws(ImageError) {
    var dropped: [String] = []
    if let block = part.exif {
      exif = block
      let parsed = try ifReadable(try ExifBlock(parsing: block))
      for name in part.attributes.names {
        let place = ExifTagFormat(ofAttribute: name)
        if let place, try parsed?.holds(place) == true { continue }
        dropped.append(name)
      }
    } else {
      var new = NewExif()
      dropped = part.attributes.names.filter { name in
        guard let place = ExifTagFormat(ofAttribute: name) else { return true }
        return !new.set(place, to: part.attributes[name] ?? .other)
      }
      exif = new.bytes
    }
    guard !dropped.isEmpty else { return }
    notices = [
      Notice(
        .exrAttributesNotCopied,
        ["attributes": dropped.prefix(Self.mostNames).map { String($0.prefix(64)) }],
        at: .init(path: ["header"]))
    ]
  }

  private static let mostNames = 1000
}

extension ExifBlock {
  fileprivate func holds(_ place: ExifTagFormat) throws(ImageError) -> Bool {
    switch place.directory {
    case .main: main[place.tag] != nil
    case .exposure: exposure?[place.tag] != nil
    case .location: try location?[place.tag] != nil
    }
  }

  private var location: TIFFDirectory? {
    get throws(ImageError) {
      guard let entry = main[.gpsDirectory] else { return nil }
      return try structure.firstSubdirectory(entry)
    }
  }
}

/// The headers of an OpenEXR file.
///
/// Source: OpenEXR File Layout, "Header".
package enum EXRStructure {
  /// Returns the parts of a file with their attributes, and the data after them.
  ///
  /// - Throws: `.malformed`, `.truncated` or `.limitExceeded` if the headers cannot be parsed.
  package static func nodes(
    of source: ByteSource, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> [StructureNode] {
    var length = 1 << 16
    while true {
      let bytes = try source.prefix(length)
      do throws(ImageError) {
        var reader = ByteReader(bytes.span)
        return try nodes(&reader, fileSize: source.count, limits: limits)
      } catch {
        guard error.category == .truncated, length < source.count else { throw error }
        length *= 4
      }
    }
  }

  @_lifetime(reader: copy reader)
  private static func nodes(
    _ reader: inout ByteReader, fileSize: Int, limits: ImageLimits
  ) throws(ImageError) -> [StructureNode] {
    guard try reader.readLittleEndian(as: UInt32.self) == 20_000_630 else {
      throw reader.error(.notOfFormat, ["format": "OpenEXR"])
    }
    let version = try reader.readLittleEndian(as: UInt32.self)
    var flags = StructureNode("version", 0..<8, fields: [.init("number", "\(version & 0xFF)")])
    for (bit, name) in [(0x200, "tiled"), (0x800, "deep"), (0x1000, "multi-part")]
    where version & UInt32(bit) != 0 {
      flags.fields.add(name, "yes")
    }
    var nodes = [flags]
    var count = 0
    repeat {
      let start = reader.fileOffset
      var part = StructureNode("part \(nodes.count - 1)")
      while let attribute = try attribute(&reader) {
        count += 1
        guard count <= limits.items else {
          throw reader.error(.tooManyElements, ["limit": limits.items, "elements": "attributes"])
        }
        try Execution.current.budget.debit(
          elements: 1, of: "attributes", at: .init(offset: reader.fileOffset))
        part.children.append(attribute)
      }
      guard !part.children.isEmpty else { break }
      part.range = start..<reader.fileOffset
      nodes.append(part)
    } while version & 0x1000 != 0
    nodes.append(StructureNode("offset tables and chunks", reader.fileOffset..<fileSize))
    return nodes
  }

  @_lifetime(reader: copy reader)
  private static func attribute(_ reader: inout ByteReader) throws(ImageError) -> StructureNode? {
    let start = reader.fileOffset
    let name = try reader.readCString()
    guard !name.isEmpty else { return nil }
    let type = try reader.readCString()
    let size = Int(try reader.readLittleEndian(as: Int32.self))
    var value = try reader.readSlice(size)
    var node = StructureNode(name, start..<reader.fileOffset, fields: [.init("type", type)])
    do throws(ImageError) {
      node.fields.add("value", try text(of: &value, type: type))
    } catch {
      node.fields.addUnreadable(error.message)
    }
    return node
  }

  /// Returns the name of a compression method.
  ///
  /// Source: OpenEXR File Layout, "Compression".
  package static func compressionName(_ number: UInt8) -> String {
    let names = ["none", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"]
    return Int(number) < names.count ? names[Int(number)] : "\(number)"
  }

  @_lifetime(value: copy value)
  private static func text(of value: inout ByteReader, type: String) throws(ImageError) -> String? {
    func floats(_ count: Int) throws(ImageError) -> String {
      var numbers: [String] = []
      for _ in 0..<count {
        numbers.append("\(Float(bitPattern: try value.readLittleEndian(as: UInt32.self)))")
      }
      return numbers.joined(separator: ", ")
    }
    func integers(_ count: Int) throws(ImageError) -> String {
      var numbers: [String] = []
      for _ in 0..<count { numbers.append("\(try value.readLittleEndian(as: Int32.self))") }
      return numbers.joined(separator: ", ")
    }
    switch type {
    case "int": return try integers(1)
    case "v2i": return try integers(2)
    case "box2i": return try integers(4)
    case "float": return try floats(1)
    case "v2f": return try floats(2)
    case "v3f": return try floats(3)
    case "chromaticities": return try floats(8)
    case "string":
      return String(decoding: try value.readBytes(min(value.remaining, 120)), as: UTF8.self)
    case "compression":
      return compressionName(try value.readBigEndian(as: UInt8.self))
    case "lineOrder":
      let names = ["increasing y", "decreasing y", "random y"]
      let number = Int(try value.readBigEndian(as: UInt8.self))
      return number < names.count ? names[number] : "\(number)"
    case "tiledesc":
      let (width, height) = (
        try value.readLittleEndian(as: UInt32.self), try value.readLittleEndian(as: UInt32.self)
      )
      return "\(width)x\(height)"
    case "chlist":
      var channels: [String] = []
      while !value.isAtEnd {
        let name = try value.readCString()
        if name.isEmpty { break }
        let type = try value.readLittleEndian(as: Int32.self)
        try value.skip(12)
        channels.append("\(name) \(["uint", "half", "float"][Int(type & 3) % 3])")
      }
      return StructureNode.list(channels)
    default: return "\(value.remaining) bytes"
    }
  }
}
