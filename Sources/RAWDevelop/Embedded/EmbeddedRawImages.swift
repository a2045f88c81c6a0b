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
      self.file = .dng(try DNGFile(structure, limits: limits, decoded: nil, anyVersion: true))
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
    let upright = coverage.upright(from: try DevelopmentParameters(dng, limits: limits).orientation)
    let layout = ImageLayout(
      width: upright.width, height: upright.height, components: .gray, samples: .integer(bits: 16))
    let output = OutputImage(
      try Image(ImageDescription(layout: layout, color: .data), planes: .integer([upright])),
      signalsCICP: false)
    return try output.encoded(as: .png, options: EncoderOptions())
  }
}

/// A rendered image in a raw file, which can be extracted.
public struct RawPreview: Hashable, Sendable {
  /// Columns as stored.
  public let width: Int
  /// Rows as stored.
  public let height: Int
  /// Whether the preview is JPEG XL instead of JPEG.
  public let isJPEGXL: Bool
  /// Bytes in the file: a complete JPEG or JPEG XL file.
  public let bytes: Range<Int>

  /// The number of pixels.
  var pixelCount: Int { width * height }
}

extension DNGFile {
  /// The previews that are a single JPEG or JPEG XL image, largest first.
  ///
  /// Previews in several strips or tiles, with another encoding, of more than 1 048 575 rows or
  /// columns, or whose bytes are not in the file are ignored.
  ///
  /// - Throws: Errors that end the whole job.
  package var previews: [RawPreview] {
    get throws(ImageError) {
      try images.map { image throws(ImageError) in try ifReadable(try Self.preview(image)) }
        .compactMap(\.self).sorted { $0.pixelCount > $1.pixelCount }
    }
  }

  /// The error of a preview whose bytes are not in the file; `nil` if there is none.
  ///
  /// - Throws: Errors that end the whole job.
  var previewError: ImageError? {
    get throws(ImageError) {
      for image in images {
        do throws(ImageError) {
          _ = try Self.preview(image)
        } catch {
          guard !error.endsJob else { throw error }
          if error.category == .truncated { return error }
        }
      }
      return nil
    }
  }

  /// The compression of images that cannot be developed; `nil` if there are none.
  ///
  /// - Throws: Errors that end the whole job.
  var unsupportedCompression: String? {
    get throws(ImageError) {
      for image in images {
        let compression = try ifReadable(try image.directory.integer(.compression))
        if let compression, RawLayout.Compression(rawValue: compression) == nil {
          return RawLayout.name(ofCompression: compression)
        }
      }
      return nil
    }
  }

  /// Source: DNG 1.7.1, chapter 2, "Preview images"; chapter 3, "Compression".
  private static func preview(_ image: DNGImage) throws(ImageError) -> RawPreview? {
    guard image.role == .reduced || image.role == .alternatePreview, image.photometric == nil,
      image.width < 1 << 20, image.height < 1 << 20
    else { return nil }
    let directory = image.directory
    let compression = try ifReadable(try directory.integer(.compression)) ?? 1
    guard compression == 7 || compression == 52_546 || compression == 34_892 else { return nil }
    let grid = try RawChunkGrid(directory, width: image.width, height: image.height, planes: 1)
    guard grid.chunks.count == 1 else { return nil }
    return RawPreview(
      width: image.width, height: image.height, isJPEGXL: compression == 52_546,
      bytes: grid.chunks[0].bytes)
  }
}
