extension ICCProfile.Signature: CustomStringConvertible {
  /// Four letters; blanks at the end may be left out.
  package init(_ letters: StaticString) {
    let bytes = Array("\(letters)".utf8) + [0x20, 0x20, 0x20, 0x20]
    self.init(rawValue: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }

  public var description: String {
    let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
    guard letters.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return "0x" + String(rawValue, radix: 16)
    }
    return String(decoding: letters, as: UTF8.self)
  }

  public static let displayDevice = Self("mntr")

  public static let rgb = Self("RGB")
  public static let gray = Self("GRAY")
  public static let xyz = Self("XYZ")

  public static let profileDescription = Self("desc")
  public static let copyright = Self("cprt")
  public static let mediaWhite = Self("wtpt")
  public static let adaptation = Self("chad")
  public static let luminance = Self("lumi")
  public static let cicp = Self("cicp")
  public static let imageState = Self("ciis")
  public static let headroomAdaptation = Self("HAGC")
  public static let redColorant = Self("rXYZ")
  public static let greenColorant = Self("gXYZ")
  public static let blueColorant = Self("bXYZ")
  public static let redCurve = Self("rTRC")
  public static let greenCurve = Self("gTRC")
  public static let blueCurve = Self("bTRC")
  public static let grayCurve = Self("kTRC")
  public static let perceptualTable = Self("A2B0")
  public static let relativeTable = Self("A2B1")
  public static let saturationTable = Self("A2B2")

  static let curve = Self("curv")
  static let parametricCurve = Self("para")
  static let fixedArray = Self("sf32")
  static let multiLocalizedText = Self("mluc")
  static let plainText = Self("text")
  static let textDescription = Self("desc")
  static let headroomAdaptationType = Self("hagc")
  static let signatureType = Self("sig")
  static let sceneColorimetry = Self("scoe")
  static let sceneAppearance = Self("sape")
}
