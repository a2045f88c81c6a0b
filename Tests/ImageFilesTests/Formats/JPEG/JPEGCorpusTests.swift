// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

/// The entries of JPEG files in the manifest of the corpus.
private struct Manifest: Decodable {
  struct File: Decodable {
    struct GainMap: Decodable {
      struct Image: Decodable {
        var offset: Int
        var size: [Int]
        var components: Int
      }
      var images: [Image]?
    }
    var name: String
    var format: String
    var dimensions: String
    var expected: String
    var gain_map: GainMap?
  }
  var files: [File]

  static func jpegFiles() throws -> [File] {
    let data = try Data(contentsOf: URL(filePath: Corpus.path("MANIFEST.json")))
    let files = try JSONDecoder().decode(Loose.self, from: data).files.compactMap(\.file)
    return files.filter { $0.format == "jpeg" && $0.name.hasPrefix("jpeg") }
  }

  /// Entries of gain maps of other formats have a different structure.
  private struct Loose: Decodable {
    struct Entry: Decodable {
      var file: File?
      init(from decoder: any Decoder) throws { file = try? File(from: decoder) }
    }
    var files: [Entry]
  }
}

@Suite("JPEG corpus", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct JPEGCorpusTests {
  @Test func imagesAreWhereTheManifestSpecifies() throws {
    let files = try Manifest.jpegFiles()
    #expect(files.count >= 30)
    for entry in files where entry.expected != "reject" {
      let file = try JPEGFile(parsing: Corpus.source(entry.name))
      let frame = file.primary.frame
      #expect("\(frame.width)x\(frame.height)" == entry.dimensions, "\(entry.name)")
      let end = try #require(file.primary.stored).upperBound
      // The manifest also lists thumbnails inside the first image.
      for expected in entry.gain_map?.images ?? [] where expected.offset >= end {
        let image = file.images.first { $0.stored?.lowerBound == expected.offset }
        #expect(image?.frame.width == expected.size[0], "\(entry.name)")
        #expect(image?.frame.height == expected.size[1], "\(entry.name)")
        #expect(image?.frame.components.count == expected.components, "\(entry.name)")
      }
    }
  }

  @Test func filesAreWrittenBackUnchanged() throws {
    let files = Corpus.files(
      in: ["jpeg-apple", "jpeg-iso", "jpeg-uhdr", "jpeg-uhdr-broken", "peer-made"],
      extensions: ["jpg"])
    for name in files where !name.contains("truncated") {
      let file = try JPEGFile(parsing: Corpus.source(name))
      let output = try file.serialized()
      #expect(output.pieces == [.kept(0..<file.source.count)], "\(name)")
    }
  }

  /// New Exif moves all images; both directories must be updated.
  @Test func editedFilesHaveRightDirectories() throws {
    for name in Corpus.files(in: ["jpeg-apple", "jpeg-iso", "jpeg-uhdr"], extensions: ["jpg"]) {
      var file = try JPEGFile(parsing: Corpus.source(name))
      let scans = try file.images.map { image throws(ImageError) in
        try image.scans.map { range throws(ImageError) in try file.source.bytes(in: range) }
      }
      try file.primary.setExif(ExifBlock.minimal(orientation: .rotated180))
      let edited = try JPEGFile(parsing: ByteSource(file.serialized().allBytes()))
      #expect(!edited.notices.contains { $0.location.path == ["MPF"] }, "\(name)")
      let after = try edited.images.map { image throws(ImageError) in
        try image.scans.map { range throws(ImageError) in try edited.source.bytes(in: range) }
      }
      #expect(after == scans, "\(name)")
      #expect(edited.containerItems.keys == file.containerItems.keys, "\(name)")
      if let (format, header) = try? edited.primary.multiPicture() {
        for (entry, image) in zip(format.entries, edited.images).dropFirst() {
          #expect(header + Int(entry.offset) == image.stored?.lowerBound, "\(name)")
          #expect(Int(entry.size) == image.stored?.count, "\(name)")
        }
      }
    }
  }

  /// Malformed files throw an error or are serialized unchanged; they do not crash.
  @Test func malformedFiles() throws {
    var refused = 0
    let folders = ["malformed-jpeg", "malformed-any", "jpeg-uhdr-broken"]
    for name in Corpus.files(in: folders) {
      let source = try Corpus.source(name)
      do throws(ImageError) {
        let file = try JPEGFile(parsing: source)
        var notices: [Notice] = []
        for image in file.images {
          _ = try? image.xmp(notices: &notices)
          if let profile = image.profile(notices: &notices) {
            _ = try? ICCProfile(parsing: profile)
          }
          if let exif = image.exif { _ = try? ExifBlock(parsing: exif).hasLocation }
        }
        #expect(try file.serialized().pieces == [.kept(0..<source.count)], "\(name)")
      } catch {
        #expect(!error.code.id.isEmpty)
        refused += 1
      }
    }
    #expect(refused > 5)
  }
}
