internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// A camera profile of a file: its colors, and how a picture should look.
///
/// Source: DNG 1.7.1, chapters 4 and 6.
struct RenderingProfile: Hashable, Sendable {
  let name: String?
  /// Profiles of the same group are one look for displays of different dynamic range.
  let group: String?
  /// `nil` for gray pictures.
  let camera: CameraProfile?
  let lookTable: HueSatMap?
  /// `nil` for the usual one.
  let toneCurve: ToneSpline?
  let gainTableMap: GainTableMap?
  /// The profile's own.
  let rgbTables: RGBTables?
  /// In stops.
  let baselineExposureOffset: Double
  /// Whether nothing is to be subtracted from shadows; `nil` if the profile does not say.
  let keepsBlack: Bool?
  /// Whether light above white is meant to be shown.
  let isHDR: Bool
  /// The largest light of pictures with this profile, 1.0 for white; `nil` if unknown.
  let largestLight: Double?

  /// Reads the profile of a directory: the first of the file, or one for a profile.
  ///
  /// What is wrong with the looks is told and left out; without its colors a profile is nothing.
  ///
  /// - Throws: What is wrong with the colors.
  init(
    _ directory: DNGDirectory, camera main: DNGDirectory, isGray: Bool, _ notices: inout [Notice]
  ) throws(ImageError) {
    if isGray {
      camera = nil
    } else {
      guard let camera = try CameraProfile(directory, camera: main, &notices) else {
        throw directory.error(.rawNoColorMatrix, .colorMatrix[0])
      }
      self.camera = camera
    }
    name = directory.text(.profileName)
    group = directory.text(.profileGroupName).flatMap { $0.isEmpty ? nil : $0 }
    lookTable = notices.recover { () throws(ImageError) in
      try HueSatMap(
        directory, dimensions: .profileLookTableDims, data: .profileLookTableData,
        encoding: .profileLookTableEncoding)
    }
    toneCurve = notices.recover { () throws(ImageError) in try ToneSpline(directory) }
    gainTableMap = notices.recover { () throws(ImageError) in
      try GainTableMap(directory, .profileGainTableMap2)
    }
    baselineExposureOffset = directory.stops(.baselineExposureOffset, &notices)
    keepsBlack = try directory.integer(.defaultBlackRender).map { $0 == 1 }
    var range: DynamicRange?
    if let bytes = try directory.bytes(.profileDynamicRange, atMost: 8) {
      range = try DynamicRange(bytes, directory.file.byteOrder)
    }
    isHDR = range?.isHDR ?? false
    largestLight = range?.largest
    rgbTables = notices.recover { () throws(ImageError) in try RGBTables(directory) }
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
  /// The result of `body`; if it fails, a notice and `nil`.
  mutating func recover<Result>(_ body: () throws(ImageError) -> Result?) -> Result? {
    do throws(ImageError) {
      return try body()
    } catch {
      append(
        Notice(
          error.category == .unsupported ? .rawLookUnsupported : .rawLookUnreadable,
          ["cause": error],
          at: error.location))
      return nil
    }
  }
}

extension DNGDirectory {
  /// A number of stops; 0 if the directory lacks it, and with a notice if its number is unusable.
  func stops(_ tag: TIFFTag, _ notices: inout [Notice]) -> Double {
    notices.recover { () throws(ImageError) in
      let stops = try numbers(tag, atMost: 1)?.first ?? 0
      guard abs(stops) <= 32 else {
        throw error(.invalidValue, tag, ["field": "exposure (stops)", "value": "\(stops)"])
      }
      return stops
    } ?? 0
  }
}
