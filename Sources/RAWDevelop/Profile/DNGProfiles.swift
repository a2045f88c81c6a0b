// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// The camera profiles of a file.
struct DNGProfiles: Hashable, Sendable {
  /// The profile of the first directory, then the others in the order of the file.
  let all: [RenderingProfile]
  /// Gain table map of profiles without their own.
  let gainTableMap: GainTableMap?

  private static let maximumProfiles = 64

  /// - Parameters:
  ///   - dng: The file.
  ///   - white: White point as shot; `nil` for gray images.
  ///   - notices: Receives the invalid looks.
  /// - Throws: Errors of the color calibration.
  init(_ dng: DNGFile, white: AsShotWhite?, _ notices: inout [Notice]) throws(ImageError) {
    let (main, isGray) = (dng.main, white == nil)
    var profiles = [
      try RenderingProfile(
        main, camera: main, isGray: isGray,
        fallback: white.map { FallbackMatrix(dng, white: $0) }, &notices)
    ]
    let offsets = try notices.recover { () throws(ImageError) in
      try main.integers(.extraCameraProfiles, atMost: Self.maximumProfiles)
    }
    for (index, offset) in (offsets ?? []).enumerated() {
      let path = main.path + ["profile \(index)"]
      let profile: RenderingProfile? = try notices.recover { () throws(ImageError) in
        let directory = try Self.directory(at: offset, in: dng.structure, path: path)
        var own: [Notice] = []
        return try RenderingProfile(directory, camera: main, isGray: isGray, &own)
      }
      if let profile { profiles.append(profile) }
    }
    all = profiles
    // The first version of the specification placed the tag in the directory of the raw image.
    var shared: GainTableMap?
    for directory in [main, dng.raw.directory] where shared == nil {
      shared = try notices.recover { () throws(ImageError) in
        try GainTableMap(directory, .profileGainTableMap)
      }
    }
    gainTableMap = shared
  }

  /// The directory of a profile, with offsets relative to the profile's header.
  ///
  /// Source: DNG 1.7.1, ExtraCameraProfiles.
  private static func directory(
    at offset: Int, in file: TIFFFile, path: [String]
  ) throws(ImageError) -> DNGDirectory {
    guard offset <= file.source.count - 8 else {
      throw ImageError(
        .truncated, "truncated: the profile begins at {offset byte}; the file has {size byte}",
        ["offset": offset, "size": file.source.count])
    }
    let head = try file.source.bytes(in: offset..<offset + 8)
    guard let order = TIFFFile.ByteOrder(rawValue: String(decoding: head.prefix(2), as: UTF8.self))
    else {
      throw ImageError(
        .invalidValue, ["field": "byte order of the profile", "value": "neither II nor MM"])
    }
    var reader = ByteReader(head.span, fileOffset: offset, byteOrder: order)
    try reader.skip(2)
    guard try reader.readInteger(bytes: 2) == 0x4352 else {
      throw ImageError(.missingElement, ["element": "the number 0x4352 of the profile"])
    }
    let firstDirectory = try reader.readInteger()
    var rest = SplicedBytes(source: file.source)
    rest.append(offset..<file.source.count)
    let structure = try TIFFFile(
      parsing: ByteSource(rest), byteOrder: order, firstDirectoryAt: firstDirectory)
    return DNGDirectory(path: path, file: structure, entries: structure.directories[0])
  }

  /// The profile of a name.
  func named(_ name: String) -> RenderingProfile? { all.first { $0.name == name } }

  /// The profile of the same group for another dynamic range.
  func partner(of profile: RenderingProfile, isHDR: Bool) -> RenderingProfile? {
    guard let group = profile.group else { return nil }
    return all.first { $0.group == group && $0.isHDR == isHDR }
  }

  func gainTableMap(of profile: RenderingProfile) -> GainTableMap? {
    profile.gainTableMap ?? all[0].gainTableMap ?? gainTableMap
  }

  /// Source: DNG 1.7.1, RGBTables: those of the first directory apply to profiles without their
  /// own.
  func rgbTables(of profile: RenderingProfile) -> RGBTables? {
    profile.rgbTables ?? all[0].rgbTables
  }
}
