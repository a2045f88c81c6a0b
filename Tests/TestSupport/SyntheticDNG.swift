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
