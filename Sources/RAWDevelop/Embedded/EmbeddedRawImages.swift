// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageFiles

/// Previews and mattes of a raw file, extracted without development.
public struct EmbeddedRawImages: Sendable {
  private enum File: Sendable {
    case dng(DNGFile)
    case camera
  }

  private let file: File
  private let source: ByteSource
  private let limits: ImageLimits

  /// Finds the embedded images of a file.
  ///
  /// - Returns: `nil` for a file that is not raw.
  /// - Throws: Errors of the structure of a raw file.
  public init?(_ file: ImageFile) throws(ImageError) {
    (source, limits) = (file.source, file.options.limits)
    if case .tiff(let structure) = file.container, DNGFile.isDNG(structure) {
      self.file = .dng(
        try DNGFile(structure, limits: limits, decoded: nil, anyVersion: true))
      return
    }
    guard try CameraRaw.isRaw(file) else { return nil }
    self.file = .camera
  }

  /// The previews of a file whose raw image cannot be read, largest first.
  ///
  /// - Throws: `.inputOutput` if the file cannot be read, `.cancelled`.
  static func previews(withoutRawImage file: ImageFile) throws(ImageError) -> [RawPreview] {
    if let images = try ifReadable(try EmbeddedRawImages(file)),
      case .dng(let dng) = images.file
    {
      let previews = try dng.previews
      if !previews.isEmpty { return previews }
    }
    return try JPEGStreamScan.previews(in: file.source)
  }

  /// The encoded bytes of the largest preview.
  ///
  /// In files other than DNG, JPEG images are found wherever they are.
  ///
  /// - Returns: The bytes of a JPEG file, or of a JPEG XL file if a DNG file contains one.
  /// - Throws: `.unsuitable` if the file does not contain one that can be extracted, `.truncated`
  ///   if a DNG file ends before it; `.inputOutput`, `.cancelled`, and other errors of LibRaw.
  public func preview() throws(ImageError) -> SplicedBytes {
    var bytes = SplicedBytes(source: source)
    switch file {
    case .dng(let dng):
      guard let preview = try dng.previews.first else {
        if let error = try dng.previewError { throw error }
        throw ImageError(
          .rawNoPreview, try dng.unsupportedCompression.map { ["compression": $0] } ?? [:])
      }
      bytes.append(preview.bytes)
    case .camera:
      if let found = try JPEGStreamScan.previews(in: source).first {
        bytes.append(found.bytes)
      } else {
        bytes.append(try libraryPreview())
      }
    }
    return bytes
  }

  /// A preview that only LibRaw finds.
  private func libraryPreview() throws(ImageError) -> [UInt8] {
    do throws(ImageError) {
      return try CameraRaw.preview(source, limits: limits)
    } catch {
      switch error.category {
      // Files whose previews are missing, or of another encoding.
      case .malformed, .truncated, .unsupported: throw ImageError(.rawNoPreview)
      default: throw error
      }
    }
  }

  /// Short names of the readable mattes of a DNG file, in file order; empty for other files.
  ///
  /// - Throws: Errors of reading.
  public var matteNames: [String] {
    get throws(ImageError) {
      guard case .dng(let dng) = file else { return [] }
      return try dng.mattes(limits: limits).found.map(\.shortName)
    }
  }

  /// A matte as a PNG file, upright.
  ///
  /// - Parameter name: A short name, or the name in the file.
  /// - Returns: The bytes of the file, with 16 bits per sample, for the crop of the developed
  ///   image.
  /// - Throws: `.unsuitable` if the file does not contain the matte, `.missingCodec` if this build
  ///   does not include PNG; errors of the parameters of the file and of the samples.
  public func matte(named name: String) throws(ImageError) -> [UInt8] {
    guard case .dng(let dng) = file,
      let matte = try dng.mattes(limits: limits).found.first(where: { $0.isNamed(name) })
    else {
      throw ImageError(.rawMatteUnknown, ["name": name, "mattes": try matteNames])
    }
    let coverage = try dng.croppedMatte(matte, limits: limits)
    let upright = coverage.upright(
      from: try DevelopmentParameters(dng, limits: limits).orientation)
    let layout = ImageLayout(
      width: upright.width, height: upright.height, components: .gray, samples: .integer(bits: 16))
    let output = OutputImage(
      try Image(ImageDescription(layout: layout, color: .data), planes: .integer([upright])),
      signalsCICP: false)
    return try output.encoded(as: .png, options: EncoderOptions())
  }
}
