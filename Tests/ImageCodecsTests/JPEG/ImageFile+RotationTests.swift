// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Metadata after rotation", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct ImageFileRotationTests {
  private static let name = "jpeg-uhdr/lrc14-1-xmp-iso.jpg"

  private func rotated(_ bytes: [UInt8]) throws -> RewrittenFile {
    try ImageFile(parsing: ByteSource(bytes)).rotating(by: .rotated180, describingGainMapIn: nil)
  }

  /// The video of a motion photo.
  @Test func motionPhotos() throws {
    let video: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0]
    let bytes = try Corpus.bytes(Self.name)
    let without = try rotated(bytes)
    #expect(!without.notices.contains { $0.code.id == "orientation/video-not-rotated" })
    let result = try rotated(bytes + video)
    #expect(result.notices.count { $0.code.id == "orientation/video-not-rotated" } == 1)
    #expect(try Array(result.bytes.allBytes().suffix(video.count)) == video)
  }

  @Test func depthInXMP() throws {
    var file = try JPEGFile(parsing: ByteSource(try Corpus.bytes(Self.name)))
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    let namespace = "http://ns.google.com/photos/1.0/depthmap/"
    try packet.set(
      .text("image/png"), for: XMPName(namespace, "Mime"), prefixes: [namespace: "GDepth"])
    var image = file.primary
    try image.setXMP(packet.bytes)
    file.replaceImage(0, with: image)
    let result = try rotated(try file.serialized().allBytes())
    #expect(
      result.notices.count {
        $0.code.english == "not rotated: depth map in XMP (GDepth); it no longer matches the image"
      } == 1)
  }
}
