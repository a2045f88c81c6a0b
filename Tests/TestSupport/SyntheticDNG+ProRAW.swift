// SPDX-License-Identifier: Apache-2.0
import ImageFiles

extension SyntheticDNG {
  /// Contents of a ProRAW file that differ between files.
  public struct ProRAW {
    public var width: Int
    public var height: Int
    /// Stored samples of 12 bits, interleaved, three components per pixel.
    public var codes: [UInt16]
    /// A complete JPEG file of the size of the image.
    public var preview: [UInt8]
    /// A portrait matte and a skin matte of half that size, as lossy JPEG.
    public var mattes: [[UInt8]]

    public init(
      width: Int, height: Int, codes: [UInt16], preview: [UInt8], mattes: [[UInt8]]
    ) {
      self.width = width
      self.height = height
      self.codes = codes
      self.preview = preview
      self.mattes = mattes
    }

    /// Linearization table from 12 to 16 bits, with increasing steps.
    public static let linearization = (0..<4096).map { code in
      code < 2048 ? 2 * code : 4096 + (code - 2048) * (code - 2048) * 61_439 / (2047 * 2047)
    }

    public static let matteNames = [
      "urn:com:apple:photo:2018:aux:portraiteffectsmatte",
      "urn:com:apple:photo:2019:aux:semanticskinmatte",
    ]
    public static let tileSize = 16
    public static let baselineExposure = 3.47
    public static let analogBalance = [2.3708, 1, 1.9246]
  }

  /// Creates a file with the layout of Apple ProRAW.
  ///
  /// The first directory contains a preview. Its subdirectories contain the raw image, in lossless
  /// JPEG tiles with a ProfileGainTableMap, and the mattes.
  ///
  /// Source: a dump of an iPhone 13 Pro file, in the notes of samuel-song/proraw_parse.
  public init(_ file: ProRAW) {
    self.init(width: file.width, height: file.height, planes: 3, bits: 12, order: .bigEndian)
    var raw = Directory()
    for tag in [256, 257, 258, 262, 277] as [UInt16] { raw.entries[tag] = main.entries[tag] }
    main.entries[254] = .longs([1])
    main.entries[258] = .shorts([8, 8, 8])
    main.entries[259] = .shorts([7])
    main.entries[262] = .shorts([6])
    main.entries[271] = .text("Apple")
    main.entries[274] = .shorts([6])
    main.entries[50_706] = .bytes([1, 6, 0, 0])
    main.entries[50_707] = .bytes([1, 3, 0, 0])
    main.entries[50_722] = .signedRationals([0.9, -0.3, -0.1, -0.4, 1.3, 0.1, 0, 0.2, 0.6])
    main.entries[50_721] = .signedRationals([1.1, -0.4, -0.1, -0.3, 1.2, 0.1, 0.1, 0.2, 0.5])
    main.entries[50_727] = .rationals(ProRAW.analogBalance)
    main.entries[50_728] = .rationals([1, 1, 1])
    main.entries[50_729] = nil
    main.entries[50_730] = .signedRationals([ProRAW.baselineExposure])
    main.entries[50_778] = .shorts([17])
    main.entries[50_779] = .shorts([21])
    main.entries[50_935] = .rationals([0.95])
    main.entries[50_936] = .text("Apple Embedded Color Profile")
    main.entries[50_940] = .floats(
      (0...256).flatMap { point -> [Float] in
        let x = Float(point) / 256
        return [x, x * x]
      })
    main.chunks = [file.preview]
    raw.entries[254] = .longs([0])
    raw.entries[259] = .shorts([7])
    raw.entries[322] = .longs([ProRAW.tileSize])
    raw.entries[323] = .longs([ProRAW.tileSize])
    raw.entries[50_712] = .shorts(ProRAW.linearization)
    raw.entries[50_714] = .shorts([0, 0, 0])
    raw.entries[50_717] = .longs([65_535, 65_535, 65_535])
    raw.entries[51_110] = .longs([1])
    raw.entries[52_525] = .undefined(gainTableMap)
    raw.chunks = Self.tiles(file)
    main.subdirectories =
      [raw] + zip(ProRAW.matteNames, file.mattes).map { Self.matte($0, $1, of: file) }
  }

  /// Lossless JPEG tiles; the last columns and rows are repeated outside the image.
  private static func tiles(_ file: ProRAW) -> [[UInt8]] {
    let side = ProRAW.tileSize
    return stride(from: 0, to: file.height, by: side).flatMap { top in
      stride(from: 0, to: file.width, by: side).map { left in
        let samples = (0..<side * side * 3).map { place in
          let (pixel, component) = (place / 3, place % 3)
          let y = min(top + pixel / side, file.height - 1)
          let x = min(left + pixel % side, file.width - 1)
          return file.codes[(y * file.width + x) * 3 + component]
        }
        return LosslessJPEGEncoder(width: side, height: side, components: 3, precision: 12)
          .encode(samples)
      }
    }
  }

  private static func matte(_ name: String, _ bytes: [UInt8], of file: ProRAW) -> Directory {
    var matte = Directory()
    matte.entries = [
      254: .longs([65_540]), 256: .longs([file.width / 2]), 257: .longs([file.height / 2]),
      258: .shorts([8]), 259: .shorts([34_892]), 262: .shorts([52_527]), 277: .shorts([1]),
      278: .longs([file.height / 2]), 52_526: .text(name),
    ]
    matte.chunks = [bytes]
    return matte
  }

  /// A ProfileGainTableMap of two by three points with four gains each, whose weights cancel the
  /// baseline exposure.
  ///
  /// Source: DNG 1.6, ProfileGainTableMap.
  private var gainTableMap: [UInt8] {
    func float(_ value: Float) -> [UInt8] { number(Int(value.bitPattern), 4) }
    func double(_ value: Double) -> [UInt8] { number(Int(bitPattern: UInt(value.bitPattern)), 8) }
    let weights: [Float] = [0.0192, 0.0646, 0.0065, 0, 0.0903]
    return number(2, 4) + number(3, 4) + double(0.5) + double(1 / 3.0) + double(0.25)
      + double(1 / 6.0) + number(4, 4) + weights.flatMap(float)
      + (0..<24).flatMap { float(1.5 - Float($0 % 4) * 0.3) }
  }
}
