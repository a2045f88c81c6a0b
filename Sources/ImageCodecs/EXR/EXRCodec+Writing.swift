// SPDX-License-Identifier: Apache-2.0
#if EXR
internal import HDRCore
internal import ImageFiles

extension EXRCodec {
  /// Writes linear values: half-float samples unchanged, 32-bit float samples as half unless code
  /// values must be preserved.
  ///
  /// Alpha is premultiplied in the file. The luminance of 1.0 is the reference white of the image.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    guard output.image.orientation == .upright else {
      throw ImageError(.exrOrientationNotStorable)
    }
    let header = StreamedImage(output)
    let writer = try begin(header, to: sink, options: options)
    try append(try output.image.planes(), to: writer)
    try writer.finish()
  }

  static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isRotated: Bool
  ) throws(ImageError) -> (any ImageStream)? {
    EXRStream(try begin(header, to: sink, options: options))
  }

  /// Writes the header of a file for an upright image.
  private static func begin(
    _ content: StreamedImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) -> EXRWriter {
    let (format, color) = (content.image.layout, content.image.color)
    let cicp = color.cicp
    guard format.isFloatingPoint, color.transfer == .linear,
      let primaries = ColorPrimaries(cicp.primaries)
    else {
      throw ImageError(
        .invalidArgument, "OpenEXR stores linear values of known primaries, not CICP {cicp}",
        ["cicp": "\(cicp)"])
    }
    let channels = format.components == .gray ? ["Y"] : ["R", "G", "B"]
    let prefix = Array("Exif\0\0".utf8)
    return try EXRWriter(
      width: format.width, height: format.height,
      header: .init(
        channels: channels + (format.hasAlpha ? ["A"] : []),
        isHalf: format.samples == .half || !options.isLossless, primaries: primaries,
        referenceWhite: color.referenceWhite,
        exif: try ExifBlock.consistent(content.exif, with: .upright, isSRGB: false).map {
          prefix + $0
        },
        xmp: content.xmp),
      speed: options.speed, to: sink)
  }

  /// Writes the next rows of an image.
  static func append(
    _ image: ImagePlanes, to writer: EXRWriter
  ) throws(ImageError) {
    let stripHeight = EXRWriter.runHeight * max(Execution.current.threads, 4)
    let height = image.layout.height
    for first in stride(from: 0, to: height, by: stripHeight) {
      try Execution.current.report(Double(first) / Double(height))
      try write(first..<min(first + stripHeight, height), of: image, to: writer)
    }
  }

  private static func write(
    _ rows: Range<Int>, of image: ImagePlanes, to writer: EXRWriter
  ) throws(ImageError) {
    let isMultiplied = !image.layout.hasAlpha || image.layout.isAlphaPremultiplied
    switch image.planes {
    case .integer: preconditionFailure("OpenEXR holds light")
    case .half(let planes):
      guard isMultiplied else {
        throw ImageError(
          .invalidArgument, "OpenEXR requires premultiplied alpha for half-float samples")
      }
      try writer.write(rows, of: planes)
    case .float(let planes):
      let samples = associated(rows, of: planes, isMultiplied: isMultiplied)
      try writer.write(samples, rows: rows.count)
    }
  }

  /// Rows of all planes, plane after plane, premultiplied by alpha, which is the last plane.
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

/// An OpenEXR file that is written row by row, with the metadata that was known at its beginning.
private final class EXRStream: ImageStream {
  private let writer: EXRWriter

  init(_ writer: EXRWriter) { self.writer = writer }

  func append(_ rows: ImagePlanes) throws(ImageError) { try EXRCodec.append(rows, to: writer) }

  func finish(_ header: StreamedImage) throws(ImageError) { try writer.finish() }
}
#endif
