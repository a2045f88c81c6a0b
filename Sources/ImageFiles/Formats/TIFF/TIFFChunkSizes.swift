// SPDX-License-Identifier: Apache-2.0
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
  init?(of directory: TIFFDirectory, in file: TIFFFile) {
    func integer(_ tag: TIFFTag) -> Int? {
      guard let value = try? file.integers(tag, in: directory).first, value > 0 else { return nil }
      return value
    }
    isTiled = directory[.tileWidth] != nil
    let isPlanar = integer(.planarConfiguration) == 2
    let (channels, bits) = (integer(.samplesPerPixel) ?? 1, integer(.bitsPerSample) ?? 1)
    guard integer(.compression) ?? 1 == 1, let imageWidth = integer(.imageWidth),
      let imageHeight = integer(.imageLength),
      let width = isTiled ? integer(.tileWidth) : imageWidth,
      let height = isTiled
        ? integer(.tileLength) : min(integer(.rowsPerStrip) ?? imageHeight, imageHeight),
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
