// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

extension RawChunkDecoder {
  /// Decodes integers; white is 65535 if they have more than 8 bits.
  func jpegXL(_ bytes: [UInt8], _ chunk: RawChunkGrid.Chunk) throws(ImageError) -> [UInt16] {
    #if JPEGXL
    return try JPEGXLTile.integers(bytes, shape(of: chunk))
    #else
    throw Self.missingJPEGXL
    #endif
  }

  func jpegXL(_ bytes: [UInt8], _ chunk: RawChunkGrid.Chunk) throws(ImageError) -> [Float] {
    #if JPEGXL
    return try JPEGXLTile.floats(bytes, shape(of: chunk))
    #else
    throw Self.missingJPEGXL
    #endif
  }

  #if JPEGXL
  private func shape(of chunk: RawChunkGrid.Chunk) -> JPEGXLTile.Shape {
    var isFloat = false
    if case .float = layout.coding { isFloat = true }
    return JPEGXLTile.Shape(
      width: layout.grid.chunkWidth, height: storedHeight(chunk),
      planes: layout.grid.planesPerChunk, bits: layout.coding.bits, isFloat: isFloat)
  }
  #else
  private static var missingJPEGXL: ImageError {
    ImageError(.missingCodec, ["codec": "libjxl", "format": "raw samples in JPEG XL"])
  }
  #endif
}
