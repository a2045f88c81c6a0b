// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Unpacks the pixels of a caller's buffers to planes, row by row.
@safe struct PixelUnpacker: @unchecked Sendable {
  private let layout: PixelLayout
  private let buffers: [UnsafeRawBufferPointer]

  /// Prepares to read from `buffers`, one for each plane, which contain all rows of the layout.
  @unsafe init(_ layout: PixelLayout, from buffers: [UnsafeRawBufferPointer]) {
    self.layout = layout
    // SAFETY: the caller keeps the buffers alive for as long as this value is used.
    unsafe self.buffers = buffers
  }

  func unpacked() throws(ImageError) -> ImagePlanes {
    let format = layout.imageLayout
    let rows = 0..<layout.height
    switch format.samples {
    case .float:
      let planes = try SharedPlanes<Float>.makePlanes(format) { (planes) throws(ImageError) in
        try forEachBand(of: rows) { unpack($0, into: planes) }
      }
      return ImagePlanes(layout: format, planes: .float(planes))
    case .integer:
      let planes = try SharedPlanes<UInt16>.makePlanes(format) { (planes) throws(ImageError) in
        try forEachBand(of: rows) { unpack($0, into: planes) }
      }
      return ImagePlanes(layout: format, planes: .integer(planes))
    case .half: preconditionFailure("no layout is stored as half")
    }
  }

  private func unpack(_ band: Range<Int>, into planes: SharedPlanes<Float>) {
    var row = LinearRow(width: layout.width, hasAlpha: true)
    var halves = CodeRow(layout)
    for y in band {
      let pixels = unsafe start(ofRow: y, plane: 0)
      let count = layout.width
      // SAFETY: the buffer holds `count` pixels from here, the rows are `count` long.
      switch layout.packing {
      case .rgbFloat:
        unsafe pk_unpack_rgb_float(pixels, &row.red, &row.green, &row.blue, count)
      case .rgbaFloat:
        unsafe pk_unpack_rgba_float(pixels, &row.red, &row.green, &row.blue, &row.alpha, count)
      case .rgbHalf:
        unsafe pk_unpack_rgb16(pixels, &halves.first, &halves.second, &halves.third, count)
        row.assign(halves: halves)
      default:
        unsafe pk_unpack_rgba16(
          pixels, &halves.first, &halves.second, &halves.third, &halves.alpha, count)
        row.assign(halves: halves)
        row.alpha.assign(halves: halves.alpha)
      }
      planes.withRow(y, of: 0) { row.red.copy(into: &$0) }
      planes.withRow(y, of: 1) { row.green.copy(into: &$0) }
      planes.withRow(y, of: 2) { row.blue.copy(into: &$0) }
      if layout.hasAlpha { planes.withRow(y, of: 3) { row.alpha.copy(into: &$0) } }
    }
  }

  private func unpack(_ band: Range<Int>, into planes: SharedPlanes<UInt16>) {
    var row = CodeRow(layout)
    for y in band {
      unpack(y, into: &row)
      planes.withRow(y, of: 0) { row.first.copy(into: &$0) }
      if layout.packing == .p010 {
        guard y % 2 == 0 else { continue }
        planes.withRow(y / 2, of: 1) { row.second.copy(into: &$0) }
        planes.withRow(y / 2, of: 2) { row.third.copy(into: &$0) }
      } else {
        planes.withRow(y, of: 1) { row.second.copy(into: &$0) }
        planes.withRow(y, of: 2) { row.third.copy(into: &$0) }
        if layout.hasAlpha { planes.withRow(y, of: 3) { row.alpha.copy(into: &$0) } }
      }
    }
  }

  /// Reads row `y`, and the chroma row that starts with it.
  private func unpack(_ y: Int, into row: inout CodeRow) {
    let pixels = unsafe start(ofRow: y, plane: 0)
    let count = layout.width
    // SAFETY: the buffer holds `count` pixels from here, the rows are `count` long.
    switch layout.packing {
    case .rgb8:
      unsafe pk_unpack_rgb8(pixels, &row.first, &row.second, &row.third, count)
    case .rgb16:
      unsafe pk_unpack_rgb16(pixels, &row.first, &row.second, &row.third, count)
    case .rgba8:
      unsafe pk_unpack_rgba8(pixels, &row.first, &row.second, &row.third, &row.alpha, count)
    case .rgba16:
      unsafe pk_unpack_rgba16(pixels, &row.first, &row.second, &row.third, &row.alpha, count)
    case .rgb10a2:
      unsafe pk_unpack_10_10_10_2(pixels, &row.first, &row.second, &row.third, &row.alpha, count)
    case .bgr10a2:
      unsafe pk_unpack_10_10_10_2(pixels, &row.third, &row.second, &row.first, &row.alpha, count)
    case .p010:
      unsafe pk_unpack_high10(pixels, &row.first, count)
      guard y % 2 == 0 else { return }
      // SAFETY: the chroma plane has a pair for each two pixels, as long as the rows.
      unsafe pk_unpack_high10_pairs(
        start(ofRow: y / 2, plane: 1), &row.second, &row.third, row.second.count)
    case .rgbHalf, .rgbFloat, .rgbaHalf, .rgbaFloat:
      preconditionFailure("floating point has no codes")
    }
  }

  private func start(ofRow y: Int, plane: Int) -> UnsafePointer<UInt8> {
    let offset = y * layout.rows[plane].stride
    // SAFETY: all memory may be accessed as bytes; the layout was checked, so the row is inside the
    // buffer.
    return unsafe UnsafeRawBufferPointer(rebasing: buffers[plane][offset...])
      .assumingMemoryBound(to: UInt8.self).baseAddress.unsafelyUnwrapped
  }
}

extension LinearRow {
  fileprivate mutating func assign(halves: CodeRow) {
    red.assign(halves: halves.first)
    green.assign(halves: halves.second)
    blue.assign(halves: halves.third)
  }
}

/// The codes of one row, in the order of planes.
struct CodeRow {
  var first: [UInt16]
  var second: [UInt16]
  var third: [UInt16]
  var alpha: [UInt16]

  init(_ layout: PixelLayout) {
    let isSubsampled = layout.packing == .p010
    first = [UInt16](repeating: 0, count: layout.width)
    second = [UInt16](repeating: 0, count: isSubsampled ? (layout.width + 1) / 2 : layout.width)
    third = second
    // Alpha 1 if the pixels do not have alpha: the largest code at every depth.
    alpha = [UInt16](repeating: .max, count: layout.width)
  }
}
