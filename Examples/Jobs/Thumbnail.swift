import Foundation
import HDRConversion

/// The image with a longer side of at most 1024 pixels, in the same format and with its gain map.
func thumbnail(of photo: Data) throws -> [UInt8] {
  let file = try ImageFile(parsing: ByteSource(photo))
  let editor = GeometryEditor(geometry: GeometryEdit(size: .longSideAtMost(1024)))
  return try ByteSource(editor.run(SourceImage.open(file), from: file).bytes).allBytes()
}
