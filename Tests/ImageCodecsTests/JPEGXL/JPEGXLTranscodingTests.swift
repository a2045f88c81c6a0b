// SPDX-License-Identifier: Apache-2.0
@testable import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if JPEGXL && JPEG
@Suite("JPEG XL transcoding") struct JPEGXLTranscodingTests {
  private let transcoder = JPEGTranscoder(speed: 8)

  @Test(arguments: ["420-restart", "422", "440", "444-progressive", "gray"])
  func reconstructionIsExact(name: String) throws {
    let original = try Vectors.bytes("JPEG/\(name).jpg")
    let jpegXL = try transcoder.transcoded(
      try ImageFile(parsing: ByteSource(original)), to: .jxl)
    #expect(jpegXL.file.format == .jxl && jpegXL.transcodedPayloads == ["codestream"])
    let back = try transcoder.transcoded(jpegXL.file, to: .jpeg)
    #expect(try back.bytes.allBytes() == original)
    // The samples are those of the JPEG file.
    let image = try SourceImage(decoding: jpegXL.file).image
    let source = try SourceImage(decoding: ByteSource(original)).image
    #expect(image.description == source.description)
    guard case .integer(let found) = try image.planes().planes,
      case .integer(let wanted) = try source.planes().planes
    else {
      Issue.record("no integers")
      return
    }
    #expect(found == wanted)
  }

  @Test func otherFilesAreRefused() throws {
    let encoded = try ImageFile(parsing: ByteSource(try Vectors.bytes("JPEGXL/gray8.jxl")))
    let error = #expect(throws: ImageError.self) {
      try transcoder.transcoded(encoded, to: .jpeg)
    }
    #expect(error?.category == .unsuitable)
    #expect(throws: ImageError.self) { try transcoder.transcoded(encoded, to: .png) }
  }

  @Test func damageIsATypedError() throws {
    let original = try Vectors.bytes("JPEG/gray.jpg")
    let bytes = try LibJXL.encoded(original, speed: 8)
    for index in Swift.stride(from: 0, to: bytes.count, by: 11) {
      var damaged = bytes
      damaged[index] ^= 0x55
      _ = try? LibJXL.reconstructed(damaged, limit: 1 << 20)
      _ = try? LibJXL.reconstructed(Array(bytes[..<index]), limit: 1 << 20)
    }
    let error = #expect(throws: ImageError.self) {
      try LibJXL.reconstructed(bytes, limit: 100)
    }
    #expect(error?.category == .limitExceeded)
  }

  /// Apple gain maps are requantized for ISO 21496-1, the only flavor of the format.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), arguments: [false, true])
  func appleGainMap(isJoined: Bool) throws {
    let file = try ImageFile(parsing: Corpus.source("jpeg-apple/handmade-makernote.jpg"))
    let base = EncoderOptions(quality: 90, speed: 9)
    var map = base
    map.isLossless = true
    let options = GainMapTranscoder.Options(format: .jxl, base: base, map: map)
    let found = try file.gainMaps().requireApplicable()
    #expect(found.flavors == [.apple])
    let result: RewrittenFile
    if isJoined {
      let separate = try file.parsing(file.standaloneFile(ofGainMapAt: found.location))
      result = try GainMapTranscoder.joined(
        base: file, map: separate, try #require(try file.detached(found)), options)
    } else {
      result = try GainMapTranscoder(file, options).transcoded()
    }
    #expect(result.after == [.iso] && result.worstError < 0.1, "\(result.worstError)")
    let written = try #require(try SourceImage(decoding: result.file).gainMap?.metadata)
    let apple = try #require(found.metadata)
    #expect(!written.isApple)
    #expect(abs(written.alternateHeadroom.value - apple.alternateHeadroom.value) < 1e-4)
  }

  /// An Ultra HDR file becomes JPEG XL with a gain map of the same gain, and the same file again.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func ultraHDR() throws {
    let source = try Corpus.open("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    let file = try #require(source.file)
    let result = try transcoder.transcoded(file, to: .jxl)
    #expect(result.after == [.iso])
    let written = try SourceImage(decoding: result.file)
    let (old, new) = (try #require(source.gainMap), try #require(written.gainMap))
    #expect(
      try #require(old.metadata).equals(try #require(new.metadata), within: 1e-4)
        || new.metadata == old.metadata)
    let map = try #require(try written.decodeGainMap())
    #expect(map.image.layout.width == new.layout?.width)
    let back = try transcoder.transcoded(result.file, to: .jpeg)
    #expect(try back.bytes.allBytes() == file.source.allBytes())
    // The gain map is stored once, unless other programs are to restore the file.
    let forAny = JPEGTranscoder(speed: 8, isForAnyProgram: true)
    let twice = try forAny.transcoded(file, to: .jxl)
    #expect(result.bytes.count < file.source.count && result.bytes.count < twice.bytes.count)
    #expect(
      try forAny.transcoded(twice.file, to: .jpeg).bytes.allBytes() == file.source.allBytes())
    // An edit of the metadata drops what would restore the old ones.
    var edit = MetadataEdit()
    edit.xmp = .drop
    let edited = try result.file.edited(by: edit).file
    guard case .jpegXL(let jpegXL) = edited.container else {
      Issue.record("not JPEG XL")
      return
    }
    #expect(jpegXL.boxes("jbrd").isEmpty && jpegXL.boxes("jbgm").isEmpty)
  }
}
#endif
