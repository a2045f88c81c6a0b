// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The handler of a `meta` box: `pict` for still images.
///
/// Source: ISO/IEC 14496-12, 8.4.3.
package struct HandlerBox: BoxContent {
  package static let boxType: FourCC = "hdlr"

  package var handlerType: FourCC
  /// Bytes after the handler type, verbatim: three reserved words and the name, which some writers
  /// do not terminate.
  package var rest: [UInt8]
  private var header: FullBoxHeader
  private var preDefined: UInt32

  /// The handler of still images.
  package static let images = HandlerBox(handlerType: "pict")

  package init(handlerType: FourCC) {
    self.handlerType = handlerType
    rest = [UInt8](repeating: 0, count: 13)
    header = FullBoxHeader()
    preDefined = 0
  }

  /// The handler without its name.
  package var unnamed: HandlerBox { HandlerBox(handlerType: handlerType) }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    header = try FullBoxHeader(parsing: &reader)
    preDefined = try reader.readBigEndian()
    handlerType = FourCC(rawValue: try reader.readBigEndian())
    rest = reader.readRest()
  }

  package func write(to writer: inout ByteWriter) {
    header.write(to: &writer)
    writer.writeBigEndian(preDefined)
    writer.writeBigEndian(handlerType.rawValue)
    writer.write(rest)
  }
}
