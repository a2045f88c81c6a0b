// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension DNGFile {
  /// The previews that are a single JPEG or JPEG XL image, largest first.
  ///
  /// Previews in several strips or tiles, with another encoding, of more than 1 048 575 rows or
  /// columns, or whose bytes are not in the file are ignored.
  package var previews: [RawPreview] {
    images.compactMap { try? Self.preview($0) }.sorted { $0.pixelCount > $1.pixelCount }
  }

  /// The error of a preview whose bytes are not in the file; `nil` if there is none.
  var previewError: ImageError? {
    for image in images {
      do throws(ImageError) {
        _ = try Self.preview(image)
      } catch {
        if error.category == .truncated { return error }
      }
    }
    return nil
  }

  /// The compression of images that cannot be developed; `nil` if there are none.
  var unsupportedCompression: String? {
    images.lazy.compactMap { try? $0.directory.integer(.compression) }
      .first { RawLayout.Compression(rawValue: $0) == nil }.map(RawLayout.name)
  }

  /// Source: DNG 1.7.1, chapter 2, "Preview images"; chapter 3, "Compression".
  private static func preview(_ image: DNGImage) throws(ImageError) -> RawPreview? {
    guard image.role == .reduced || image.role == .alternatePreview, image.photometric == nil,
      image.width < 1 << 20, image.height < 1 << 20
    else { return nil }
    let directory = image.directory
    let compression = (try? directory.integer(.compression)) ?? 1
    guard compression == 7 || compression == 52_546 || compression == 34_892 else { return nil }
    let grid = try RawChunkGrid(
      directory, width: image.width, height: image.height, planes: 1)
    guard grid.chunks.count == 1 else { return nil }
    return RawPreview(
      width: image.width, height: image.height, isJPEGXL: compression == 52_546,
      bytes: grid.chunks[0].bytes)
  }
}
