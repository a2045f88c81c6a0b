internal import HDRCore
internal import ImageContainers
internal import ImageFiles

extension DNGFile {
  /// A picture that was rendered when the file was written.
  public struct Preview: Sendable {
    /// Columns as stored.
    public let width: Int
    /// Rows as stored.
    public let height: Int
    /// Whether it is JPEG XL; otherwise it is JPEG.
    public let isJPEGXL: Bool
    /// Its bytes in the file: a whole JPEG or JPEG XL file.
    public let bytes: Range<Int>
  }

  /// The largest preview that is one JPEG or JPEG XL picture; `nil` if there is none.
  ///
  /// Those that are cut into strips or tiles, or coded otherwise, are left out.
  public var preview: Preview? {
    images.compactMap { try? Self.preview($0) }
      .max { $0.width * $0.height < $1.width * $1.height }
  }

  /// What is wrong with a preview that cannot be taken out: its bytes are not in the file.
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
