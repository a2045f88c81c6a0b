#if EXR
internal import HDRCore
internal import ImageContainers

extension EXRCodec {
  /// Writes linear light: halves as they are, floats as halves unless the codes must stay.
  ///
  /// Alpha is associated in the file, whatever it was before. Light of 1.0 is the diffuse white of
  /// the description.
  static func write(
    _ output: PictureOutput, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let format = output.image.format
    guard format.isFloatingPoint, output.cicp.transfer == .linear,
      let primaries = ColorPrimaries(output.cicp.primaries)
    else {
      throw ImageError(
        .invalidArgument, "OpenEXR holds linear light of known primaries, not CICP \(output.cicp)")
    }
    guard output.orientation == .upright else {
      throw ImageError(
        .invalidArgument, "OpenEXR cannot say how a picture is turned",
        remedy: "turn its pixels: --orientation bake")
    }
    let channels = format.components == .gray ? ["Y"] : ["R", "G", "B"]
    let prefix = Array("Exif\0\0".utf8)
    let writer = try EXRWriter.begin(
      width: format.width, height: format.height,
      header: .init(
        channels: channels + (format.hasAlpha ? ["A"] : []),
        isHalf: format.samples == .half || !options.isLossless, primaries: primaries,
        whiteLuminance: output.hdr.diffuseWhite.flatMap { $0 > 0 ? $0 : nil }
          ?? HDRDescription.defaultDiffuseWhite,
        exif: try ExifBlock.consistent(output.exif, with: .upright).map { prefix + $0 },
        xmp: output.xmp, threads: options.threads),
      to: sink)
    // A multiple of the rows that OpenEXR compresses together.
    let stripHeight = 16 * max(options.threads, 4)
    for first in stride(from: 0, to: format.height, by: stripHeight) {
      let rows = first..<min(first + stripHeight, format.height)
      try write(rows, of: output.image, to: writer)
    }
    try writer.finish()
  }

  private static func write(
    _ rows: Range<Int>, of image: StoredImage, to writer: borrowing EXRWriter
  ) throws(ImageError) {
    let isMultiplied = !image.format.hasAlpha || image.format.isAlphaPremultiplied
    switch image.planes {
    case .integer: preconditionFailure("OpenEXR holds light")
    case .half(let planes):
      guard isMultiplied else {
        throw ImageError(.invalidArgument, "halves in OpenEXR have associated alpha")
      }
      try writer.write(rows, of: planes)
    case .float(let planes):
      let samples = associated(rows, of: planes, isMultiplied: isMultiplied)
      try writer.write(samples, rows: rows.count, width: image.format.width)
    }
  }

  /// Rows of each plane, one plane after the other, multiplied by coverage, which is the last.
  private static func associated(
    _ rows: Range<Int>, of planes: [Plane<Float>], isMultiplied: Bool
  ) -> [Float] {
    let coverage = planes[planes.count - 1]
    var samples: [Float] = []
    samples.reserveCapacity(rows.count * coverage.width * planes.count)
    for (index, plane) in planes.enumerated() {
      for y in rows {
        let row = plane.row(y)
        guard !isMultiplied, index < planes.count - 1 else {
          for x in row.indices { samples.append(row[x]) }
          continue
        }
        let alpha = coverage.row(y)
        for x in row.indices { samples.append(row[x] * alpha[x]) }
      }
    }
    return samples
  }
}
#endif
