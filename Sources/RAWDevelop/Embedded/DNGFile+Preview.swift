// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

extension DNGFile {
  /// An embedded rendered image.
  public struct Preview: Sendable {
    /// Columns as stored.
    public let width: Int
    /// Rows as stored.
    public let height: Int
    /// Whether the preview is JPEG XL instead of JPEG.
    public let isJPEGXL: Bool
    /// Bytes in the file: a complete JPEG or JPEG XL file.
    public let bytes: Range<Int>
  }

  /// The largest preview that is a single JPEG or JPEG XL image; `nil` if there is none.
  ///
  /// Previews in several strips or tiles, or with another encoding, are ignored.
  public var preview: Preview? {
    images.compactMap { try? Self.preview($0) }
      .max { $0.width * $0.height < $1.width * $1.height }
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

  /// Source: DNG 1.7.1, chapter 2, "Preview images"; chapter 3, "Compression".
  private static func preview(_ image: DNGImage) throws(ImageError) -> Preview? {
    guard image.role == .reduced || image.role == .alternatePreview, image.photometric == nil,
      image.width < 1 << 20, image.height < 1 << 20
    else { return nil }
    let directory = image.directory
    let compression = (try? directory.integer(.compression)) ?? 1
    guard compression == 7 || compression == 52_546 || compression == 34_892 else { return nil }
    let grid = try RawChunkGrid(
      directory, width: image.width, height: image.height, planes: 1)
    guard grid.chunks.count == 1 else { return nil }
    return Preview(
      width: image.width, height: image.height, isJPEGXL: compression == 52_546,
      bytes: grid.chunks[0].bytes)
  }
}
