internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Parses the boxes and the image header of JPEG XL files.
func exerciseJPEGXL(_ bytes: [UInt8]) throws {
  _ = try? JPEGXLColorEncoding(parsing: bytes)
  if let map = try? JPEGXLGainMapBox(parsing: SourceBytes(bytes)) { _ = try? map.imageHeader() }
  let file = try JPEGXLFile(parsing: ByteSource(bytes))
  _ = try? file.exif()
  _ = try? file.xmp()
  _ = try? file.imageHeader()
  _ = GainMapInventory(of: file)
}
