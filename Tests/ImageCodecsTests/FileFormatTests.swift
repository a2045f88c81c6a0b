// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import ImageCodecs
import ImageFiles
import Testing

@Suite("File formats") struct FileFormatTests {
  @Test(arguments: [
    ("\0\0\0\u{18}ftypavif\0\0\0\0mif1", FileFormat.avif),
    ("\0\0\0\u{18}ftypmif1\0\0\0\0avif", .avif),
    ("\0\0\0\u{18}ftypheic\0\0\0\0mif1", .heif),
    // A minor version is not a brand, except in a low-overhead file.
    ("\0\0\0\u{18}ftypheicavifmif1", .heif),
    ("\0\0\0\u{10}ftypmif3avif", .avif),
    ("\0\0\0\u{10}ftypmif3heic", .heif),
    ("\0\0\0\u{C}JXL \r\n", .jxl),
    ("#?RADIANCE\n", .radiance),
    ("MM\0*", .tiff),
  ])
  func byFirstBytes(head: String, format: FileFormat) {
    #expect(FileFormat(detectedIn: Array(head.utf8)) == format)
  }

  @Test func unknown() { #expect(FileFormat(detectedIn: Array("words".utf8)) == nil) }
}
