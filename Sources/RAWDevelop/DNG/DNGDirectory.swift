// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A directory of a DNG file with its path in the tree and typed access to values.
struct DNGDirectory: Sendable {
  /// From the first directory down: `["IFD0", "SubIFD 1"]`.
  let path: [String]
  let file: TIFFFile
  let entries: TIFFDirectory

  /// The integers of an entry; `nil` if the directory lacks it.
  ///
  /// - Throws: `.malformed` for values of another type, and for more than `count` values.
  func integers(_ tag: TIFFTag, atMost count: Int) throws(ImageError) -> [Int]? {
    guard let entry = try entry(tag, atMost: count) else { return nil }
    do throws(ImageError) {
      return try file.unsigned(entry).map { Int(clamping: $0) }
    } catch {
      throw atPath(error)
    }
  }

  /// The first integer of an entry.
  func integer(_ tag: TIFFTag) throws(ImageError) -> Int? {
    try integers(tag, atMost: 1 << 16)?.first
  }

  /// The finite numbers of an entry; `nil` if the directory lacks it.
  ///
  /// - Throws: `.malformed` for values of another type, and for more than `count` values.
  func numbers(_ tag: TIFFTag, atMost count: Int) throws(ImageError) -> [Double]? {
    guard let entry = try entry(tag, atMost: count) else { return nil }
    let numbers: [Double]
    do throws(ImageError) {
      numbers = try file.numbers(entry)
    } catch {
      throw atPath(error)
    }
    if let value = numbers.first(where: { !$0.isFinite }) {
      // Rationals are the only type with a denominator; 0/0 is NaN.
      let text = value.isNaN ? "0/0" : value > 0 ? "1/0" : "-1/0"
      throw error(.valueNotFinite, tag, ["field": tag.title, "value": text])
    }
    return numbers
  }

  /// The numbers of an optional entry; `nil` if the directory lacks it.
  ///
  /// Undefined numbers, such as 0/0, values of another type and those that are not `valid` give a
  /// notice and `nil`.
  func optionalNumbers(
    _ tag: TIFFTag, atMost count: Int, _ notices: inout [Notice],
    valid: ([Double]) -> Bool = { _ in true }
  ) throws(ImageError) -> [Double]? {
    try notices.recover { () throws(ImageError) in
      guard let numbers = try numbers(tag, atMost: count) else { return nil }
      guard valid(numbers) else {
        throw error(.invalidValue, tag, ["field": tag.title, "value": "\(numbers)"])
      }
      return numbers
    }
  }

  /// The first integer of an optional entry; `nil` with a notice for one that is not readable.
  func optionalInteger(_ tag: TIFFTag, _ notices: inout [Notice]) throws(ImageError) -> Int? {
    try notices.recover { () throws(ImageError) in try integer(tag) }
  }

  /// The bytes of an entry's values; `nil` if the directory lacks it.
  func bytes(_ tag: TIFFTag, atMost count: Int) throws(ImageError) -> [UInt8]? {
    guard let entry = try entry(tag, atMost: count) else { return nil }
    do throws(ImageError) {
      return try file.bytes(of: entry)
    } catch {
      throw atPath(error)
    }
  }

  func text(_ tag: TIFFTag) throws(ImageError) -> String? {
    guard let entry = entries[tag] else { return nil }
    return try file.text(entry)
  }

  /// An error at an entry, or at the directory if the entry is missing.
  func error(
    _ code: ErrorCode, _ tag: TIFFTag, _ parameters: DiagnosticParameters = [:]
  ) -> ImageError {
    ImageError(
      code, parameters,
      at: .init(
        path: path + ["tag \(tag.rawValue)"], offset: entries[tag]?.offset ?? entries.offset))
  }

  /// An error without a code of its own, located like others.
  func error(
    _ category: ImageError.Category, _ text: String, _ tag: TIFFTag,
    _ parameters: DiagnosticParameters = [:]
  ) -> ImageError {
    error(ErrorCode(category, text), tag, parameters)
  }

  /// The error at the location of an entry.
  func located(_ error: ImageError, _ tag: TIFFTag) -> ImageError {
    self.error(error.code, tag, error.parameters)
  }

  private func entry(_ tag: TIFFTag, atMost count: Int) throws(ImageError) -> TIFFEntry? {
    guard let entry = entries[tag] else { return nil }
    guard entry.count > 0, entry.count <= count else {
      throw error(
        .malformed, "{field} has {count value}; 1 to {limit} are possible", tag,
        ["field": tag.title, "count": entry.count, "limit": count])
    }
    return entry
  }

  private func atPath(_ error: ImageError) -> ImageError {
    path.reversed().reduce(error) { $0.inside($1) }
  }
}

/// Numbers of DNG in the byte order of the reader; floating-point numbers are finite.
extension ByteReader {
  /// An integer of 32 bits, or of another number of bytes.
  @_lifetime(self: copy self)
  mutating func readInteger(bytes size: Int = 4) throws(ImageError) -> Int {
    Int(try readUnsigned(bytes: size))
  }

  @_lifetime(self: copy self)
  mutating func readFiniteFloat() throws(ImageError) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: try readUnsigned(bytes: 4)))
    guard value.isFinite else { throw error(.valueNotFinite, ["field": "number", "value": value]) }
    return value
  }

  @_lifetime(self: copy self)
  mutating func readFiniteDouble() throws(ImageError) -> Double {
    let value = Double(bitPattern: try readUnsigned(bytes: 8))
    guard value.isFinite else { throw error(.valueNotFinite, ["field": "number", "value": value]) }
    return value
  }

  @_lifetime(self: copy self)
  mutating func readFiniteDoubles(_ count: Int) throws(ImageError) -> [Double] {
    var values: [Double] = []
    for _ in 0..<count { values.append(try readFiniteDouble()) }
    return values
  }

  /// Finite floats, whose bytes must be available before memory is allocated.
  @_lifetime(self: copy self)
  mutating func readFiniteFloats(_ count: Int) throws(ImageError) -> [Float] {
    let (size, overflow) = count.multipliedReportingOverflow(by: 4)
    guard !overflow, size <= remaining else {
      throw error(
        .malformed, "truncated: {count number} in {available byte}",
        ["count": count, "available": remaining])
    }
    var values: [Float] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try readFiniteFloat()) }
    return values
  }

  /// Two integers of 32 bits as a quotient; infinite or not a number for a denominator of 0.
  @_lifetime(self: copy self)
  mutating func readRational() throws(ImageError) -> Double {
    Double(try readUnsigned(bytes: 4)) / Double(try readUnsigned(bytes: 4))
  }
}

/// Tags of DNG.
///
/// Source: DNG specification 1.7.1.0; TIFF/EP for the color filter array.
extension TIFFTag {
  static let cfaRepeatPatternDim = TIFFTag(rawValue: 33421)
  static let cfaPattern = TIFFTag(rawValue: 33422)
  static let dngBackwardVersion = TIFFTag(rawValue: 50707)
  static let uniqueCameraModel = TIFFTag(rawValue: 50708)
  static let cfaPlaneColor = TIFFTag(rawValue: 50710)
  static let cfaLayout = TIFFTag(rawValue: 50711)
  static let linearizationTable = TIFFTag(rawValue: 50712)
  static let blackLevelRepeatDim = TIFFTag(rawValue: 50713)
  static let blackLevel = TIFFTag(rawValue: 50714)
  static let blackLevelDeltaH = TIFFTag(rawValue: 50715)
  static let blackLevelDeltaV = TIFFTag(rawValue: 50716)
  static let whiteLevel = TIFFTag(rawValue: 50717)
  static let defaultScale = TIFFTag(rawValue: 50718)
  static let defaultCropOrigin = TIFFTag(rawValue: 50719)
  static let defaultCropSize = TIFFTag(rawValue: 50720)
  static let defaultUserCrop = TIFFTag(rawValue: 51125)
  static let activeArea = TIFFTag(rawValue: 50829)
  static let opcodeLists = [51008, 51009, 51022].map { TIFFTag(rawValue: $0) }
  static let subTileBlockSize = TIFFTag(rawValue: 50974)
  static let rowInterleaveFactor = TIFFTag(rawValue: 50975)
  static let columnInterleaveFactor = TIFFTag(rawValue: 52547)
}

/// Tags of camera color.
///
/// Source: DNG specification 1.7.1.0, chapters 4 and 6.
extension TIFFTag {
  static let colorMatrix = [50721, 50722, 52531].map { TIFFTag(rawValue: $0) }
  static let cameraCalibration = [50723, 50724, 52530].map { TIFFTag(rawValue: $0) }
  static let forwardMatrix = [50964, 50965, 52532].map { TIFFTag(rawValue: $0) }
  static let calibrationIlluminant = [50778, 50779, 52529].map { TIFFTag(rawValue: $0) }
  static let illuminantData = [52533, 52534, 52535].map { TIFFTag(rawValue: $0) }
  static let analogBalance = TIFFTag(rawValue: 50727)
  static let asShotNeutral = TIFFTag(rawValue: 50728)
  static let asShotWhiteXY = TIFFTag(rawValue: 50729)
  static let baselineExposure = TIFFTag(rawValue: 50730)
  static let cameraCalibrationSignature = TIFFTag(rawValue: 50931)
  static let profileCalibrationSignature = TIFFTag(rawValue: 50932)
  static let profileName = TIFFTag(rawValue: 50936)
  static let baselineExposureOffset = TIFFTag(rawValue: 51109)
}

/// Tags of camera profiles and rendering.
///
/// Source: DNG specification 1.7.1.0, chapters 4 and 6.
extension TIFFTag {
  static let extraCameraProfiles = TIFFTag(rawValue: 50933)
  static let profileHueSatMapDims = TIFFTag(rawValue: 50937)
  static let profileHueSatMapData = [50938, 50939, 52537].map { TIFFTag(rawValue: $0) }
  static let profileHueSatMapEncoding = TIFFTag(rawValue: 51107)
  static let profileToneCurve = TIFFTag(rawValue: 50940)
  static let profileLookTableDims = TIFFTag(rawValue: 50981)
  static let profileLookTableData = TIFFTag(rawValue: 50982)
  static let profileLookTableEncoding = TIFFTag(rawValue: 51108)
  static let profileGainTableMap = TIFFTag(rawValue: 52525)
  static let profileGainTableMap2 = TIFFTag(rawValue: 52544)
  static let profileDynamicRange = TIFFTag(rawValue: 52551)
  static let profileGroupName = TIFFTag(rawValue: 52552)
  static let rgbTables = TIFFTag(rawValue: 52543)
  static let defaultBlackRender = TIFFTag(rawValue: 51110)
  static let noiseProfile = TIFFTag(rawValue: 51041)
  static let shadowScale = TIFFTag(rawValue: 50739)
  static let baselineNoise = TIFFTag(rawValue: 50731)
  static let baselineSharpness = TIFFTag(rawValue: 50732)
  static let noiseReductionApplied = TIFFTag(rawValue: 50935)
  static let colorimetricReference = TIFFTag(rawValue: 50879)
}
