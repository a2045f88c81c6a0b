// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// One line about an image; nothing is decoded.
func summary(of photo: Data) throws -> String {
  let contents = try ImageFile(parsing: ByteSource(photo)).contents()
  let image = contents.primary
  let level = image.light.contentLightLevel?.maximum
  return "\(contents.format) \(image.uprightSize.width)x\(image.uprightSize.height), "
    + "HDR \(contents.isHighDynamicRange), MaxCLL \(level.map { "\($0)" } ?? "not specified")"
}

/// The file with another luminance of diffuse white; coded images stay byte for byte.
func settingDiffuseWhite(_ luminance: Double, in photo: Data) throws -> [UInt8] {
  var edit = MetadataEdit()
  edit.diffuseWhite = .set(luminance)
  return try ByteSource(ImageFile(parsing: ByteSource(photo)).edited(by: edit).bytes).allBytes()
}
