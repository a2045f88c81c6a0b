package import HDRCore

/// A reflection.
///
/// Source: ISO/IEC 23008-12:2022, 6.5.12; the first edition's wording was read the other way round
/// by old software.
public struct ImageMirrorBox: BoxContent {
  package static let boxType: FourCC = "imir"

  /// What changes places.
  public enum Exchange: UInt8, Hashable, Sendable {
    case topAndBottom = 0
    case leftAndRight = 1
  }

  /// The sides that are exchanged.
  public var exchange: Exchange

  public init(_ exchange: Exchange) { self.exchange = exchange }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let axis: UInt8 = try reader.readBigEndian()
    exchange = axis & 1 == 0 ? .topAndBottom : .leftAndRight
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(exchange.rawValue) }
}
