// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// The image with a longer side of at most 1024 pixels, in the same format and with its gain map.
func thumbnail(of photo: Data) throws -> [UInt8] {
  let file = try ImageFile(parsing: ByteSource(photo))
  let size = try file.contents().primary.shownSize
  let editor = GeometryEditor(
    geometry: GeometryEdit(size: .longSide(1024)).withoutEnlarging(size))
  return try ByteSource(editor.run(file).bytes).allBytes()
}
