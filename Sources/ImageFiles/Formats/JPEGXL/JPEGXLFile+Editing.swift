// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGXLFile {
  /// Serializes the file with its edits; the contents of other boxes are copied.
  ///
  /// - Throws: `.truncated` if the file ends in a box that was not removed, or in the codestream.
  package func spliced() throws(ImageError) -> SplicedBytes {
    if let box = boxes.first(where: { $0.missing > 0 }) {
      throw ImageError(
        .jpegxlBoxTruncated, ["type": "\(box.type)"],
        at: .init(path: [box.type.description], offset: box.offset))
    }
    guard !isCodestreamTruncated else {
      throw ImageError(
        .jpegxlFrameIncomplete, at: damage.last?.location ?? .init(path: ["codestream"]))
    }
    var output = SplicedBytes(source: source)
    func append(_ bytes: SourceBytes) throws(ImageError) {
      if bytes.origin === origin {
        output.append(bytes.range)
      } else {
        output.append(try bytes.bytes())
      }
    }
    if isBareCodestream {
      for part in codestream { try append(part) }
    }
    var header = newHeader
    for box in boxes {
      let content = contents(of: box, replacing: &header)
      output.append(box.header(contentSize: content.reduce(0) { $0 + $1.count }))
      for part in content { try append(part) }
    }
    return output
  }

  /// Replaces all boxes of a type, compressed or not, by one; `nil` removes them.
  ///
  /// A bare codestream is put into boxes if a box is added.
  ///
  /// - Parameters:
  ///   - type: Type of a box that does not order the codestream.
  ///   - content: Content of the box.
  ///   - followsCodestream: Whether a new box follows the codestream.
  package mutating func setBox(
    _ type: FourCC, _ content: [UInt8]?, followsCodestream: Bool = false
  ) {
    let place = boxes.firstIndex { $0.type == type }
    boxes.removeAll { $0.type == type }
    guard let content else { return }
    if boxes.isEmpty { boxes = newBoxes }
    let firstPart = boxes.firstIndex { $0.isCodestream } ?? boxes.count
    let end = followsCodestream ? boxes.count : firstPart
    boxes.insert(Box(type, newContent: content), at: min(place ?? end, boxes.count))
  }

  /// Replaces boxes one by one; those for which `edit` returns `nil` are removed.
  ///
  /// - Throws: Errors of `edit`.
  package mutating func editBoxes(
    _ edit: (Box) throws(ImageError) -> Box?
  ) throws(ImageError) {
    var edited: [Box] = []
    for box in boxes { if let new = try edit(box) { edited.append(new) } }
    boxes = edited
  }

  /// Replaces Exif, from its TIFF header on; `nil` removes it.
  package mutating func setExif(_ exif: [UInt8]?) { setBox("Exif", exif.map(ExifBlock.dataBlock)) }

  /// Replaces the XMP packet; `nil` removes it.
  package mutating func setXMP(_ xmp: [UInt8]?) { setBox("xml ", xmp) }

  /// The boxes of a file that contains only the codestream.
  private var newBoxes: [Box] {
    let signature = Box("JXL ", newContent: Array(Self.signature.dropFirst(8)))
    let fileType = Box("ftyp", newContent: Self.fileType)
    return [signature, fileType] + storedCodestream.map { Box("jxlc", $0) }
  }

  /// Content of the file type box.
  package static let fileType = Array("jxl \0\0\0\0jxl ".utf8)
}

extension JPEGXLFile.Box {
  /// The box with other content, which is not compressed.
  package func replacing(_ content: [UInt8]) -> Self { Self(type, newContent: content) }

  /// A box with new content.
  fileprivate init(_ type: FourCC, newContent: [UInt8]) { self.init(type, SourceBytes(newContent)) }

  /// A new box.
  fileprivate init(_ type: FourCC, _ content: SourceBytes) {
    self.init(type: type, isCompressed: false, content: content, offset: 0)
  }

  /// Size and type; for a compressed box, also the type of its content.
  fileprivate func header(contentSize: Int) -> [UInt8] {
    var writer = ByteWriter()
    let type: FourCC = isCompressed ? "brob" : self.type
    let rest = contentSize + (isCompressed ? 4 : 0)
    if let size = UInt32(exactly: rest + 8) {
      writer.writeBigEndian(size)
      writer.writeBigEndian(type.rawValue)
    } else {
      writer.writeBigEndian(UInt32(1))
      writer.writeBigEndian(type.rawValue)
      writer.writeBigEndian(UInt64(rest + 16))
    }
    if isCompressed { writer.writeBigEndian(self.type.rawValue) }
    return writer.bytes
  }
}

extension JPEGXLFile.Box: Equatable {
  package static func == (a: Self, b: Self) -> Bool {
    a.type == b.type && a.isCompressed == b.isCompressed && a.content == b.content
  }
}
