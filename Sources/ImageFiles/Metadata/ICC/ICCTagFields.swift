// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Fields of the tags of a profile, and what follows them.
extension ICCProfile {
  /// The data of a tag with zeros in place of bytes that are not part of its fields.
  ///
  /// - Parameters:
  ///   - data: The data of a tag; those of other types than below are not changed.
  ///   - keepsTexts: Whether texts in other languages than the one that is shown stay.
  /// - Returns: As many bytes.
  ///
  /// Source: ICC.1:2022, 10; ICC.1:2001-04, 6.5.17 for `desc`; `hagc` as written by Apple.
  static func trimmedTag(_ data: [UInt8], keepsTexts: Bool) -> [UInt8] {
    func number(_ offset: Int) -> Int? {
      guard offset <= data.count - 4 else { return nil }
      return data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard let type = number(0), let first = number(8) else { return data }
    let size: Int?
    switch FourCC(rawValue: UInt32(type)) {
    case "XYZ ": size = 20
    case "sig ": size = 12
    // Little CMS 2.14 to 2.17 wrote the reserved field twice.
    case "cicp": size = first == 0 && data.count == 16 ? 16 : 12
    case "meas", "view": size = 36
    case "curv": size = 12 + 2 * first
    case "para":
      let counts = [1, 3, 4, 5, 7]
      let kind = first >> 16
      size = counts.indices.contains(kind) ? 12 + 4 * counts[kind] : nil
    case "chrm": size = 12 + 8 * (first >> 16)
    case "sf32": size = 44
    case "hagc": size = 12 + first
    case "mft1", "mft2":
      let (inputs, outputs, grid) = (first >> 24, first >> 16 & 255, first >> 8 & 255)
      // No more than there are bytes.
      let cells = (0..<inputs).reduce(outputs) { count, _ in min(count * grid, data.count) }
      if type == 0x6D66_7431 {
        size = 48 + 256 * (inputs + outputs) + cells
      } else {
        size = number(48).map { 52 + 2 * (inputs * ($0 >> 16) + outputs * ($0 & 0xFFFF) + cells) }
      }
    case "text":
      size = data[8...].firstIndex(of: 0).map { $0 + 1 }
    case "desc":
      // The text in Unicode, and that in another script of 67 bytes, follow.
      let rest = number(16 + first).map { 12 + first + 8 + 2 * $0 + 3 + 67 }
      let end = data.dropFirst(12).prefix(first).firstIndex(of: 0).map { $0 + 1 }
      size = keepsTexts ? rest : end ?? 12 + first
    case "mluc": return trimmedTexts(data, number, keepsAll: keepsTexts)
    // `gmap` as written by Apple, in `hdgm`.
    case "mAB ", "mBA ", "mpet", "clro", "clrt", "ncl2", "rcs2", "gmap": return data
    // Of types that profiles do not have, readers know nothing.
    default: size = 8
    }
    guard let size, size <= data.count else { return data }
    return data[..<size] + [UInt8](repeating: 0, count: data.count - size)
  }

  /// Localized texts without bytes outside of them: all, or the English one, else the first.
  private static func trimmedTexts(
    _ data: [UInt8], _ number: (Int) -> Int?, keepsAll: Bool
  ) -> [UInt8] {
    guard let count = number(8), number(12) == 12, count > 0, count <= (data.count - 16) / 12 else {
      return keepsAll ? data : data.prefix(8) + [UInt8](repeating: 0, count: data.count - 8)
    }
    var records = (0..<count).map { 16 + 12 * $0 }
    if !keepsAll {
      let english = records.first { data[$0..<$0 + 2].elementsEqual("en".utf8) }
      records = [english ?? 16]
    }
    var trimmed = [UInt8](repeating: 0, count: data.count)
    trimmed.replaceSubrange(0..<16, with: data[..<16])
    trimmed.replaceSubrange(
      8..<12, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: records.count >> $0) })
    var texts: [Range<Int>] = []
    for (index, record) in records.enumerated() {
      guard let length = number(record + 4), let start = number(record + 8),
        length <= data.count, start <= data.count - length
      else { return data }
      trimmed.replaceSubrange(16 + 12 * index..<28 + 12 * index, with: data[record..<record + 12])
      texts.append(start..<start + length)
    }
    // Records may share texts.
    for range in SortedRanges(joining: texts).ranges {
      trimmed.replaceSubrange(range, with: data[range])
    }
    return trimmed
  }
}

/// The first 128 bytes of a profile.
///
/// Source: ICC.1:2022, 7.2.
package struct ICCHeader: Hashable, Sendable {
  /// Size of the profile in bytes, as stored in the header, which may differ from the number of
  /// bytes.
  package var size: Int
  /// Major version of the specification that the profile follows.
  package var majorVersion: Int
  /// Minor version of the specification that the profile follows.
  package var minorVersion: Int
  /// Device class: `mntr` for displays, `scnr`, `prtr`, `spac`, ….
  package var deviceClass: ICCProfile.Signature
  /// Color space of the samples of an image with this profile.
  package var colorSpace: ICCProfile.Signature
  /// Profile connection space: `XYZ` or `Lab`.
  package var connectionSpace: ICCProfile.Signature
  /// Rendering intent: 0 perceptual, 1 media-relative colorimetric, 2 saturation, 3 ICC-absolute
  /// colorimetric.
  package var renderingIntent: UInt32

  init(parsing reader: inout ByteReader) throws(ImageError) {
    try reader.require(128)
    size = Int(try reader.readBigEndian(as: UInt32.self))
    try reader.skip(4)  // Preferred color management module.
    majorVersion = Int(try reader.readBigEndian(as: UInt8.self))
    minorVersion = Int(try reader.readBigEndian(as: UInt8.self) >> 4)
    try reader.skip(2)
    deviceClass = .init(rawValue: try reader.readBigEndian())
    colorSpace = .init(rawValue: try reader.readBigEndian())
    connectionSpace = .init(rawValue: try reader.readBigEndian())
    try reader.skip(12)  // Date and time.
    let magic = ICCProfile.Signature(rawValue: try reader.readBigEndian())
    guard magic == ICCProfile.Signature("acsp") else {
      throw reader.error(.invalidValue, ["field": "ICC profile signature", "value": "\(magic)"])
    }
    try reader.skip(24)  // Platform, flags, device, attributes.
    renderingIntent = try reader.readBigEndian()
    try reader.skip(60)  // Illuminant, creator, identifier, reserved.
  }
}

extension ICCProfile.Signature: CustomStringConvertible {
  /// Creates a signature of up to four letters, padded with spaces.
  package init(_ letters: StaticString) {
    let bytes = Array("\(letters)".utf8) + [0x20, 0x20, 0x20, 0x20]
    self.init(rawValue: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }

  package var description: String {
    let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
    guard letters.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return "0x" + String(rawValue, radix: 16)
    }
    return String(decoding: letters, as: UTF8.self)
  }

  package static let displayDevice = Self("mntr")

  package static let rgb = Self("RGB")
  package static let gray = Self("GRAY")
  package static let xyz = Self("XYZ")

  package static let profileDescription = Self("desc")
  package static let copyright = Self("cprt")
  package static let mediaWhite = Self("wtpt")
  package static let chromaticAdaptation = Self("chad")
  package static let luminance = Self("lumi")
  package static let cicp = Self("cicp")
  package static let imageState = Self("ciis")
  package static let headroomAdaptation = Self("HAGC")
  package static let redColorant = Self("rXYZ")
  package static let greenColorant = Self("gXYZ")
  package static let blueColorant = Self("bXYZ")
  package static let redCurve = Self("rTRC")
  package static let greenCurve = Self("gTRC")
  package static let blueCurve = Self("bTRC")
  package static let grayCurve = Self("kTRC")
  package static let perceptualTable = Self("A2B0")
  package static let relativeTable = Self("A2B1")
  package static let saturationTable = Self("A2B2")

  static let curve = Self("curv")
  static let parametricCurve = Self("para")
  static let multiStageTable = Self("mAB")
  static let fixedArray = Self("sf32")
  static let multiLocalizedText = Self("mluc")
  static let plainText = Self("text")
  static let textDescription = Self("desc")
  static let headroomAdaptationType = Self("hagc")
  static let signatureType = Self("sig")
  static let sceneColorimetry = Self("scoe")
  static let sceneAppearance = Self("sape")
}
