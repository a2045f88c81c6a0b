// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Packs planes as pixels of a caller's buffers, row by row.
@safe struct PixelPacker: @unchecked Sendable {
  private let layout: PixelLayout
  private let buffers: [UnsafeMutableRawBufferPointer]

  /// Prepares to write into `buffers`, one for each plane, which contain all rows of the layout.
  @unsafe init(_ layout: PixelLayout, into buffers: [UnsafeMutableRawBufferPointer]) {
    self.layout = layout
    // SAFETY: the caller keeps the buffers alive for as long as this value is used.
    unsafe self.buffers = buffers
  }

  /// Writes an image of the layout's stored format.
  func pack(_ image: ImagePlanes) throws(ImageError) {
    let rows = 0..<layout.height
    switch image.planes {
    case .float(let planes):
      try forEachBand(of: rows) { pack($0, of: planes) }
    case .integer(let planes):
      try forEachBand(of: rows) { pack($0, of: planes) }
    case .half: preconditionFailure("no layout is stored as half")
    }
  }

  private func pack(_ band: Range<Int>, of planes: [Plane<Float>]) {
    var row = LinearRow(width: layout.width, hasAlpha: true)
    var halves = CodeRow(layout)
    for y in band {
      row.red.assign(planes[0], row: y)
      row.green.assign(planes[1], row: y)
      row.blue.assign(planes[2], row: y)
      if layout.hasAlpha { row.alpha.assign(planes[3], row: y) }
      let pixels = unsafe start(ofRow: y, plane: 0)
      let count = layout.width
      // SAFETY: the buffer holds `count` pixels from here, the rows are `count` long.
      switch layout.packing {
      case .rgbFloat: unsafe pk_pack_rgb_float(pixels, row.red, row.green, row.blue, count)
      case .rgbaFloat:
        unsafe pk_pack_rgba_float(pixels, row.red, row.green, row.blue, row.alpha, count)
      case .rgbHalf:
        row.write(to: &halves)
        unsafe pk_pack_rgb16(pixels, halves.first, halves.second, halves.third, count)
      default:
        row.write(to: &halves)
        row.alpha.writeHalves(to: &halves.alpha)
        unsafe pk_pack_rgba16(
          pixels, halves.first, halves.second, halves.third, halves.alpha, count)
      }
    }
  }

  private func pack(_ band: Range<Int>, of planes: [Plane<UInt16>]) {
    var row = CodeRow(layout)
    for y in band {
      row.first.assign(planes[0], row: y)
      if layout.packing != .p010 {
        row.second.assign(planes[1], row: y)
        row.third.assign(planes[2], row: y)
        if layout.hasAlpha { row.alpha.assign(planes[3], row: y) }
      } else if y % 2 == 0 {
        row.second.assign(planes[1], row: y / 2)
        row.third.assign(planes[2], row: y / 2)
      }
      pack(y, of: row)
    }
  }

  /// Writes row `y`, and the chroma row that starts with it.
  private func pack(_ y: Int, of row: CodeRow) {
    let pixels = unsafe start(ofRow: y, plane: 0)
    let count = layout.width
    // SAFETY: the buffer holds `count` pixels from here, the rows are `count` long.
    switch layout.packing {
    case .rgb8: unsafe pk_pack_rgb8(pixels, row.first, row.second, row.third, count)
    case .rgb16: unsafe pk_pack_rgb16(pixels, row.first, row.second, row.third, count)
    case .rgba8:
      unsafe pk_pack_rgba8(pixels, row.first, row.second, row.third, row.alpha, count)
    case .rgba16:
      unsafe pk_pack_rgba16(pixels, row.first, row.second, row.third, row.alpha, count)
    case .rgb10a2:
      unsafe pk_pack_10_10_10_2(pixels, row.first, row.second, row.third, row.alpha, count)
    case .bgr10a2:
      unsafe pk_pack_10_10_10_2(pixels, row.third, row.second, row.first, row.alpha, count)
    case .p010:
      unsafe pk_pack_high10(pixels, row.first, count)
      guard y % 2 == 0 else { return }
      // SAFETY: the chroma plane has a pair for each two pixels, as long as the rows.
      unsafe pk_pack_high10_pairs(
        start(ofRow: y / 2, plane: 1), row.second, row.third, row.second.count)
    case .rgbHalf, .rgbFloat, .rgbaHalf, .rgbaFloat:
      preconditionFailure("floating point has no codes")
    }
  }

  private func start(ofRow y: Int, plane: Int) -> UnsafeMutablePointer<UInt8> {
    let offset = y * layout.rows[plane].stride
    // SAFETY: all memory may be accessed as bytes; the layout was checked, so the row is inside the
    // buffer.
    return unsafe UnsafeMutableRawBufferPointer(rebasing: buffers[plane][offset...])
      .assumingMemoryBound(to: UInt8.self).baseAddress.unsafelyUnwrapped
  }
}

extension LinearRow {
  fileprivate func write(to halves: inout CodeRow) {
    red.writeHalves(to: &halves.first)
    green.writeHalves(to: &halves.second)
    blue.writeHalves(to: &halves.third)
  }
}
