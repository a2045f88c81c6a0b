public import HDRCore

/// The header of a JPEG XL codestream: size, depth and color of the picture.
///
/// Source: ISO/IEC 18181-1, annexes A to E (SizeHeader, ImageMetadata, ColourEncoding, ToneMapping).
public struct JXLImageHeader: Hashable, Sendable {
  /// How color is said in the codestream.
  public struct Color: Hashable, Sendable {
    /// Whether the color is an ICC profile in the codestream, which is compressed there.
    public var isICC = false
    public var isGray = false
    /// Source: the enumerations follow ITU-T H.273, but for P3, which is 11 there with any white.
    public var primaries: ColorPrimaries?
    public var transfer: TransferFunction?
    /// The numbers of H.273, if the color has such.
    public var cicp: CICP?
  }

  public private(set) var width = 0
  public private(set) var height = 0
  public private(set) var orientation = Orientation.upright
  public private(set) var bitsPerSample = 8
  public private(set) var isFloat = false
  public private(set) var extraChannels = 0
  public private(set) var hasAlpha = false
  /// Whether samples are coded in XYB, not in the color space that is named.
  public private(set) var isXYB = true
  public private(set) var color = Color.srgb
  /// Luminance of the largest sample, cd/m².
  public private(set) var intensityTarget = 255.0
  public private(set) var hasAnimation = false

  /// Parses the start of a codestream; a kilobyte or two suffices.
  ///
  /// - Throws: `.malformed` or `.truncated` if it is no such header.
  public init(parsing bytes: [UInt8]) throws(ImageError) {
    guard bytes.starts(with: [0xFF, 0x0A]) else {
      throw ImageError(.malformed, "not a JPEG XL codestream")
    }
    var reader = JXLBitReader(Array(bytes.dropFirst(2)))
    do throws(ImageError) {
      (width, height) = try Self.size(&reader)
      guard try !reader.readFlag() else { return }  // Everything is as usual.
      let hasExtraFields = try reader.readFlag()
      if hasExtraFields { try readExtraFields(&reader) }
      (bitsPerSample, isFloat) = try Self.bitDepth(&reader)
      try reader.skip(1)  // Whether 16-bit buffers suffice.
      extraChannels = try reader.readU32((0, 0), (1, 0), (2, 4), (1, 12))
      for _ in 0..<extraChannels {
        if try Self.extraChannelIsAlpha(&reader) { hasAlpha = true }
      }
      isXYB = try reader.readFlag()
      color = try Color(parsing: &reader)
      if hasExtraFields, try !reader.readFlag() { intensityTarget = try reader.readF16() }
    } catch {
      throw error.inside("codestream")
    }
  }

  private static func size(
    _ reader: inout JXLBitReader
  ) throws(ImageError) -> (width: Int, height: Int) {
    let isSmall = try reader.readFlag()
    func side() throws(ImageError) -> Int {
      isSmall
        ? 8 * (1 + (try reader.read(5))) : try reader.readU32((1, 9), (1, 13), (1, 18), (1, 30))
    }
    let height = try side()
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let ratio = try reader.read(3)
    guard ratio > 0 else { return (try side(), height) }
    return (height * ratios[ratio - 1].0 / ratios[ratio - 1].1, height)
  }

  private mutating func readExtraFields(_ reader: inout JXLBitReader) throws(ImageError) {
    orientation = Orientation(rawValue: 1 + (try reader.read(3))) ?? .upright
    if try reader.readFlag() { _ = try Self.size(&reader) }  // Intrinsic size.
    if try reader.readFlag() { try Self.skipPreview(&reader) }
    hasAnimation = try reader.readFlag()
    guard hasAnimation else { return }
    _ = try reader.readU32((100, 0), (1000, 0), (1, 10), (1, 30))
    _ = try reader.readU32((1, 0), (1001, 0), (1, 8), (1, 10))
    _ = try reader.readU32((0, 0), (0, 3), (0, 16), (0, 32))
    try reader.skip(1)
  }

  private static func skipPreview(_ reader: inout JXLBitReader) throws(ImageError) {
    let isSmall = try reader.readFlag()
    func skipSide() throws(ImageError) {
      _ =
        isSmall
        ? try reader.readU32((16, 0), (32, 0), (1, 5), (33, 9))
        : try reader.readU32((1, 6), (65, 8), (321, 10), (1345, 12))
    }
    try skipSide()
    if try reader.read(3) == 0 { try skipSide() }
  }

  private static func bitDepth(
    _ reader: inout JXLBitReader
  ) throws(ImageError) -> (bits: Int, isFloat: Bool) {
    if try reader.readFlag() {
      let bits = try reader.readU32((32, 0), (16, 0), (24, 0), (1, 6))
      try reader.skip(4)  // Bits of the exponent.
      return (bits, true)
    }
    return (try reader.readU32((8, 0), (10, 0), (12, 0), (1, 6)), false)
  }

  private static func extraChannelIsAlpha(
    _ reader: inout JXLBitReader
  ) throws(ImageError) -> Bool {
    guard try !reader.readFlag() else { return true }  // Alpha of 8 bits.
    let type = try reader.readEnum()
    _ = try bitDepth(&reader)
    _ = try reader.readU32((0, 0), (3, 0), (4, 0), (1, 3))  // How it is subsampled.
    let nameLength = try reader.readU32((0, 0), (0, 4), (16, 5), (48, 10))
    try reader.skip(8 * nameLength)
    switch type {
    case 0: try reader.skip(1)  // Whether it is associated.
    case 2: try reader.skip(64)  // Color of a spot ink.
    case 5: _ = try reader.readU32((1, 0), (0, 2), (3, 4), (19, 8))  // Index in a color filter array.
    default: break
    }
    return type == 0
  }
}

extension JXLImageHeader.Color {
  static let srgb = JXLImageHeader.Color(
    primaries: .bt709, transfer: .srgb, cicp: CICP(primaries: .bt709, transfer: .srgb))

  fileprivate init(parsing reader: inout JXLBitReader) throws(ImageError) {
    self = .srgb
    guard try !reader.readFlag() else { return }
    isICC = try reader.readFlag()
    let space = try reader.readEnum()
    isGray = space == 1
    guard !isICC else {
      (primaries, transfer, cicp) = (nil, nil, nil)
      return
    }
    // XYB has its own white, primaries and curve.
    guard space != 2 else {
      (primaries, transfer, cicp) = (nil, nil, nil)
      _ = try reader.readEnum()  // Rendering intent.
      return
    }
    let white = try reader.readEnum()
    let customWhite = white == 2 ? try Self.chromaticity(&reader) : nil
    var primariesCode = 1
    var custom: ColorPrimaries?
    if !isGray {
      primariesCode = try reader.readEnum()
      if primariesCode == 2 {
        let red = try Self.chromaticity(&reader)
        let green = try Self.chromaticity(&reader)
        custom = ColorPrimaries(
          red: red, green: green, blue: try Self.chromaticity(&reader),
          white: customWhite ?? .d65)
      }
    }
    try readTransfer(&reader, white: white, primariesCode: primariesCode, custom: custom)
  }

  private mutating func readTransfer(
    _ reader: inout JXLBitReader, white: Int, primariesCode: Int, custom: ColorPrimaries?
  ) throws(ImageError) {
    let codes: [Int: CICP.Primaries] = [
      1: .bt709, 9: .bt2020, 11: white == 11 ? .dciP3 : .displayP3,
    ]
    let code = white == 1 || white == 11 ? codes[primariesCode] : nil
    primaries = custom ?? code.flatMap { ColorPrimaries($0) }
    if try reader.readFlag() {
      let exponent = Double(try reader.read(24)) / 1e7
      guard exponent > 0 else { throw ImageError(.malformed, "a gamma of 0") }
      transfer = .gamma(1 / exponent)
      cicp = nil
    } else {
      let transferCode = CICP.Transfer(rawValue: UInt16(try reader.readEnum()))
      transfer = TransferFunction(transferCode)
      cicp = CICP(primaries: code ?? .unspecified, transfer: transferCode)
    }
    _ = try reader.readEnum()  // Rendering intent.
  }

  private static func chromaticity(
    _ reader: inout JXLBitReader
  ) throws(ImageError) -> Chromaticity {
    func coordinate() throws(ImageError) -> Double {
      let packed = try reader.readU32((0, 19), (524_288, 19), (1_048_576, 20), (2_097_152, 21))
      // Signed numbers are folded: 0, -1, 1, -2, ...
      let value = packed & 1 == 0 ? packed / 2 : -(packed + 1) / 2
      return Double(value) / 1e6
    }
    let x = try coordinate()
    return Chromaticity(x: x, y: try coordinate())
  }
}
