// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport
import Testing

/// Parts of the old file of an image that is encoded again.
@Suite("Metadata of a new file") struct MetadataOfNewFileTests {
  /// Camera, lens, date and copyright, with a thumbnail of 220 bytes.
  ///
  /// Source: exiftool 12.57.
  private static let exif = Data(
    base64Encoded: """
      TU0AKgAAAAgACAEPAAIAAAAHAAAAbgEQAAIAAAAMAAAAdgEaAAUAAAABAAAAggEbAAUAAAABAAAAigEoAAMAAAABAAEA
      AAITAAMAAAABAAEAAIKYAAIAAAAQAAAAkodpAAQAAAABAAAAogAAATBHb29nbGUAAFBpeGVsIDYgUHJvAAAAAAEAAAAB
      AAAAAQAAAAFBLiBQaG90b2dyYXBoZXIAAAeCmgAFAAAAAQAAAPyQAAAHAAAABDAyMzKQAwACAAAAFAAAAQSRAQAHAAAA
      BAECAwCgAAAHAAAABDAxMDCgAQADAAAAAf//AACkNAACAAAAGAAAARgAAAAAAAAAAQAAAGQyMDIzOjEwOjA2IDE5OjI2
      OjIzAFBpeGVsIDYgUHJvIGJhY2sgY2FtZXJhAAAGAQMAAwAAAAEABgAAARoABQAAAAEAAAF+ARsABQAAAAEAAAGGASgA
      AwAAAAEAAgAAAgEABAAAAAEAAAGOAgIABAAAAAEAAADcAAAAAAAAAEgAAAABAAAASAAAAAH/2P/gABBKRklGAAECAAAB
      AAEAAP/+ABBMYXZjNTkuMzcuMTAwAP/bAEMACD4+ST5JVVVVVVVVZF1kaGhoZGRkZGhoaHBwcIODg3BwcGhocHB8fIOD
      j5OPh4eDh5OTm5uburqystnZ4P/////EAEoAAQAAAAAAAAAAAAAAAAAAAAABAQAAAAAAAAAAAAAAAAAAAAAQAQAAAAAA
      AAAAAAAAAAAAAAARAQAAAAAAAAAAAAAAAAAAAAD/wAARCAAIAAgDASIAAhEAAxEA/9oADAMBAAIRAxEAPwAAD//Z
      """, options: .ignoreUnknownCharacters
  ).map(Array.init)

  /// XMP as of Google's cameras.
  private static let packet = Array(
    String(decoding: XMPPacket.empty, as: UTF8.self).replacing(
      " rdf:about=\"\"",
      with: " rdf:about=\"\" xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\""
        + " xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmp:CreatorTool=\"HDR+ 1.0\""
        + " GCamera:HdrPlusMakernote=\"\(String(repeating: "SERSUA", count: 6000))\""
    ).utf8)

  private static let note = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }

  private static func source(noteSize: Int) throws -> SourceImage {
    var source = SourceImage.white(xmp: packet)
    var block = try ExifBlock(parsing: #require(exif))
    try block.addToExposure(.makerNote, .undefined, Array(note.prefix(noteSize)))
    source.exif = block.bytes
    return source
  }

  private static func names(in xmp: [UInt8]?) throws -> [String] {
    try xmp.map { try XMPPacket(parsing: $0).properties.map(\.name.local).sorted() } ?? []
  }

  /// Large notes are dropped unless they are asked for; small ones stay.
  @Test(arguments: [(40_000, false), (40_000, true), (16 << 10, false)])
  func makerNotes(size: Int, isAsked: Bool) throws {
    var options = ConversionOptions.plain(.png)
    options.metadata.keepsMakerNotes = isAsked
    let result = try ImageConverter(options).run(Self.source(noteSize: size))
    let block = try ExifBlock(parsing: #require(result.output.exif))
    let isKept = isAsked || size < 40_000
    let entry = block.exposure?[.makerNote]
    #expect(
      try entry.map { try block.structure.bytes(of: $0) }
        == (isKept ? Array(Self.note.prefix(size)) : nil))
    #expect(isKept || block.bytes.count < 1000)
    #expect(block.thumbnail == nil)
    for (tag, text) in [
      (TIFFTag.make, "Google"), (.model, "Pixel 6 Pro"), (.copyright, "A. Photographer"),
      (.dateTimeOriginal, "2023:10:06 19:26:23"), (.lensModel, "Pixel 6 Pro back camera"),
    ] {
      #expect(try block.text(tag) == text)
    }
    #expect(
      try Self.names(in: result.output.xmp)
        == (isAsked ? ["CreatorTool", "HdrPlusMakernote"] : ["CreatorTool"]))
    let dropped = result.notices.filter { $0.code.id == "metadata/maker-notes-dropped" }
    var expected: [DiagnosticValue?] = isAsked ? [] : [.list([.text("HdrPlusMakernote (35 kB)")])]
    if !isKept { expected.append(.list([.text("maker note (39 kB)")])) }
    #expect(dropped.map { $0.parameters["items"] } == expected)
  }

  /// Thumbnails of the old image are dropped; TIFF does not store one of given Exif either.
  @Test func thumbnailInTIFF() throws {
    var options = ConversionOptions.plain(.tiff)
    let kept = try ImageConverter(options).run(Self.source(noteSize: 1))
    #expect(kept.notices.map(\.code.id).contains("exif/thumbnail-dropped"))
    #expect(!kept.notices.map(\.code.id).contains("exif/thumbnail-not-in-tiff"))
    options.exif = .value(try #require(Self.exif))
    let given = try ImageConverter(options).run(.white())
    #expect(given.notices.map(\.code.id) == ["exif/thumbnail-not-in-tiff"])
    options.format = .png
    #expect(try ImageConverter(options).run(.white()).notices.isEmpty)
  }
}
