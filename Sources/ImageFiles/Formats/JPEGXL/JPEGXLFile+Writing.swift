// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
