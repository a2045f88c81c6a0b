// SPDX-License-Identifier: Apache-2.0
/// A simple lossless JPEG encoder, for variants that available encoders do not write.
///
/// Source: ITU-T T.81, annexes B, C and H.
public struct LosslessJPEGEncoder {
  public var width: Int
  public var height: Int
  public var components = 1
  public var precision = 16
  public var predictor = 1
  public var pointTransform = 0
  /// Rows between restart markers; 0 for none.
  public var restartRows = 0
  /// Whether Huffman code lengths increase with each category, up to 16 bits.
  public var hasLongCodes = false
  /// Whether 16 redundant bits follow a difference of 32768.
  public var hasBitsAfter32768 = false

  public init(
    width: Int, height: Int, components: Int = 1, precision: Int = 16, predictor: Int = 1,
    pointTransform: Int = 0, restartRows: Int = 0, hasLongCodes: Bool = false,
    hasBitsAfter32768: Bool = false
  ) {
    self.width = width
    self.height = height
    self.components = components
    self.precision = precision
    self.predictor = predictor
    self.pointTransform = pointTransform
    self.restartRows = restartRows
    self.hasLongCodes = hasLongCodes
    self.hasBitsAfter32768 = hasBitsAfter32768
  }

  /// Number of Huffman codes by length, and their categories in order.
  private var table: (counts: [UInt8], symbols: [UInt8]) {
    guard hasLongCodes else {
      return ([0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], Array(0...16))
    }
    return (Array(repeating: 1, count: 15) + [2], Array((0...16).reversed()))
  }

  public func encode(_ samples: [UInt16]) -> [UInt8] {
    precondition(samples.count == width * height * components)
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC3, 0, UInt8(8 + 3 * components), UInt8(precision)]
    bytes += [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
    bytes.append(UInt8(components))
    for index in 0..<components { bytes += [UInt8(index), 0x11, 0] }
    bytes += [0xFF, 0xC4, 0, UInt8(19 + table.symbols.count), 0] + table.counts + table.symbols
    if restartRows > 0 {
      let interval = restartRows * width
      bytes += [0xFF, 0xDD, 0, 4, UInt8(interval >> 8), UInt8(interval & 255)]
    }
    bytes += [0xFF, 0xDA, 0, UInt8(6 + 2 * components), UInt8(components)]
    for index in 0..<components { bytes += [UInt8(index), 0] }
    bytes += [UInt8(predictor), 0, UInt8(pointTransform)]
    return bytes + entropyCoded(samples.map { Int($0) >> pointTransform }) + [0xFF, 0xD9]
  }

  private func entropyCoded(_ samples: [Int]) -> [UInt8] {
    var codes: [Int: (code: Int, length: Int)] = [:]
    var (code, index) = (0, 0)
    for (length, count) in zip(1..., table.counts) {
      for _ in 0..<count {
        codes[Int(table.symbols[index])] = (code, length)
        (code, index) = (code + 1, index + 1)
      }
      code <<= 1
    }
    var bytes: [UInt8] = []
    var (window, filled) = (0, 0)
    func put(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() {
        window = window << 1 | value >> bit & 1
        filled += 1
        guard filled == 8 else { continue }
        bytes.append(UInt8(window))
        if window == 0xFF { bytes.append(0) }
        (window, filled) = (0, 0)
      }
    }
    let stride = width * components
    for place in samples.indices {
      let (row, column) = (place / stride, place % stride / components)
      if restartRows > 0, row > 0, row % restartRows == 0, place % stride == 0 {
        while filled > 0 { put(1, 1) }
        bytes += [0xFF, UInt8(0xD0 + (row / restartRows - 1) % 8)]
      }
      let isFirst = restartRows > 0 ? row % restartRows == 0 : row == 0
      let left = column > 0 ? samples[place - components] : 0
      let above = row > 0 ? samples[place - stride] : 0
      let corner = row > 0 && column > 0 ? samples[place - stride - components] : 0
      let predicted: Int
      switch (isFirst, column == 0, predictor) {
      case (true, true, _): predicted = 1 << (precision - pointTransform - 1)
      case (true, false, _): predicted = left
      case (false, true, _): predicted = above
      case (_, _, 1): predicted = left
      case (_, _, 2): predicted = above
      case (_, _, 3): predicted = corner
      case (_, _, 4): predicted = left + above - corner
      case (_, _, 5): predicted = left + (above - corner) >> 1
      case (_, _, 6): predicted = above + (left - corner) >> 1
      default: predicted = (left + above) >> 1
      }
      var difference = (samples[place] - predicted) & 0xFFFF
      if difference > 32_768 { difference -= 65_536 }
      var (bits, rest) = (0, abs(difference))
      while rest > 0 { (bits, rest) = (bits + 1, rest >> 1) }
      guard let code = codes[bits] else { preconditionFailure("no code") }
      put(code.code, code.length)
      if bits == 16 {
        if hasBitsAfter32768 { put(0, 16) }
      } else if bits > 0 {
        put(difference > 0 ? difference : difference + (1 << bits) - 1, bits)
      }
    }
    while filled > 0 { put(1, 1) }
    return bytes
  }
}
