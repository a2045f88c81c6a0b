// SPDX-License-Identifier: Apache-2.0
import HDRConversion

/// Writes a JPEG of at most 2048 pixels, with the SDR image and the gain map.
func writeForWeb(_ photo: String, to jpeg: String) throws {
  try ImageFile(path: photo).convert(to: jpeg, ConversionRequest(quality: 85, longSide: 2048))
}

/// The treatment of each image and each metadata item; nothing is decoded.
func decisions(about photo: String, _ request: ConversionRequest) throws -> [String] {
  try ImageFile(path: photo).plan(for: request).steps.map { step in
    "\(step.item): \(step.action.rawValue), \(step.reason)"
  }
}
