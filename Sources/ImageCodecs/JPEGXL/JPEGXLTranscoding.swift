// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import ImageFiles

/// Lossless transcoding of JPEG files to JPEG XL, and back.
///
/// JPEG XL stores the coefficients, and in its box `jbrd` everything else that the exact bytes of the
/// file require.
///
/// Source: ISO/IEC 18181-2, 9.10; annex A.
package enum JPEGXLTranscoding {
  /// Transcodes a JPEG file.
  ///
  /// - Parameters:
  ///   - jpeg: The file.
  ///   - speed: Speed of the encoder, 0...10.
  /// - Returns: A JPEG XL file from which `reconstructed(_:limit:)` returns the same bytes, which was
  ///   verified.
  /// - Throws: `.unsupported` for a JPEG file that libjxl cannot transcode; `.missingCodec` in a build
  ///   without libjxl.
  package static func encoded(_ jpeg: [UInt8], speed: Int) throws(ImageError) -> [UInt8] {
    #if JPEGXL
    let file = try JPEGXLEncoder().transcode(jpeg, EncoderOptions(speed: speed))
    guard try reconstructed(file, limit: jpeg.count) == jpeg else {
      throw ImageError(.jpegxlReconstructionDiffers)
    }
    return file
    #else
    throw FileFormat.jxl.missingCodec
    #endif
  }

  /// Reconstructs the JPEG file that a JPEG XL file was transcoded from.
  ///
  /// - Parameters:
  ///   - file: The JPEG XL file.
  ///   - limit: Maximum size of the JPEG file, in bytes.
  /// - Returns: The bytes of the JPEG file.
  /// - Throws: `.unsuitable` for a file that was not transcoded from JPEG; `.malformed` and
  ///   `.truncated` for a corrupt one; `.limitExceeded` for a larger JPEG file.
  package static func reconstructed(
    _ file: [UInt8], limit: Int
  ) throws(ImageError) -> [UInt8] {
    #if JPEGXL
    try JPEGXLDecoder().reconstruct(file, limit: limit)
    #else
    throw FileFormat.jxl.missingCodec
    #endif
  }
}
