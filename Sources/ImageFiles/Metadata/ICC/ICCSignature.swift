// SPDX-License-Identifier: Apache-2.0
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
