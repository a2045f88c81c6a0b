internal import HDRCore
internal import ImageFiles

extension EncoderOptions {
  /// zlib compression level for this speed, 9...1.
  var deflateLevel: Int {
    [9, 9, 8, 8, 7, 6, 6, 5, 4, 2, 1][min(max(speed, 0), 10)]
  }
}
