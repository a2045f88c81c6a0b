// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The brands of a file (`ftyp`): specifications that it conforms to.
///
/// Source: ISO/IEC 14496-12, 4.3.
package struct FileTypeBox: BoxContent {
  package static let boxType: FourCC = "ftyp"

  /// Brand of the specification that describes the file best.
  package var majorBrand: FourCC
  /// Version of the major brand, usually 0; in a low-overhead file (`mini`), a second brand.
  package var minorVersion: UInt32
  /// Brands of the specifications that the file conforms to, in file order.
  package var compatibleBrands: [FourCC]

  package init(majorBrand: FourCC, minorVersion: UInt32 = 0, compatibleBrands: [FourCC]) {
    self.majorBrand = majorBrand
    self.minorVersion = minorVersion
    self.compatibleBrands = compatibleBrands
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    majorBrand = FourCC(rawValue: try reader.readBigEndian())
    minorVersion = try reader.readBigEndian()
    compatibleBrands = []
    while !reader.isAtEnd {
      compatibleBrands.append(FourCC(rawValue: try reader.readBigEndian()))
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(majorBrand.rawValue)
    writer.writeBigEndian(minorVersion)
    for brand in compatibleBrands { writer.writeBigEndian(brand.rawValue) }
  }

  /// Returns whether `brand` is the major brand or one of the compatible brands.
  package func contains(_ brand: FourCC) -> Bool {
    majorBrand == brand || compatibleBrands.contains(brand)
  }
}
