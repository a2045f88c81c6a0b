// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// A PNG file with the offsets of its chunks.
struct CheckedPNG: Sendable {
  let file: PNGFile
  /// Offset of each chunk.
  let offsets: [Int]
  let byteCount: Int

  init(_ file: PNGFile) {
    self.file = file
    byteCount = file.source.count
    offsets = file.chunkOffsets
  }

  /// Location of the first chunk of a type.
  func location(_ type: PNGChunk.ChunkType) -> ImageError.Location {
    ImageError.Location(
      path: [type.description],
      offset: file.chunks.firstIndex { $0.type == type }.map { offsets[$0] })
  }

  func location(ofChunk index: Int) -> ImageError.Location {
    ImageError.Location(path: [file.chunks[index].type.description], offset: offsets[index])
  }

  func has(_ type: PNGChunk.ChunkType) -> Bool { file.chunks.contains { $0.type == type } }
}
