// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Sizes of the strips or tiles of uncompressed samples.
struct TIFFChunkSizes {
  let isTiled: Bool
  /// Size of a strip or tile, in pixels.
  let width: Int
  let height: Int
  /// Number of strips or tiles.
  let count: Int
  /// Number of bytes of a whole strip or tile.
  var whole: Int { rowSize * height }
  private let rowSize: Int
  private let imageHeight: Int
  private let columns: Int

  /// Computes the sizes from the tags of an image.
  ///
  /// - Returns: `nil` if the samples are compressed, or a tag is missing or out of range.
  /// - Throws: Errors that end the whole job.
  init?(of directory: TIFFDirectory, in file: TIFFFile) throws(ImageError) {
    func integer(_ tag: TIFFTag) throws(ImageError) -> Int? {
      let value = try ifReadable(try file.integers(tag, in: directory).first) ?? 0
      return value > 0 ? value : nil
    }
    isTiled = directory[.tileWidth] != nil
    let isPlanar = try integer(.planarConfiguration) == 2
    let (channels, bits) = (try integer(.samplesPerPixel) ?? 1, try integer(.bitsPerSample) ?? 1)
    let rowsPerStrip = try integer(.rowsPerStrip)
    guard try integer(.compression) ?? 1 == 1, let imageWidth = try integer(.imageWidth),
      let imageHeight = try integer(.imageLength),
      let width = isTiled ? try integer(.tileWidth) : imageWidth,
      let height = isTiled
        ? try integer(.tileLength) : min(rowsPerStrip ?? imageHeight, imageHeight),
      // So that sizes cannot overflow; larger images exceed the limit on memory.
      max(imageWidth, imageHeight, width, height) < 1 << 23, max(bits, channels) < 1 << 10
    else { return nil }
    (self.width, self.height, self.imageHeight) = (width, height, imageHeight)
    rowSize = (width * (isPlanar ? 1 : channels) * bits + 7) / 8
    columns = (imageWidth - 1) / width + 1
    count = columns * ((imageHeight - 1) / height + 1) * (isPlanar ? channels : 1)
  }

  /// Number of bytes of the rows of a strip or tile that are within the image.
  func needed(_ index: Int) -> Int {
    let rows = (imageHeight - 1) / height + 1
    return rowSize * min(height, imageHeight - index / columns % rows * height)
  }
}
