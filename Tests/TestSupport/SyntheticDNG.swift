// SPDX-License-Identifier: Apache-2.0
package import ImageFiles

/// A DNG file for tests: directories with arbitrary tags, and strips or tiles with arbitrary bytes.
public struct SyntheticDNG {
  /// Values of an entry.
  public enum Value {
    case bytes([UInt8])
    case text(String)
    case undefined([UInt8])
    case shorts([Int])
    case longs([Int])
    case rationals([Double])
    case signedRationals([Double])
    case floats([Float])
    case doubles([Double])

    /// Bytes of an undefined value; `nil` for values of other types.
    public var undefinedBytes: [UInt8]? {
      if case .undefined(let bytes) = self { bytes } else { nil }
    }
  }

  public struct Directory {
    public var entries: [UInt16: Value] = [:]
    /// Strips, or tiles if `entries` contains a tile width.
    public var chunks: [[UInt8]] = []
    public var subdirectories: [Directory] = []

    public init() {}
  }

  package var order = TIFFFile.ByteOrder.littleEndian
  public var isBig = false
  public var main = Directory()
  /// Camera profiles in addition to that of the first directory.
  public var profiles: [Directory] = []

  public var bytes: [UInt8] {
    var file = Array(order.rawValue.utf8)
    if isBig {
      file += number(43, 2) + number(8, 2) + number(0, 2) + number(0, 8)
    } else {
      file += number(42, 2) + number(0, 4)
    }
    var main = main
    if !profiles.isEmpty {
      let offsets = profiles.map { profile in
        defer { file += bytes(ofProfile: profile) }
        return file.count
      }
      main.entries[50_933] = .longs(offsets)
    }
    let offset = write(main, to: &file)
    let (place, size) = isBig ? (8, 8) : (4, 4)
    file.replaceSubrange(place..<place + size, with: number(offset, size))
    return file
  }

  /// The file with its strips or tiles at the end, and with these byte counts.
  public func bytesWithSamplesLast(declaring counts: [Int]) -> [UInt8] {
    var file = self
    file.main.chunks = []
    let isTiled = main.entries[322] != nil
    var offsets = main.chunks.map { _ in 0 }
    file.main.entries[isTiled ? 325 : 279] = .longs(counts)
    file.main.entries[isTiled ? 324 : 273] = .longs(offsets)
    var end = file.bytes.count
    for (index, chunk) in main.chunks.enumerated() {
      offsets[index] = end
      end += chunk.count
    }
    file.main.entries[isTiled ? 324 : 273] = .longs(offsets)
    return file.bytes + main.chunks.joined()
  }

  /// Serializes a camera profile as a separate structure, with the magic number of profiles.
  private func bytes(ofProfile profile: Directory) -> [UInt8] {
    let file = SyntheticDNG(order: order, main: profile)
    return Array(order.rawValue.utf8) + number(0x4352, 2) + file.bytes.dropFirst(4)
  }

  public func number(_ value: Int, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return order == .littleEndian ? bytes : bytes.reversed()
  }

  private func write(_ directory: Directory, to file: inout [UInt8]) -> Int {
    var entries = directory.entries
    if !directory.subdirectories.isEmpty {
      let offsets = directory.subdirectories.map { write($0, to: &file) }
      entries[330] = .longs(offsets)
    }
    if !directory.chunks.isEmpty {
      let isTiled = entries[322] != nil
      let offsets = directory.chunks.map { chunk in
        defer { file += chunk }
        return file.count
      }
      entries[isTiled ? 324 : 273] = .longs(offsets)
      // Sizes that were given may be wrong on purpose.
      let sizes: UInt16 = isTiled ? 325 : 279
      entries[sizes] = entries[sizes] ?? .longs(directory.chunks.map(\.count))
    }
    var table = number(entries.count, isBig ? 8 : 2)
    let inline = isBig ? 8 : 4
    for (tag, value) in entries.sorted(by: { $0.key < $1.key }) {
      let (type, count, bytes) = encoded(value)
      table += number(Int(tag), 2) + number(type, 2) + number(count, inline)
      if bytes.count <= inline {
        table += bytes + [UInt8](repeating: 0, count: inline - bytes.count)
      } else {
        table += number(file.count, inline)
        file += bytes
      }
    }
    let offset = file.count
    file += table + [UInt8](repeating: 0, count: inline)
    return offset
  }

  private func encoded(_ value: Value) -> (type: Int, count: Int, bytes: [UInt8]) {
    func fraction(_ value: Double) -> [UInt8] {
      // 0/0 is undefined; some encoders write it.
      if value.isNaN { return number(0, 8) }
      return number(Int((value * 1e6).rounded()), 4) + number(1_000_000, 4)
    }
    switch value {
    case .bytes(let bytes): return (1, bytes.count, bytes)
    case .text(let text): return (2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .undefined(let bytes): return (7, bytes.count, bytes)
    case .shorts(let values): return (3, values.count, values.flatMap { number($0, 2) })
    case .longs(let values): return (4, values.count, values.flatMap { number($0, 4) })
    case .rationals(let values): return (5, values.count, values.flatMap(fraction))
    case .signedRationals(let values): return (10, values.count, values.flatMap(fraction))
    case .floats(let values):
      return (11, values.count, values.flatMap { number(Int($0.bitPattern), 4) })
    case .doubles(let values):
      return (12, values.count, values.flatMap { number(Int(bitPattern: UInt($0.bitPattern)), 8) })
    }
  }
}

extension SyntheticDNG {
  private init(order: TIFFFile.ByteOrder, main: Directory) {
    self.order = order
    self.main = main
  }

  /// Creates a file with one raw image in its first directory, with the required tags.
  package init(
    width: Int, height: Int, planes: Int = 1, bits: Int = 16, version: [UInt8] = [1, 4, 0, 0],
    order: TIFFFile.ByteOrder = .littleEndian
  ) {
    self.order = order
    main.entries = [
      254: .longs([0]), 256: .longs([width]), 257: .longs([height]),
      258: .shorts(Array(repeating: bits, count: planes)), 259: .shorts([1]),
      262: .shorts([planes == 1 ? 32_803 : 34_892]), 277: .shorts([planes]),
      278: .longs([height]), 50_706: .bytes(version), 50_708: .text("Synthetic"),
      // The camera color space is XYZ; the as-shot white is D65.
      50_721: .signedRationals([1, 0, 0, 0, 1, 0, 0, 0, 1]), 50_778: .shorts([21]),
      50_729: .rationals([0.3127, 0.329]),
    ]
    if planes == 1 {
      main.entries[33_421] = .shorts([2, 2])
      main.entries[33_422] = .bytes([0, 1, 1, 2])
    }
  }
}

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
