// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Conversion of decoded PNG rows to planes.
package struct PNGLayout: Sendable {
  package let format: ImageLayout
  private let header: PNGHeader
  /// Number of insignificant low bits to remove from each sample.
  private let shift: UInt16
  /// Red, green, blue and alpha, by palette index.
  private let palette: [SIMD4<UInt16>]
  /// Samples of the transparent color; `nil` if there is not one.
  private let transparent: [UInt16]?

  /// Size of a decoded row, in bytes.
  package var rowSize: Int { header.width * header.colorType.channels * bytesPerSample }
  private var bytesPerSample: Int { header.bitDepth == 16 ? 2 : 1 }

  /// Fails if the image data are too short for the image.
  ///
  /// - Throws: `.truncated`.
  ///
  /// Source: RFC 1951: deflate encodes at most 258 bytes in 2 bits, 1032 times their size.
  package func requireData(of file: PNGFile) throws(ImageError) {
    let bits = format.width * format.height * header.colorType.channels * header.bitDepth
    let available = file.chunks.reduce(0) { $0 + ($1.type == .imageData ? $1.count : 0) }
    try ImageError.requireCodedData(
      available, atLeast: bits / 8 / 1032, width: format.width, height: format.height,
      at: .init(path: ["IDAT"]))
  }

  package init(of file: PNGFile, notices: inout [Notice]) throws(ImageError) {
    header = file.header
    let transparency = try file.content(PNGTransparency.self, notices: &notices)
    let type = header.colorType
    transparent = transparency?.transparentSamples(for: type)
    var hasAlpha = type == .grayAlpha || type == .rgbAlpha || transparent != nil
    if type == .palette {
      guard let colors = try file.content(PNGPalette.self)?.colors else {
        throw ImageError(.pngPaletteMissing)
      }
      let alpha = transparency?.paletteAlpha ?? []
      hasAlpha = !alpha.isEmpty
      palette = colors.enumerated().map { index, color in
        SIMD4(
          SIMD3<UInt16>(truncatingIfNeeded: color), index < alpha.count ? UInt16(alpha[index]) : 255
        )
      }
    } else {
      palette = []
    }
    let depth = type == .palette ? 8 : header.bitDepth
    let bits = try Self.significantBits(file, hasAlpha: hasAlpha, notices: &notices) ?? depth
    shift = UInt16(depth - bits)
    let isGray = type == .gray || type == .grayAlpha
    format = ImageLayout(
      width: header.width, height: header.height, components: isGray ? .gray : .rgb,
      samples: .integer(bits: bits), hasAlpha: hasAlpha)
  }

  /// The original depth of 16-bit samples, if it is the same for all channels.
  ///
  /// Source: PNG Third Edition, 12.4: shifting right restores the original samples.
  private static func significantBits(
    _ file: PNGFile, hasAlpha: Bool, notices: inout [Notice]
  ) throws(ImageError) -> Int? {
    guard file.header.bitDepth == 16,
      let chunk = try file.content(PNGSignificantBits.self, notices: &notices),
      let bits = chunk.bits.first, 9...15 ~= bits, chunk.bits.allSatisfy({ $0 == bits }),
      chunk.bits.count == file.header.colorType.channels, file.chunk(.transparency) == nil
    else { return nil }
    return Int(bits)
  }

  /// Writes a decoded row, at `start` of `bytes`, into row `y` of the planes; samples of 16 bits are
  /// in network byte order.
  ///
  /// - Returns: A notice if palette indices are out of range; as for libpng, their pixels are black.
  package func unpack(
    _ bytes: [UInt8], from start: Int, into planes: inout [Plane<UInt16>], at y: Int
  ) -> Notice? {
    if header.colorType == .palette {
      return unpackIndices(bytes, from: start, into: &planes, at: y)
    }
    let channels = header.colorType.channels
    for channel in 0..<channels {
      var target = planes[channel].mutableRow(y)
      let first = start + channel * bytesPerSample
      if bytesPerSample == 1 {
        // An isolated decoder may return more bits than the file specifies.
        let mask = UInt16(1 << min(header.bitDepth, 8) - 1)
        bytes.read(from: first, every: channels, mask: mask, into: &target)
      } else {
        bytes.readNetwork16(from: first, every: channels, shift: shift, into: &target)
      }
    }
    if let transparent { addAlpha(where: transparent, to: &planes, at: y) }
    return nil
  }

  private func unpackIndices(
    _ bytes: [UInt8], from start: Int, into planes: inout [Plane<UInt16>], at y: Int
  ) -> Notice? {
    var isInRange = true
    for channel in planes.indices {
      var target = planes[channel].mutableRow(y)
      for x in 0..<header.width {
        let index = Int(bytes[start + x])
        if index < palette.count {
          target[x] = palette[index][channel]
        } else {
          isInRange = false
          target[x] = channel == 3 ? 255 : 0
        }
      }
    }
    return isInRange
      ? nil
      : Notice(
        .irregular, "palette indices are out of range ({count color}); their pixels are black",
        ["count": palette.count], at: .init(path: ["IDAT"]))
  }

  /// Sets alpha to 0 for pixels of the transparent color and to opaque for all others.
  private func addAlpha(where transparent: [UInt16], to planes: inout [Plane<UInt16>], at y: Int) {
    var isTransparent = [Bool](repeating: true, count: header.width)
    for (channel, value) in transparent.enumerated() {
      let plane = planes[channel]
      let row = plane.row(y)
      for x in isTransparent.indices where row[x] != value { isTransparent[x] = false }
    }
    let opaque = UInt16(truncatingIfNeeded: 1 << header.bitDepth - 1)
    var alpha = planes[transparent.count].mutableRow(y)
    for x in isTransparent.indices { alpha[x] = isTransparent[x] ? 0 : opaque }
  }
}
