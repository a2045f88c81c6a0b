// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// The AVIF file of an image in any format: PQ of an HDR image, with its gain map applied, or SDR.
func avif(from photo: Data) throws -> [UInt8] {
  try ImageFile(parsing: ByteSource(photo)).converted(ConversionRequest(format: .avif)).bytes
}
