#if EXR
internal import CShims
internal import HDRCore
internal import ImageContainers

/// OpenEXR pictures.
enum EXRCodec {
  /// The library that codes samples, with its version.
  static var libraries: [String] {
    // SAFETY: a string that lives as long as the program.
    [unsafe String(cString: exr_library())]
  }

  /// Reads the headers and chooses the part and the channels that are the picture.
  ///
  /// The picture is the display window. Light is as stored; 1.0 is `whiteLuminance` where the file
  /// has one, else the reference white.
  static func open(
    _ source: ByteSource, options: OpeningOptions
  ) throws(ImageError) -> PictureDocument {
    let header = try EXRHeader.read(from: source, limits: options.limits)
    let layout = try EXRLayout(of: header)
    try layout.check(
      limits: options.limits, threads: options.threads, headerEnd: header.end,
      fileSize: source.count)
    let format = StoredFormat(
      width: layout.displayWindow.width, height: layout.displayWindow.height,
      components: layout.components, samples: .float, hasAlpha: layout.hasAlpha,
      isAlphaPremultiplied: layout.hasAlpha)
    var notices = layout.notices
    var color = ColorDescription(primaries: layout.part.chromaticities)
    if let luminance = layout.part.whiteLuminance {
      // Some programs write a 1 without knowing; no white has 1 cd/m².
      if luminance.isFinite, luminance > 1 {
        color.whiteLuminance = luminance
      } else {
        notices.append(
          Notice(
            .irregular, "whiteLuminance is \(luminance) cd/m²; ignored",
            at: .init(path: ["whiteLuminance"])))
      }
    }
    let metadata = FileMetadata(exif: layout.part.exif, xmp: layout.part.xmp)
    notices += metadata.notices
    let resolved = ResolvedColor(color, in: .exr, format: format, assumed: options.assumed)
    let threads = options.threads
    let picture = Picture(format: format, color: color, resolved: resolved) {
      () throws(ImageError) in
      try EXRReader(source, layout: layout, format: format, threads: threads)
    }
    return PictureDocument(
      format: .exr, base: picture, exif: metadata.exif?.bytes, xmp: metadata.xmp?.bytes,
      notices: notices + resolved.notices)
  }

  /// Writes linear light: half by default, float if the codes must stay.
  ///
  /// Alpha is associated in the file, whatever it was before. Light of 1.0 is the diffuse white of
  /// the description.
  static func write(
    _ output: PictureOutput, options: EncoderOptions
  ) throws(ImageError) -> [UInt8] {
    let format = output.image.format
    guard case .float(let planes) = output.image.planes, output.cicp.transfer == .linear,
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
        channels: channels + (format.hasAlpha ? ["A"] : []), isHalf: !options.isLossless,
        primaries: primaries,
        whiteLuminance: output.hdr.diffuseWhite.flatMap { $0 > 0 ? $0 : nil }
          ?? HDRDescription.defaultDiffuseWhite,
        exif: try ExifBlock.consistent(output.exif, with: .upright).map { prefix + $0 },
        xmp: output.xmp, threads: options.threads))
    let multiplies = format.hasAlpha && !format.isAlphaPremultiplied
    let coverage = planes[planes.count - 1]
    let stripHeight = 16 * max(options.threads, 4)
    for first in stride(from: 0, to: format.height, by: stripHeight) {
      let rows = first..<min(first + stripHeight, format.height)
      var samples: [Float] = []
      samples.reserveCapacity(rows.count * format.width * planes.count)
      for (index, plane) in planes.enumerated() {
        for y in rows {
          let row = plane.row(y)
          guard multiplies, index < channels.count else {
            for x in row.indices { samples.append(row[x]) }
            continue
          }
          let alpha = coverage.row(y)
          for x in row.indices { samples.append(row[x] * alpha[x]) }
        }
      }
      try writer.write(samples, rows: rows.count, width: format.width)
    }
    return try writer.finish()
  }
}
#endif
