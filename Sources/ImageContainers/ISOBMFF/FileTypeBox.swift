public import HDRCore

/// The brands of a file: which rules it keeps.
///
/// Source: ISO/IEC 14496-12, 4.3.
public struct FileTypeBox: BoxContent {
  public static let boxType: FourCC = "ftyp"

  public var majorBrand: FourCC
  public var minorVersion: UInt32
  public var compatibleBrands: [FourCC]

  public init(majorBrand: FourCC, minorVersion: UInt32 = 0, compatibleBrands: [FourCC]) {
    self.majorBrand = majorBrand
    self.minorVersion = minorVersion
    self.compatibleBrands = compatibleBrands
  }

  @_lifetime(reader: copy reader)
  public init(parsing reader: inout ByteReader) throws(ImageError) {
    majorBrand = FourCC(rawValue: try reader.readBigEndian())
    minorVersion = try reader.readBigEndian()
    compatibleBrands = []
    while !reader.isAtEnd {
      compatibleBrands.append(FourCC(rawValue: try reader.readBigEndian()))
    }
  }

  public func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(majorBrand.rawValue)
    writer.writeBigEndian(minorVersion)
    for brand in compatibleBrands { writer.writeBigEndian(brand.rawValue) }
  }

  /// Whether the file says that it keeps the rules of `brand`.
  public func contains(_ brand: FourCC) -> Bool {
    majorBrand == brand || compatibleBrands.contains(brand)
  }
}
