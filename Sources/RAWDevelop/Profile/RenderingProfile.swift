// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A camera profile of a file: color calibration and look.
///
/// Source: DNG 1.7.1, chapters 4 and 6.
struct RenderingProfile: Hashable, Sendable {
  let name: String?
  /// Group of profiles with one look for displays of different dynamic range.
  let group: String?
  /// `nil` for gray images.
  let camera: CameraProfile?
  let lookTable: HueSatMap?
  /// `nil` for the standard curve.
  let toneCurve: ToneSpline?
  let gainTableMap: GainTableMap?
  /// Color tables of the profile itself.
  let rgbTables: RGBTables?
  /// Offset of the baseline exposure in stops.
  let baselineExposureOffset: Double
  /// Whether nothing is subtracted from shadows; `nil` if unspecified.
  let keepsBlack: Bool?
  /// Whether the profile is for values above white.
  let isHDR: Bool
  /// Largest linear value of images with this profile, 1.0 for white; `nil` if unknown.
  let largestLight: Double?

  /// Reads the profile of a directory: the first of the file, or a profile directory.
  ///
  /// Invalid looks are dropped with a notice; color calibration is required.
  ///
  /// - Parameters:
  ///   - directory: Directory of the profile.
  ///   - main: First directory of the file.
  ///   - isGray: Whether the image has no colors.
  ///   - fallback: Used if the directory does not have a matrix.
  ///   - notices: Receives the invalid looks.
  /// - Throws: Errors of the color calibration.
  init(
    _ directory: DNGDirectory, camera main: DNGDirectory, isGray: Bool,
    fallback: FallbackMatrix? = nil, _ notices: inout [Notice]
  ) throws(ImageError) {
    if isGray {
      camera = nil
    } else if let camera = try CameraProfile(directory, camera: main, &notices) {
      self.camera = camera
    } else {
      guard let fallback else {
        let unique = try main.text(.uniqueCameraModel)
        let name = if let unique { unique } else { try main.text(.model) }
        throw directory.error(.rawNoColorMatrix, .colorMatrix[0], ["camera": name ?? "unknown"])
      }
      notices.append(Notice(fallback.notice, at: .init(path: directory.path)))
      camera = CameraProfile(sets: [
        CalibrationSet(
          illuminant: CorrelatedTemperature(.d65), color: fallback.matrix, forward: nil,
          camera: .identity)
      ])
    }
    name = try directory.text(.profileName)
    group = try directory.text(.profileGroupName).flatMap { $0.isEmpty ? nil : $0 }
    lookTable = try notices.recover { () throws(ImageError) in
      try HueSatMap(
        directory, dimensions: .profileLookTableDims, data: .profileLookTableData,
        encoding: .profileLookTableEncoding)
    }
    toneCurve = try notices.recover { () throws(ImageError) in try ToneSpline(directory) }
    gainTableMap = try notices.recover { () throws(ImageError) in
      try GainTableMap(directory, .profileGainTableMap2)
    }
    baselineExposureOffset = try directory.stops(.baselineExposureOffset, &notices)
    keepsBlack = try directory.optionalInteger(.defaultBlackRender, &notices).map { $0 == 1 }
    let range = try notices.recover { () throws(ImageError) -> DynamicRange? in
      guard let bytes = try directory.bytes(.profileDynamicRange, atMost: 8) else { return nil }
      return try DynamicRange(bytes, directory.file.byteOrder)
    }
    isHDR = range?.isHDR ?? false
    largestLight = range?.largest
    rgbTables = try notices.recover { () throws(ImageError) in try RGBTables(directory) }
  }

  /// Source: DNG 1.7.1, ProfileDynamicRange.
  private struct DynamicRange {
    let isHDR: Bool
    let largest: Double?

    /// - Returns: `nil` for an unknown version.
    init?(_ bytes: [UInt8], _ order: TIFFFile.ByteOrder) throws(ImageError) {
      guard bytes.count == 8 else { return nil }
      var reader = ByteReader(bytes.span, byteOrder: order)
      guard try reader.readInteger(bytes: 2) == 1 else { return nil }
      isHDR = try reader.readInteger(bytes: 2) == 1
      let bits = UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: 4))
      let hint = Double(Float(bitPattern: bits))
      largest = hint.isFinite && hint > 0 ? hint : nil
    }
  }
}

extension [Notice] {
  /// The result of `body`; `nil` with a notice if it fails.
  ///
  /// - Throws: Errors that end the whole job.
  mutating func recover<Result>(
    _ body: () throws(ImageError) -> Result?
  ) throws(ImageError) -> Result? {
    do throws(ImageError) {
      return try body()
    } catch {
      guard !error.endsJob else { throw error }
      append(
        Notice(
          error.category == .unsupported ? .rawLookUnsupported : .rawLookUnreadable,
          ["cause": error],
          at: error.location))
      return nil
    }
  }

  /// The result of `body`; `nil` with a notice if it fails because a number is undefined.
  ///
  /// - Throws: Other errors of `body`.
  mutating func recoverUndefined<Result>(
    _ body: () throws(ImageError) -> Result
  ) throws(ImageError) -> Result? {
    do throws(ImageError) {
      return try body()
    } catch {
      guard error.code == .valueNotFinite else { throw error }
      append(Notice(.rawLookUnreadable, ["cause": error], at: error.location))
      return nil
    }
  }
}

extension DNGDirectory {
  /// A number of stops, -32...32; 0 if missing, or with a notice if invalid.
  func stops(_ tag: TIFFTag, _ notices: inout [Notice]) throws(ImageError) -> Double {
    try notices.recover { () throws(ImageError) in
      let stops = try numbers(tag, atMost: 1)?.first ?? 0
      guard abs(stops) <= 32 else {
        throw error(.invalidValue, tag, ["field": "exposure (stops)", "value": "\(stops)"])
      }
      return stops
    } ?? 0
  }
}

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
