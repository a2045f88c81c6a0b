// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A JPEG XL file: boxes that contain a codestream, or a codestream alone.
///
/// Source: ISO/IEC 18181-2.
package struct JPEGXLFile: Sendable {
  /// One box of the file.
  package struct Box: Sendable {
    /// Type of the box; for a compressed box, type of its content.
    package let type: FourCC
    /// Whether the content is compressed with Brotli: a `brob` box.
    package let isCompressed: Bool
    package internal(set) var content: SourceBytes
    /// Offset of the box in the file.
    package let offset: Int
    /// Number of bytes of the box after the end of the file.
    package var missing = 0
    /// Whether the size of the box is unspecified, so that it extends to the end of the file.
    var extendsToEnd = false
  }

  /// The file that was parsed.
  package var source: ByteSource { origin.source }
  /// Recognizes ranges of the file.
  let origin: SourceBytes.Origin
  let inflatedBoxes = InflatedBoxes()

  /// Boxes in file order; empty for a bare codestream.
  package internal(set) var boxes: [Box]
  /// Parts of the codestream in the file, in order.
  private(set) var storedCodestream: [SourceBytes]
  /// The new header of the codestream; `nil` if it is unchanged.
  var newHeader: NewHeader?
  /// Irregularities that did not prevent parsing.
  package let notices: [Notice]
  /// Notices about truncation; included in `notices`.
  package let damage: [Notice]
  /// Whether the codestream ends before its last frame does, although no box is truncated.
  let isCodestreamTruncated: Bool

  /// Parses the boxes of a file; only content that orders the codestream is read.
  ///
  /// A file may be truncated after the start of its codestream.
  ///
  /// - Throws: `.malformed` if it is not a JPEG XL file or does not contain a codestream,
  ///   `.truncated` if it ends before the codestream, `.limitExceeded` for more boxes than
  ///   `limits.items`.
  package init(parsing source: ByteSource, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    origin = SourceBytes.Origin(source)
    if try source.prefix(2) == JPEGXLImageHeader.signature {
      boxes = []
      storedCodestream = [SourceBytes(origin, 0..<source.count)]
      damage = try Self.truncation(of: storedCodestream)
      notices = damage
      isCodestreamTruncated = !damage.isEmpty
      return
    }
    guard try source.prefix(12) == Self.signature else {
      throw ImageError(.notOfFormat, ["format": "JPEG XL"], at: .init(offset: 0))
    }
    boxes = try Self.boxes(of: origin, limits: limits)
    var assembly = CodestreamAssembly()
    for box in boxes where !box.isCompressed { try assembly.add(box) }
    storedCodestream = try assembly.parts()
    // A box of unspecified size ends with the file, wherever that was truncated.
    let truncation =
      boxes.last?.isCodestream == true && boxes.last?.extendsToEnd == true
      ? try Self.truncation(of: storedCodestream) : []
    isCodestreamTruncated = !truncation.isEmpty
    damage = boxes.filter { $0.missing > 0 }.map(\.truncation) + truncation
    notices = assembly.notices + damage
  }

  /// Returns notices about a codestream that ends before its last frame does.
  private static func truncation(of codestream: [SourceBytes]) throws(ImageError) -> [Notice] {
    let head = try head(of: codestream)
    guard let header = try? JPEGXLImageHeader(parsing: head) else { return [] }
    return try JPEGXLFrames(codestream, header: header).truncation().map { [$0] } ?? []
  }

  /// Offsets of the boxes with the codestream, without repeated ones.
  var usedBoxes: Set<Int> {
    let whole = boxes.first { $0.type == "jxlc" && $0.isCodestream }
    return Set((whole.map { [$0] } ?? boxes.filter(\.isCodestream)).map(\.offset))
  }

  /// Bytes after the last frame of the codestream; empty if its end is unknown.
  ///
  /// - Throws: `.inputOutput`; `.limitExceeded` if the budget does not suffice.
  package func surplus() throws(ImageError) -> [UInt8] {
    var rest = try Self.surplusSize(of: storedCodestream)
    var surplus: [[UInt8]] = []
    for part in storedCodestream.reversed() where rest > 0 {
      let count = min(rest, part.count)
      surplus.append(try part.slice(part.count - count..<part.count).bytes())
      rest -= count
    }
    return Array(surplus.reversed().joined())
  }

  /// Removes the bytes after the last frame of the codestream.
  ///
  /// - Throws: As `surplus`.
  package mutating func removeSurplus() throws(ImageError) {
    let size = try Self.surplusSize(of: storedCodestream)
    var rest = size
    let used = usedBoxes
    for index in boxes.indices.reversed() where rest > 0 && used.contains(boxes[index].offset) {
      let content = boxes[index].content
      let count = min(rest, content.count - (boxes[index].type == "jxlp" ? 4 : 0))
      boxes[index].content = content.slice(0..<content.count - count)
      rest -= count
    }
    rest = size
    storedCodestream = storedCodestream.reversed().compactMap { part in
      let count = min(rest, part.count)
      rest -= count
      return count < part.count ? part.slice(0..<part.count - count) : nil
    }.reversed()
  }

  /// Number of bytes after the last frame of a codestream; 0 if its end is unknown.
  ///
  /// - Throws: As `surplus`.
  static func surplusSize(of codestream: [SourceBytes]) throws(ImageError) -> Int {
    guard let header = try ifReadable(try JPEGXLImageHeader(parsing: try head(of: codestream))),
      let end = try JPEGXLFrames(codestream, header: header).end()
    else { return 0 }
    return codestream.reduce(0) { $0 + $1.count } - end
  }

  /// Whether the file is a bare codestream without boxes.
  package var isBareCodestream: Bool { boxes.isEmpty }

  /// The signature box: type `JXL ` with fixed content.
  static let signature: [UInt8] = [0, 0, 0, 12] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]

  private static func boxes(
    of origin: SourceBytes.Origin, limits: ImageLimits
  ) throws(ImageError) -> [Box] {
    var boxes: [Box] = []
    var hasCodestream = false
    var offset = 0
    let end = origin.source.count
    while offset < end {
      guard boxes.count < limits.items else {
        throw ImageError(
          .tooManyElements, ["limit": limits.items, "elements": "boxes"], at: .init(offset: offset))
      }
      try Execution.current.budget.debit(elements: 1, of: "boxes", at: .init(offset: offset))
      let bytes = try origin.source.bytes(in: offset..<min(offset + BoxHeader.maximumSize, end))
      var reader = ByteReader(bytes.span, fileOffset: offset)
      let header = try BoxHeader(parsing: &reader, available: end - offset, mayBeCut: true)
      guard header.missing == 0 || hasCodestream || Box.codestreamTypes.contains(header.type) else {
        throw ImageError(
          .boxTruncated,
          [
            "size": header.headerSize + header.contentSize + header.missing,
            "available": end - offset,
          ],
          at: .init(path: [header.type.description], offset: offset))
      }
      // The extended type of a `uuid` box is kept as part of its content.
      let extended = header.userType?.count ?? 0
      let start = offset + header.headerSize
      let content = start - extended..<start + header.contentSize
      var box = try box(header.type, SourceBytes(origin, content), at: offset)
      box.missing = header.missing
      box.extendsToEnd = header.sizeForm == .toEnd
      boxes.append(box)
      hasCodestream = hasCodestream || box.isCodestream
      offset = content.upperBound
    }
    return boxes
  }

  private static func box(
    _ type: FourCC, _ content: SourceBytes, at offset: Int
  ) throws(ImageError) -> Box {
    guard type == "brob" else {
      return Box(type: type, isCompressed: false, content: content, offset: offset)
    }
    guard content.count >= 4 else {
      throw ImageError(
        .truncated, "compressed box without a type", at: .init(path: ["brob"], offset: offset))
    }
    let bytes = try content.slice(0..<4).bytes()
    var reader = ByteReader(bytes.span, fileOffset: content.offset)
    return Box(
      type: FourCC(rawValue: try reader.readBigEndian()), isCompressed: true,
      content: content.slice(4..<content.count), offset: offset)
  }
}

extension JPEGXLFile.Box {
  /// Types of the boxes that contain the codestream.
  static let codestreamTypes: [FourCC] = ["jxlc", "jxlp"]

  var isCodestream: Bool { !isCompressed && Self.codestreamTypes.contains(type) }

  /// Notice that the file ends in this box.
  fileprivate var truncation: Notice {
    Notice(
      .jpegxlTruncated, ["missing": missing, "size": content.count + missing, "type": "\(type)"],
      at: .init(path: [type.description], offset: offset))
  }
}

/// Assembles the codestream from the boxes that contain it.
private struct CodestreamAssembly {
  private var whole: SourceBytes?
  private var pieces: [SourceBytes] = []
  private(set) var notices: [Notice] = []

  mutating func add(_ box: JPEGXLFile.Box) throws(ImageError) {
    switch box.type {
    case "jxlc":
      if whole == nil {
        whole = box.content
      } else {
        note(NoticeCode(.irregular, "duplicate codestream ignored"), [:], box)
      }
    case "jxlp":
      guard box.content.count >= 4 else {
        throw ImageError(
          .truncated, "part of the codestream without a number",
          at: .init(path: ["jxlp"], offset: box.offset))
      }
      let bytes = try box.content.slice(0..<4).bytes()
      var reader = ByteReader(bytes.span, fileOffset: box.content.offset)
      // The most significant bit marks the last part.
      let number = try reader.readBigEndian(as: UInt32.self) & 0x7FFF_FFFF
      if number != pieces.count {
        note(
          NoticeCode(.irregular, "part {number} of the codestream in place of {expected}"),
          ["number": number, "expected": pieces.count], box)
      }
      pieces.append(box.content.slice(4..<box.content.count))
    default: break
    }
  }

  func parts() throws(ImageError) -> [SourceBytes] {
    if let whole { return [whole] }
    guard !pieces.isEmpty else { throw ImageError(.missingElement, ["element": "the codestream"]) }
    return pieces
  }

  private mutating func note(
    _ code: NoticeCode, _ parameters: DiagnosticParameters = [:], _ box: JPEGXLFile.Box
  ) {
    notices.append(
      Notice(code, parameters, at: .init(path: [box.type.description], offset: box.offset)))
  }
}

extension JPEGXLFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.jxl, source) }
  var asContainer: FileContainer { .jpegXL(self) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try JPEGXLInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    isBareCodestream ? [StructureNode("codestream", 0..<file.source.count)] : try file.boxNodes
  }
}

/// The contents of a new JPEG XL file.
///
/// Source: ISO/IEC 18181-2, clause 9: the signature, file type and level boxes come first.
package struct NewJPEGXLFile: Sendable {
  /// Level of the codestream: 5, or 10 for one that exceeds the limits of level 5.
  package var level = 5
  /// Exif, starting at the TIFF header.
  package var exif: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
  /// Boxes before the codestream in addition to Exif and XMP.
  package var boxes: [(type: FourCC, content: [UInt8])] = []
  /// Boxes after the codestream.
  package var trailingBoxes: [(type: FourCC, content: [UInt8])] = []
  package var codestream: [UInt8]

  package init(codestream: [UInt8]) { self.codestream = codestream }

  /// Whether boxes are required; the file is a bare codestream otherwise.
  private var needsBoxes: Bool {
    level != 5 || exif != nil || xmp != nil || !boxes.isEmpty || !trailingBoxes.isEmpty
  }

  /// Writes the file.
  ///
  /// - Throws: Errors of the sink.
  package func write(to sink: any ByteSink) throws(ImageError) {
    guard needsBoxes else { return try sink.write(codestream) }
    try sink.write(JPEGXLFile.signature)
    try append("ftyp", JPEGXLFile.fileType, to: sink)
    if level != 5 { try append("jxll", [UInt8(clamping: level)], to: sink) }
    // The offset of the TIFF header precedes it.
    if let exif { try append("Exif", ExifBlock.dataBlock(exif), to: sink) }
    if let xmp { try append("xml ", xmp, to: sink) }
    for box in boxes { try append(box.type, box.content, to: sink) }
    try append("jxlc", codestream, to: sink)
    for box in trailingBoxes { try append(box.type, box.content, to: sink) }
  }

  private func append(
    _ type: FourCC, _ content: [UInt8], to sink: any ByteSink
  ) throws(ImageError) {
    var header = ByteWriter()
    if let size = UInt32(exactly: content.count + 8) {
      header.writeBigEndian(size)
      header.writeBigEndian(type.rawValue)
    } else {
      header.writeBigEndian(UInt32(1))
      header.writeBigEndian(type.rawValue)
      header.writeBigEndian(UInt64(content.count + 16))
    }
    try sink.write(header.bytes)
    try sink.write(content)
  }
}
