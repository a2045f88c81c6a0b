// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGXLFile {
  /// A header that replaces the first bytes of the codestream in the file.
  struct NewHeader: Hashable, Sendable {
    var bytes: [UInt8]
    /// Number of bytes that are replaced.
    var replacedCount: Int
  }

  /// Parts of the codestream, in order.
  package var codestream: [SourceBytes] {
    guard let newHeader else { return storedCodestream }
    return [SourceBytes(newHeader.bytes)]
      + Self.parts(storedCodestream, after: newHeader.replacedCount)
  }

  /// The codestream between its header, which can be edited, and the end of its last frame.
  ///
  /// - Throws: Errors that end the whole job.
  package var codedData: [SourceBytes] {
    get throws(ImageError) {
      var rest = try ifReadable(try Self.surplusSize(of: storedCodestream)) ?? 0
      let header = try ifReadable(try imageHeader())
      let parts = Self.parts(codestream, after: header?.byteCount ?? 0)
      return parts.reversed().map { part in
        let count = min(rest, part.count)
        rest -= count
        return part.slice(0..<part.count - count)
      }.reversed()
    }
  }

  /// Changes orientation and color in the header of the codestream.
  ///
  /// Frames and the preview begin at a byte after the header, and do not change.
  ///
  /// - Parameters:
  ///   - orientation: The new orientation.
  ///   - cicp: New code points, which the color encoding can store; `nil` to keep the color.
  /// - Throws: Errors of the header.
  package mutating func setHeader(orientation: Orientation, cicp: CICP? = nil) throws(ImageError) {
    let header = try imageHeader()
    let bytes = try header.serialized(
      replacing: try Self.head(of: codestream), orientation: orientation, cicp: cicp)
    let replaced = newHeader?.replacedCount ?? header.byteCount ?? 0
    newHeader = NewHeader(bytes: bytes, replacedCount: replaced)
  }

  /// Sets the orientation of gain maps; those that cannot be read stay as they are.
  ///
  /// - Throws: Errors that end the whole job.
  package mutating func setGainMapOrientation(_ orientation: Orientation) throws(ImageError) {
    for (index, box) in boxes.enumerated()
    where box.type == JPEGXLGainMapBox.boxType && box.missing == 0 {
      guard let map = try ifReadable(try gainMapBox(box)),
        let content = try ifReadable(try map.serialized(orientation))
      else { continue }
      boxes[index] = Box(
        type: box.type, isCompressed: false, content: SourceBytes(content), offset: box.offset)
    }
  }

  /// Returns the parts of the content of a box to write.
  ///
  /// - Parameters:
  ///   - box: A box.
  ///   - header: The new header that has not been written; `nil` if it has been.
  /// - Returns: The content, with the header if it belongs to the first part of the codestream.
  func contents(of box: Box, replacing header: inout NewHeader?) -> [SourceBytes] {
    guard let new = header, box.isCodestream, box.type == codestreamBoxType else {
      return [box.content]
    }
    // Parts begin with their number.
    let numberSize = box.type == "jxlp" ? min(4, box.content.count) : 0
    let size = box.content.count - numberSize
    let replaced = min(new.replacedCount, size)
    header =
      new.replacedCount == replaced
      ? nil : NewHeader(bytes: [], replacedCount: new.replacedCount - replaced)
    return [
      box.content.slice(0..<numberSize), SourceBytes(new.bytes),
      box.content.slice(numberSize + replaced..<box.content.count),
    ]
  }

  /// Type of the boxes that contain the codestream.
  private var codestreamBoxType: FourCC {
    boxes.contains { $0.type == "jxlc" && $0.isCodestream } ? "jxlc" : "jxlp"
  }

  private static func parts(_ parts: [SourceBytes], after count: Int) -> [SourceBytes] {
    var remaining = count
    return parts.compactMap { part in
      let dropped = min(remaining, part.count)
      remaining -= dropped
      return dropped == part.count ? nil : part.slice(dropped..<part.count)
    }
  }
}

extension JPEGXLGainMapBox {
  /// Serializes the box with an orientation of its image.
  ///
  /// - Returns: The content of the box; `nil` if the image has this orientation.
  /// - Throws: Errors of the header of the image; `.invalidArgument` for an unknown version.
  fileprivate func serialized(_ orientation: Orientation) throws(ImageError) -> [UInt8]? {
    let header = try imageHeader()
    guard version == 0, header.orientation != orientation else { return nil }
    let bytes = try codestream.bytes()
    let new = try header.serialized(replacing: bytes, orientation: orientation, cicp: nil)
    return try Self.serialized(
      metadata: metadata, colorEncoding: colorEncoding,
      compressedProfile: try compressedProfile.bytes(),
      codestream: new + bytes.dropFirst(header.byteCount ?? 0))
  }
}

/// Writes fields of JPEG XL headers, whose least significant bit comes first.
struct JPEGXLBitWriter {
  /// The bytes, padded with zeros.
  private(set) var bytes: [UInt8] = []
  /// Number of bits written.
  private(set) var count = 0

  mutating func write(_ value: UInt32, bits: Int) {
    for bit in 0..<bits {
      if count.isMultiple(of: 8) { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> UInt32(bit) & 1) << UInt8(count % 8)
      count += 1
    }
  }

  mutating func write(_ flag: Bool) { write(flag ? 1 : 0, bits: 1) }

  /// Source: ISO/IEC 18181-1, 9.2.5: Enum.
  mutating func writeEnumeration(_ value: UInt32) {
    switch value {
    case 0, 1: write(value, bits: 2)
    case 2..<18:
      write(2, bits: 2)
      write(value - 2, bits: 4)
    default:
      write(3, bits: 2)
      write(value - 18, bits: 6)
    }
  }

  /// Copies bits of other fields.
  ///
  /// - Precondition: `range` is within the bits of `bytes`.
  mutating func copy(_ range: Range<Int>, of bytes: [UInt8]) {
    for bit in range { write(UInt32(bytes[bit / 8] >> UInt8(bit % 8) & 1), bits: 1) }
  }
}
