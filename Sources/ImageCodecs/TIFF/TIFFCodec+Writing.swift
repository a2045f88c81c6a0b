// SPDX-License-Identifier: Apache-2.0
#if TIFF
internal import HDRCore
internal import ImageFiles

extension TIFFCodec {
  /// Writes RGB or gray of up to 16 bits, with alpha or without, in deflated strips.
  ///
  /// Samples are widened to 8 or 16 bits by repeating their upper bits. The file has the byte order
  /// of its Exif, whose directories become those of the file.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let format = output.image.layout
    let cicp = output.image.color.cicp
    guard case .integer(let planes) = try output.image.planes().planes,
      case .integer(let bits) = format.samples, cicp.matrix == .identity,
      format.components == .rgb || format.components == .gray
    else {
      throw ImageError(
        .invalidArgument, "TIFF stores RGB or gray integers, not {cicp}", ["cicp": "\(cicp)"])
    }
    var exif: ExifBlock? =
      if let bytes = output.exif { try ExifBlock(parsing: bytes) } else { nil }
    if !output.isSRGB { try exif?.markUncalibrated() }
    let order = exif?.structure.byteOrder ?? .littleEndian
    let depth = bits <= 8 ? 8 : 16
    let speed = options.speed

    // Strips of about half a megabyte, independent of the number of threads.
    let rowSize = format.width * planes.count * depth / 8
    let rowsPerStrip = min(max((1 << 19) / rowSize, 1), format.height)
    let stripCount = (format.height - 1) / rowsPerStrip + 1
    try sink.write(order.header(firstDirectoryAt: 0))
    var places: [(offset: Int, count: Int)] = []
    // The number of strips that are encoded at the same time.
    let group = 2 * Execution.current.threads
    for start in stride(from: 0, to: stripCount, by: group) {
      try Execution.current.report(Double(start) / Double(stripCount))
      let strips = try concurrentMap(min(group, stripCount - start)) { (index) throws(ImageError) in
        let first = (start + index) * rowsPerStrip
        let rows = first..<min(first + rowsPerStrip, format.height)
        let samples = TIFFStrip.bytes(
          of: planes, rows: rows, bits: bits, depth: depth, order: order)
        return try Deflater(speed: speed).zlibStream(samples)
      }
      for strip in strips {
        places.append((sink.count, strip.count))
        try sink.write(strip)
      }
    }
    if sink.count % 2 == 1 { try sink.write([0]) }
    var directory =
      try exif.map { block throws(ImageError) in
        try NewTIFFDirectory.description(of: block.structure)
      } ?? NewTIFFDirectory()
    directory.setLayout(format, depth: depth, rowsPerStrip: rowsPerStrip, order: order)
    directory.set(
      .stripOffsets, places.map { UInt32(clamping: $0.offset) }, type: .long, order: order)
    directory.set(
      .stripByteCounts, places.map { UInt32(clamping: $0.count) }, type: .long, order: order)
    directory.set(
      .orientation, [UInt16(output.image.orientation.rawValue)], type: .short, order: order)
    if let icc = output.icc { directory.set(.iccProfile, undefined: icc, type: .undefined) }
    if let xmp = try XMPPacket.consistent(
      output.xmp, withDiffuseWhite: output.image.light.diffuseWhite)
    {
      directory.set(.xmp, undefined: xmp, type: .byte)
    }
    if let resources = output.auxiliaryMetadata.resources {
      directory.set(.photoshop, undefined: resources, type: .byte)
    }
    if let iptc = try output.auxiliaryMetadata.iptc {
      directory.set(.iptc, undefined: iptc, type: .undefined)
    }
    let place = sink.count
    guard place <= UInt32.max else { throw ImageError(.tiffTooLarge) }
    try sink.write(directory.serialized(at: place, order: order))
    guard sink.count <= UInt32.max else { throw ImageError(.tiffTooLarge) }
    try sink.rewrite(order.header(firstDirectoryAt: place), at: 0)
  }
}

extension NewTIFFDirectory {
  /// Source: TIFF 6.0, baseline tags; Adobe Photoshop TIFF notes for Deflate (Compression 8).
  fileprivate mutating func setLayout(
    _ format: ImageLayout, depth: Int, rowsPerStrip: Int, order: TIFFFile.ByteOrder
  ) {
    let channels = format.planeCount
    let isGray = format.components == .gray
    func perChannel(_ value: UInt16) -> [UInt16] { Array(repeating: value, count: channels) }
    set(.imageWidth, [UInt32(clamping: format.width)], type: .long, order: order)
    set(.imageLength, [UInt32(clamping: format.height)], type: .long, order: order)
    set(.bitsPerSample, perChannel(UInt16(clamping: depth)), type: .short, order: order)
    set(.compression, [8 as UInt16], type: .short, order: order)
    set(.photometric, [isGray ? 1 : 2 as UInt16], type: .short, order: order)
    set(.samplesPerPixel, [UInt16(clamping: channels)], type: .short, order: order)
    set(.rowsPerStrip, [UInt32(clamping: rowsPerStrip)], type: .long, order: order)
    set(.planarConfiguration, [1 as UInt16], type: .short, order: order)
    set(.predictor, [2 as UInt16], type: .short, order: order)
    set(.sampleFormat, perChannel(1), type: .short, order: order)
    for tag in [TIFFTag.xResolution, .yResolution] where !contains(tag) {
      set(tag, [72, 1 as UInt32], type: .rational, count: 1, order: order)
    }
    if !contains(.resolutionUnit) {
      set(.resolutionUnit, [2 as UInt16], type: .short, order: order)
    }
    if format.hasAlpha {
      set(
        .extraSamples, [format.isAlphaPremultiplied ? 1 : 2 as UInt16], type: .short, order: order)
    }
  }
}

/// Rows of planes as TIFF stores them: interleaved, with a horizontal predictor.
///
/// Source: TIFF 6.0, section 14.
private enum TIFFStrip {
  static func bytes(
    of planes: [Plane<UInt16>], rows: Range<Int>, bits: Int, depth: Int,
    order: TIFFFile.ByteOrder
  ) -> [UInt8] {
    let (width, channels, size) = (planes[0].width, planes.count, depth / 8)
    var bytes = [UInt8](repeating: 0, count: width * channels * size * rows.count)
    // Offset of the upper byte of a 16-bit sample.
    let upper = order == .bigEndian ? 0 : 1
    for (channel, plane) in planes.enumerated() {
      for y in rows {
        let row = plane.row(y)
        var index = ((y - rows.lowerBound) * width * channels + channel) * size
        var left: UInt16 = 0
        for x in 0..<width {
          let sample = row[x].widened(from: bits, to: depth)
          let difference = sample &- left
          left = sample
          if size == 1 {
            bytes[index] = UInt8(truncatingIfNeeded: difference)
          } else {
            bytes[index + upper] = UInt8(truncatingIfNeeded: difference >> 8)
            bytes[index + 1 - upper] = UInt8(truncatingIfNeeded: difference)
          }
          index += channels * size
        }
      }
    }
    return bytes
  }
}
#endif
