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
    while !reader.isAtEnd { compatibleBrands.append(FourCC(rawValue: try reader.readBigEndian())) }
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

extension FileTypeBox {
  /// Returns the brands of a still image coded with HEVC: `mif1`, `heic` or `heix`, and `miaf`.
  ///
  /// `heix` covers all profiles other than Main and Main Still Picture, including 10-bit ones.
  ///
  /// - Parameters:
  ///   - configuration: Configuration of the image, or of each tile.
  ///   - hasGainMap: Whether the file contains a `tmap` item, which adds the brand `tmap`.
  /// - Returns: The file type box.
  ///
  /// Source: ISO/IEC 23008-12, B.4.1; ISO/IEC 23000-22 for `miaf`.
  package static func heic(
    _ configuration: HEVCConfigurationBox, hasGainMap: Bool = false
  ) -> FileTypeBox {
    let profile = configuration.profileTierLevel
    let isMain = profile.isCompatible(with: 1) || profile.isCompatible(with: 3)
    let brand: FourCC = isMain ? "heic" : "heix"
    return FileTypeBox(
      majorBrand: brand, compatibleBrands: ["mif1", brand, "miaf"] + gainMap(hasGainMap))
  }

  /// Returns the brands of a still image coded with AV1: `avif`, `mif1`, `miaf` and its profile.
  ///
  /// - Parameters:
  ///   - configuration: Configuration of the image, or of each tile.
  ///   - hasGainMap: Whether the file contains a `tmap` item, which adds the brand `tmap`.
  /// - Returns: The file type box.
  ///
  /// Source: AV1 Image File Format, 8: `MA1B` for Main profile up to level 5.1, `MA1A` for High
  /// profile up to level 6.0; other images do not have a brand of a profile.
  package static func avif(
    _ configuration: AV1ConfigurationBox, hasGainMap: Bool = false
  ) -> FileTypeBox {
    let profile = av1Profile(configuration.profile, configuration.level).map { [$0] } ?? []
    return FileTypeBox(
      majorBrand: "avif",
      compatibleBrands: ["avif", "mif1", "miaf"] + profile + gainMap(hasGainMap))
  }

  /// Returns the brand that an HEVC image requires and the file does not have; `nil` if it has one.
  ///
  /// An image of a later profile that declares compatibility with a Main profile may have either.
  ///
  /// Source: ISO/IEC 23008-12, B.4.1.
  package func missingBrand(for configuration: HEVCConfigurationBox) -> FourCC? {
    let profile = configuration.profileTierLevel
    let isMain = profile.isCompatible(with: 1) || profile.isCompatible(with: 3)
    let isLater = profile.profileIDC != 1 && profile.profileIDC != 3
    if isMain && contains("heic") || isLater && contains("heix") { return nil }
    return isMain ? "heic" : "heix"
  }

  /// Removes compatible brands that no specification of images, sequences and videos has.
  ///
  /// Source: the list of brands of the MP4 registration authority; AV1 Image File Format, 6 and 8.
  package mutating func removeUnknownBrands() {
    let major = majorBrand
    compatibleBrands.removeAll { $0 != major && !Self.known.contains($0) }
  }

  private static let known: Set<FourCC> = [
    "mif1", "mif2", "mif3", "msf1", "miaf", "MiHB", "MiHA", "MiHE", "MiHM", "MiAB", "MiAn", "MiCm",
    "MiPr", "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "heoi", "avif", "avis",
    "avio", "MA1A", "MA1B", "av01", "avci", "avcs", "jpeg", "jpgs", "j2ki", "j2is", "vvic", "vvis",
    "evbi", "evbs", "evmi", "evms", "unif", "1pic", "pred", "tmap", "geo1", "grid", "mski",
    "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc", "isom",
    "mp41", "mp42", "qt  ", "crx ",
  ]

  /// Replaces an AV1 profile brand by one that all images of the file conform to.
  ///
  /// If such a brand does not exist, the AV1 profile brands are removed.
  ///
  /// - Parameter configurations: Configurations of all AV1 images.
  package mutating func limitPromises(to configurations: [AV1ConfigurationBox]) {
    let promises: [FourCC] = ["MA1B", "MA1A"]
    guard promises.contains(where: contains) else { return }
    let brand = Self.av1Profile(
      configurations.map(\.profile).max() ?? 0, configurations.map(\.level).max() ?? 0)
    let place = compatibleBrands.firstIndex(where: promises.contains) ?? compatibleBrands.count
    compatibleBrands.removeAll { promises.contains($0) }
    if let brand { compatibleBrands.insert(brand, at: place) }
    if promises.contains(majorBrand) { majorBrand = "avif" }
  }

  /// Returns the profile brand for a maximum profile and level; `nil` if none applies.
  private static func av1Profile(_ profile: UInt8, _ level: UInt8) -> FourCC? {
    switch (profile, level) {
    case (0, ...av1Level(5, 1)): "MA1B"
    case (1, ...av1Level(6, 0)): "MA1A"
    default: nil
    }
  }

  private static func gainMap(_ hasGainMap: Bool) -> [FourCC] { hasGainMap ? ["tmap"] : [] }

  /// Returns seq_level_idx of a level.
  ///
  /// Source: AV1 bitstream specification, A.3.
  private static func av1Level(_ major: UInt8, _ minor: UInt8) -> UInt8 { (major - 2) * 4 + minor }
}
