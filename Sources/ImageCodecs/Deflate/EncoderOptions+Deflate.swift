// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension EncoderOptions {
  /// libdeflate compression level for this speed, 12...1.
  var deflateLevel: Int {
    [12, 11, 10, 9, 8, 6, 4, 3, 2, 1, 1][min(max(speed, 0), 10)]
  }
}
