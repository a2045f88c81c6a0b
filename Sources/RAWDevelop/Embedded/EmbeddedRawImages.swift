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

/// Finds complete JPEG images anywhere in a file: in directories, maker notes and boxes.
///
/// Camera raw formats store their previews in places that differ between models and are mostly not
/// documented; the images themselves are not.
struct JPEGStreamScan {
  private let source: ByteSource
  /// Bytes that may still be read to find the ends of images.
  private var budget: Int

  private init(_ source: ByteSource) {
    self.source = source
    // Images do not overlap, except in damaged files.
    budget = source.count.multipliedReportingOverflow(by: 4).partialValue
  }

  /// The images, largest first.
  ///
  /// Thumbnails inside of previews are not found; lossless JPEG, which codes raw samples, is ignored.
  ///
  /// - Throws: `.inputOutput` if the file cannot be read, `.cancelled`.
  static func previews(in source: ByteSource) throws(ImageError) -> [RawPreview] {
    var scan = JPEGStreamScan(source)
    return try scan.images().sorted { $0.pixelCount > $1.pixelCount }
  }

  private mutating func images() throws(ImageError) -> [RawPreview] {
    var found: [RawPreview] = []
    var position = 0
    while position + 4 <= source.count {
      try Execution.current.checkCancellation()
      let window = try source.bytes(in: position..<min(position + Self.windowSize, source.count))
      var next = window.count - 2
      for start in 0..<max(window.count - 2, 0)
      where window[start] == 0xFF && window[start + 1] == 0xD8 && window[start + 2] == 0xFF {
        guard let image = try image(at: position + start) else { continue }
        found.append(image)
        next = image.bytes.upperBound - position
        break
      }
      position += max(next, 1)
    }
    return found
  }

  private static let windowSize = 1 << 20

  /// The image that begins at an offset; `nil` if it is not a complete one of 8 bits.
  ///
  /// Source: Recommendation ITU-T T.81, annex B.
  private mutating func image(at start: Int) throws(ImageError) -> RawPreview? {
    var position = start + 2
    var size: (width: Int, height: Int)?
    var hasScan = false
    while position + 4 <= source.count {
      let head = try source.bytes(in: position..<min(position + 10, source.count))
      guard head[0] == 0xFF else { return nil }
      switch head[1] {
      case 0xFF:
        position += 1
        continue
      case 0xD9:
        guard let size, hasScan else { return nil }
        return preview(start..<position + 2, size)
      case 0xC0, 0xC1, 0xC2:
        guard size == nil, head.count == 10, head[4] == 8, [1, 3].contains(head[9]) else {
          return nil
        }
        let frame = (
          width: Int(head[7]) << 8 | Int(head[8]), height: Int(head[5]) << 8 | Int(head[6])
        )
        guard frame.width > 0, frame.height > 0 else { return nil }
        size = frame
      case 0xC4, 0xDA...0xDD, 0xE0...0xEF, 0xFE: break
      default: return nil
      }
      let length = Int(head[2]) << 8 | Int(head[3])
      guard length >= 2, position + 2 + length <= source.count else { return nil }
      position += 2 + length
      guard head[1] == 0xDA else { continue }
      guard size != nil, let marker = try nextMarker(from: position) else { return nil }
      hasScan = true
      position = marker
    }
    // The end of image may be the last two bytes.
    guard position + 2 <= source.count, hasScan, let size,
      try source.bytes(in: position..<position + 2) == [0xFF, 0xD9]
    else { return nil }
    return preview(start..<position + 2, size)
  }

  private func preview(_ bytes: Range<Int>, _ size: (width: Int, height: Int)) -> RawPreview {
    RawPreview(width: size.width, height: size.height, isJPEGXL: false, bytes: bytes)
  }

  /// The next marker after coded data that does not restart them; `nil` at the end.
  private mutating func nextMarker(from start: Int) throws(ImageError) -> Int? {
    var position = start
    while position + 2 <= source.count, budget > 0 {
      let window = try source.bytes(in: position..<min(position + (1 << 16), source.count))
      budget -= window.count
      for index in 0..<window.count - 1 where window[index] == 0xFF {
        switch window[index + 1] {
        case 0, 0xD0...0xD7, 0xFF: continue
        default: return position + index
        }
      }
      position += max(window.count - 1, 1)
    }
    return nil
  }
}
