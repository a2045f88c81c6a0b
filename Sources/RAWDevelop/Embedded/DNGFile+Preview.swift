// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

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
    let grid = try RawChunkGrid(
      directory, width: image.width, height: image.height, planes: 1)
    guard grid.chunks.count == 1 else { return nil }
    return RawPreview(
      width: image.width, height: image.height, isJPEGXL: compression == 52_546,
      bytes: grid.chunks[0].bytes)
  }
}
