// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// The image with a longer side of at most 1024 pixels, in the same format and with its gain map.
func thumbnail(of photo: Data) throws -> [UInt8] {
  try ImageFile(parsing: ByteSource(photo)).converted(ConversionRequest(longSide: 1024)).bytes
}
