// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// JPEG images of 8 bits: segments by `JPEGFile`, samples by libjpeg.
enum JPEGCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.jpeg

  /// The library that encodes and decodes samples, with its version.
  static var libraries: [String] {
    // SAFETY: the string is a constant of the library.
    [unsafe String(cString: jpeg_library())]
  }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .jpeg(let primary) = image.samples else { throw file.format.missingCodec }
    let layout = try layout(of: primary, limits: file.options.limits)
    let warnings = file.decodingNotices
    return Image(
      coded: layout.format,
      reduced: { factor in
        // A failure is reported by the decoding of the whole image.
        guard let samples = try? JPEGSampleReader(primary.serialized(), reducedBy: factor),
          let layout = try? JPEGLayout(samples.layout, reducedBy: factor)
        else { return nil }
        return Image(coded: layout.format) { () throws(ImageError) in
          try JPEGReader(primary, as: layout, notices: warnings)
        }
      }
    ) { () throws(ImageError) in
      try JPEGReader(primary, as: layout, notices: warnings)
    }
  }

  /// The coding of an image of a file, if it is supported.
  private static func layout(
    of image: JPEGImage, limits: ImageLimits
  ) throws(ImageError) -> JPEGLayout {
    let place = ImageError.Location(
      path: ["frame"],
      offset: image.segments.first { $0.marker == image.frame.marker }?.stored?.lowerBound)
    guard image.frame.height > 0 else {
      throw ImageError(
        .unsupported, "the height is only in a DNL marker after the samples", at: place)
    }
    guard image.frame.precision == 8, processes.contains(image.frame.marker.rawValue) else {
      throw ImageError(
        .unsupported, "{bits bit} in coding process {process} are not supported",
        ["bits": image.frame.precision, "process": image.frame.marker.rawValue - 0xC0], at: place)
    }
    try limits.check(
      width: image.frame.width, height: image.frame.height, in: "frame", at: place.offset)
    let samples = try JPEGSampleReader(image.serialized(), reducedBy: 1)
    let layout: JPEGLayout
    do throws(ImageError) {
      layout = try JPEGLayout(samples.layout, reducedBy: 1)
    } catch {
      throw error.located(in: "frame", at: place.offset)
    }
    guard layout.format.width == image.frame.width, layout.format.height == image.frame.height
    else { throw ImageError(.malformed, "two frames of different size", at: place) }
    try checkData(of: image, layout, at: place)
    guard layout.coefficientMemory <= limits.memory else {
      throw ImageError(.jpegCoefficientLimitExceeded, ["size": layout.coefficientMemory], at: place)
    }
    return layout
  }

  /// Fails if the scans are too short for the image, or too many for its size.
  ///
  /// Huffman coding takes at least one bit for each DC coefficient, and in sequential images another
  /// for the end of each block.
  ///
  /// Source: ITU-T T.81, F.1.2 and G.1.2.
  private static func checkData(
    of image: JPEGImage, _ layout: JPEGLayout, at place: ImageError.Location
  ) throws(ImageError) {
    let (width, height) = (layout.format.width, layout.format.height)
    let process = image.frame.marker.rawValue
    if process < 0xC9 {
      try ImageError.requireCodedData(
        image.codedByteCount, atLeast: layout.blockCount * (process == 0xC2 ? 1 : 2) / 8,
        width: width, height: height, at: place)
    }
    // Cameras and encoders write about ten scans; each passes through all blocks.
    let scans = image.scanCount
    let most = max(64, (1 << 27) / max(layout.blockCount, 1))
    guard scans <= most else {
      throw ImageError(.tooManyElements, ["limit": most, "elements": "scans"], at: place)
    }
    try Execution.current.budget.debit(
      steps: (scans * layout.blockCount) >> 7, for: "scans", at: place)
  }

  static func decodeGainMap(
    _ place: FoundGainMap.Location, in file: ImageFile
  ) throws(ImageError) -> Image {
    guard case .jpeg(let jpeg) = file.container else { throw file.format.missingCodec }
    let images = jpeg.images
    let number: Int? =
      switch place {
      case .image(let index): index
      case .file: 0
      default: nil
      }
    guard let index = number, images.indices.contains(index) else {
      throw ImageError(.gainMapNotInFile, ["place": "\(place)"])
    }
    do throws(ImageError) {
      let layout = try layout(of: images[index], limits: file.options.limits)
      let reader = try JPEGReader(images[index], as: layout, notices: file.decodingNotices)
      let image = try reader.read(rows: 0..<layout.format.height)
      let isYCbCr = if case .ycbcr = layout.format.components { true } else { false }
      return Image(
        data: image, matrix: isYCbCr ? .bt601 : .identity, chromaLocation: .center)
    } catch {
      throw error.inside(JPEGFile.nameOfImage(index))
    }
  }

  /// Baseline, extended and progressive, by Huffman or arithmetic coding.
  ///
  /// Source: ITU-T T.81, table B.1.
  private static let processes: Set<UInt8> = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA]
}
#endif
