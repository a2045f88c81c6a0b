// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension RawChunkDecoder {
  /// Decodes integers; white is 65535 if they have more than 8 bits.
  func jpegXL(_ bytes: [UInt8], _ chunk: RawChunkGrid.Chunk) throws(ImageError) -> [UInt16] {
    try padded(CodecRegistry.jpegXL().integers(bytes, shape(of: chunk, bytes)), chunk)
  }

  func jpegXL(_ bytes: [UInt8], _ chunk: RawChunkGrid.Chunk) throws(ImageError) -> [Float] {
    try padded(CodecRegistry.jpegXL().floats(bytes, try shape(of: chunk, bytes)), chunk)
  }

  /// The declared shape, with the coded size of a tile that is not padded.
  private func shape(
    of chunk: RawChunkGrid.Chunk, _ bytes: [UInt8]
  ) throws(ImageError) -> JPEGXLTileShape {
    var isFloat = false
    if case .float = layout.coding { isFloat = true }
    var shape = JPEGXLTileShape(
      width: layout.grid.chunkWidth, height: storedHeight(chunk),
      planes: layout.grid.planesPerChunk, bits: layout.coding.bits, isFloat: isFloat)
    if let header = try ifReadable(try JPEGXLFile(parsing: ByteSource(bytes)).imageHeader()),
      isSize(header.width, header.height, of: chunk)
    {
      (shape.width, shape.height) = (header.width, header.height)
    }
    return shape
  }
}
