// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// The file with another gamma of its gain map; coded images stay byte for byte.
func settingGamma(_ gamma: UInt32, ofGainMapIn photo: Data) throws -> [UInt8] {
  let file = try ImageFile(parsing: ByteSource(photo))
  guard var metadata = try file.gainMaps().applicable?.metadata else { return [] }
  try metadata.change { $0.channels.change { $0.gamma = UnsignedRational(gamma) } }
  return try ByteSource(file.describingGainMap(as: metadata).bytes).allBytes()
}
