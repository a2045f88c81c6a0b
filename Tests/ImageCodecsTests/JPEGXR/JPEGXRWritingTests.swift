// SPDX-License-Identifier: Apache-2.0
#if JPEGXR
import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("JPEG XR writing") struct JPEGXRWritingTests {
  /// Half floats of all magnitudes, of 16 whole rows and of a part of them.
  private static func image(
    components: ImageLayout.Components, hasAlpha: Bool, height: Int = 37
  ) -> ImagePlanes {
    let layout = ImageLayout(
      width: 19, height: height, components: components, samples: .float, hasAlpha: hasAlpha)
    let planes = (0..<layout.planeCount).map { index in
      Plane<Float>(width: 19, height: height) { samples in
        for position in 0..<19 * height {
          let isAlpha = hasAlpha && index == layout.planeCount - 1
          samples.append(
            isAlpha
              ? Float(position % 65) / 64
              : Float(position * (index + 3) % 1021 - 90) / Float(1 << (position % 7)))
        }
      }
    }
    return ImagePlanes(layout: layout, planes: .float(planes))
  }

  private static func output(
    _ image: ImagePlanes, white: Double = 80, orientation: Orientation = .upright
  ) -> OutputImage {
    OutputImage(
      Image(
        image, CICP(primaries: .bt709, transfer: .linear),
        light: LightMetadata(diffuseWhite: white), orientation: orientation))
  }

  private static let lossless = EncoderOptions(isLossless: true)

  @Test(arguments: [
    (ImageLayout.Components.rgb, true), (.rgb, false), (.gray, true), (.gray, false),
  ])
  func samplesComeBack(components: ImageLayout.Components, hasAlpha: Bool) throws {
    for height in [1, 16, 37] {
      let image = Self.image(components: components, hasAlpha: hasAlpha, height: height)
      let bytes = try Self.output(image).encoded(as: .jpegXR, options: Self.lossless)
      let document = try SourceImage(decoding: ByteSource(bytes))
      #expect(document.notices.isEmpty)
      let color = document.image.color
      #expect(color.primaries == .bt709 && color.transfer == .linear && color.referenceWhite == 80)
      // A format of gray with alpha does not exist.
      let isRGB = hasAlpha || components == .rgb
      #expect(document.image.layout.components == (isRGB ? .rgb : .gray))
      let decoded = try document.image.decode()
      for y in 0..<height {
        for x in 0..<19 {
          var expected = image.pixel(x, y)
          if components == .gray, hasAlpha { expected = [expected[0]] + [expected[0]] + expected }
          #expect(decoded.pixel(x, y) == expected)
        }
      }
    }
  }

  /// 1.0 of the file is 80 cd/m², whatever the luminance of 1.0 of the image is.
  @Test func valuesAreScaled() throws {
    let image = Self.image(components: .gray, hasAlpha: true)
    let bytes = try Self.output(image, white: 320).encoded(as: .jpegXR, options: Self.lossless)
    let decoded = try SourceImage(decoding: ByteSource(bytes)).image.decode()
    let (pixel, expected) = (decoded.pixel(7, 20), image.pixel(7, 20))
    #expect(pixel[0] == 4 * expected[0] && pixel[3] == expected[1])
  }

  @Test func qualityChangesSizeAndError() throws {
    let layout = ImageLayout(width: 64, height: 64, components: .gray, samples: .float)
    let plane = Plane<Float>(width: 64, height: 64) { samples in
      for index in 0..<64 * 64 {
        samples.append(Float(index % 64 * (index / 64) % 977) / 300 + 0.1)
      }
    }
    let image = ImagePlanes(layout: layout, planes: .float([plane]))
    var sizes: [Int] = []
    var errors: [Float] = []
    for quality in [100, 95, 90, 50, 1] {
      let bytes = try Self.output(image).encoded(
        as: .jpegXR, options: EncoderOptions(quality: quality))
      sizes.append(bytes.count)
      let decoded = try SourceImage(decoding: ByteSource(bytes)).image.decode()
      let differences = (0..<64).map { x in
        abs(decoded.pixel(x, 33)[0] / image.pixel(x, 33)[0] - 1)
      }
      errors.append(differences.reduce(0, +) / 64)
    }
    #expect(sizes == sizes.sorted(by: >) && errors == errors.sorted())
    // Half floats have 11 bits.
    #expect(errors[0] < 0.0005 && errors[2] < 0.05)
  }

  @Test func otherColorsAreRefused() {
    let image = Self.image(components: .rgb, hasAlpha: false)
    let color = ColorEncoding(primaries: .bt2020, transfer: .linear)
    let error = #expect(throws: ImageError.self) {
      try OutputImage(Image(image, color)).encoded(as: .jpegXR, options: Self.lossless)
    }
    #expect(
      error?.code.english
        == "JPEG XR is written with linear values of BT.709 primaries and straight alpha, not "
        + "CICP {cicp}"
    )
    var request = ConversionRequest(format: .jpegXR)
    request.color.primaries = .bt2020
    let refused = #expect(throws: ImageError.self) {
      try ImageFile(parsing: ByteSource(Vectors.bytes("JPEGXR/half-planar.jxr"))).converted(request)
    }
    #expect(refused?.message.contains("scRGB") == true)
  }

  /// Exif in either byte order becomes entries of the container, and is collected from them.
  @Test(arguments: [TIFFFile.ByteOrder.littleEndian, .bigEndian])
  func metadataComeBack(order: TIFFFile.ByteOrder) throws {
    var exposure = NewTIFFDirectory()
    exposure.set(
      TIFFTag(rawValue: 33434), [1, 250 as UInt32], type: .rational, count: 1, order: order)
    exposure.set(.colorSpace, [1 as UInt16], type: .short, order: order)
    var main = NewTIFFDirectory()
    main.set(TIFFTag(rawValue: 271), undefined: Array("Maker\0".utf8), type: .ascii)
    main.set(.xResolution, [600, 2 as UInt32], type: .rational, count: 1, order: order)
    main.set(.yResolution, [600, 2 as UInt32], type: .rational, count: 1, order: order)
    main.set(.resolutionUnit, [2 as UInt16], type: .short, order: order)
    main.set(.exifDirectory, exposure)
    var output = Self.output(
      Self.image(components: .rgb, hasAlpha: false), orientation: .rotated90)
    output.exif = main.serialized(order: order)
    output.xmp = XMPPacket.empty
    let bytes = try output.encoded(as: .jpegXR, options: EncoderOptions())
    let document = try SourceImage(decoding: ByteSource(bytes))
    #expect(document.image.orientation == .rotated90 && document.xmp == output.xmp)
    let found = try ExifBlock(parsing: try #require(document.exif)).structure
    #expect(found.byteOrder == .littleEndian)
    func numbers(_ tag: UInt16, in directory: TIFFDirectory) throws -> [Double] {
      try found.numbers(try #require(directory[TIFFTag(rawValue: tag)]))
    }
    #expect(try numbers(282, in: found.mainDirectory) == [300])
    let entry = try #require(found.mainDirectory[.exifDirectory])
    let nested = try #require(try found.firstSubdirectory(entry))
    #expect(try numbers(33434, in: nested) == [1.0 / 250])
    #expect(try numbers(40961, in: nested) == [0xFFFF])
  }

  /// Edits of metadata leave the codestreams unchanged.
  @Test func editsKeepSamples() throws {
    let bytes = try Self.output(Self.image(components: .rgb, hasAlpha: true)).encoded(
      as: .jpegXR, options: EncoderOptions())
    let file = try ImageFile(parsing: ByteSource(bytes))
    var edit = MetadataEdit()
    edit.orientation = .set(.mirrored)
    edit.xmp = .set(XMPPacket.empty)
    let edited = try file.edited(by: edit).bytes.allBytes()
    let (old, new) = (
      try SourceImage(decoding: ByteSource(bytes)), try SourceImage(decoding: ByteSource(edited))
    )
    #expect(new.image.orientation == .mirrored && new.xmp == XMPPacket.empty && old.xmp == nil)
    let planes = (try old.image.decode(), try new.image.decode())
    for x in 0..<19 { #expect(planes.0.pixel(x, 17) == planes.1.pixel(x, 17)) }
    edit = MetadataEdit()
    edit.dropsPersonalData = true
    let bare = try ImageFile(parsing: ByteSource(edited)).edited(by: edit).bytes.allBytes()
    let summary = try ImageFile(parsing: ByteSource(bare)).metadataSummary()
    #expect(summary.xmp == nil && summary.orientation == .mirrored && bare.count < edited.count)
    edit = MetadataEdit()
    edit.contentLightLevel = .set(.init(maximum: 1000, maximumAverage: 100))
    #expect(throws: ImageError.self) { try file.edited(by: edit) }
  }

  /// The orientation of a file that is written row by row.
  @Test func orientationIsKept() throws {
    var request = ConversionRequest(format: .jpegXR)
    request.coding.isLossless = true
    let source = try Self.output(
      Self.image(components: .rgb, hasAlpha: false), orientation: .rotated270
    ).encoded(as: .jpegXR, options: Self.lossless)
    let bytes = try ImageFile(parsing: ByteSource(source)).converted(request).bytes
    let image = try SourceImage(decoding: ByteSource(bytes)).image
    #expect(image.orientation == .rotated270 && image.layout.width == 19)
  }

  /// The file is not made smaller by less quality, and floats of 32 bits are not rounded without loss.
  @Test func qualityIsThatOfTheRequest() throws {
    let bytes = try Vectors.bytes("JPEGXR/half-planar.jxr")
    let (output, result) = try ImageFile(parsing: ByteSource(bytes)).plan(
      for: ConversionRequest(format: .jpegXR)
    ).bytes()
    #expect(output.count > bytes.count / 2)
    #expect(!result.notices.contains { $0.code.id == "convert/quality-reduced" })
    let floats = try OutputImage(
      Image(
        Self.image(components: .rgb, hasAlpha: false),
        CICP(primaries: .bt709, transfer: .linear))
    ).encoded(as: .exr, options: Self.lossless)
    var request = ConversionRequest(format: .jpegXR)
    request.coding.isLossless = true
    let error = #expect(throws: ImageError.self) {
      try ImageFile(parsing: ByteSource(floats)).converted(request)
    }
    #expect(error?.message.contains("32 bits") == true)
  }

  /// Two images that share a codestream, after a directory with a position, and bytes between them.
  private static func twoImages() throws -> [UInt8] {
    let order = TIFFFile.ByteOrder.littleEndian
    let single = try output(image(components: .gray, hasAlpha: false)).encoded(
      as: .jpegXR, options: lossless)
    let file = try JPEGXRFile(parsing: ByteSource(single), limits: ImageLimits())
    let range = try file.image(0).codestream
    var position = NewTIFFDirectory()
    position.set(TIFFTag(rawValue: 1), undefined: Array("N\0".utf8), type: .ascii)
    position.set(
      TIFFTag(rawValue: 2), [48, 1, 12, 1, 7, 1] as [UInt32], type: .rational, count: 3,
      order: order)
    func directory(at offset: Int) throws -> NewTIFFDirectory {
      var budget = 1 << 20
      var new = try NewTIFFDirectory.part(
        of: file.directories, file.directories.directories[0], budget: &budget
      ) { _ in true }
      new.set(.gpsDirectory, position)
      new.set(TIFFTag(rawValue: 271), undefined: Array("Maker of cameras\0".utf8), type: .ascii)
      new.set(TIFFTag(rawValue: 0x9C9B), undefined: Array("A title of words\0\0".utf8), type: .byte)
      new.set(.imageOffset, [UInt32(clamping: offset)], type: .long, order: order)
      // The size is that of the rest of the file.
      new.set(.imageByteCount, [0 as UInt32], type: .long, order: order)
      return new
    }
    let size = try directory(at: 0).serialized(at: 0, order: order).count
    let start = 8 + 2 * size
    var bytes: [UInt8] = [0x49, 0x49, 0xBC, 1, 8, 0, 0, 0]
    for next in [8 + size, 0] {
      bytes += try directory(at: start).serialized(at: bytes.count, order: order, next: next)
    }
    return bytes + single[range] + Array("GPSLatitude 48.2".utf8)
  }

  @Test func imagesThatShareACodestream() throws {
    let bytes = try Self.twoImages()
    let file = try ImageFile(parsing: ByteSource(bytes))
    #expect(try file.metadataSummary().hasLocation)
    var edit = MetadataEdit()
    edit.orientation = .set(.rotated180)
    let rotated = try file.edited(by: edit).bytes.allBytes()
    // Not a copy of the codestream for each image.
    #expect(rotated.count <= bytes.count + 64)
    let images = try ImageFile(parsing: ByteSource(rotated)).contents().images
    #expect(images.map(\.orientation) == [.rotated180, .upright])
    for removal in [\MetadataEdit.dropsLocation, \.dropsPersonalData] {
      edit = MetadataEdit()
      edit[keyPath: removal] = true
      let edited = try file.edited(by: edit)
      let stripped = try ImageFile(parsing: ByteSource(try edited.bytes.allBytes()))
      #expect(try !stripped.metadataSummary().hasLocation)
      #expect(try stripped.contents().images.count == 2)
      let keepsMaker = removal == \.dropsLocation
      #expect((try stripped.metadataSummary().exif != nil) == keepsMaker)
      let all = try edited.bytes.allBytes()
      func contains(_ text: String) -> Bool {
        let text = Array(text.utf8)
        return all.indices.contains { all[$0...].starts(with: text) }
      }
      #expect(contains("A title of words") == keepsMaker)
      // What follows the codestream is part of it if its size is missing.
      let pixels = try SourceImage(decoding: ByteSource(all)).image.decode()
      #expect(pixels.pixel(3, 30) == Self.image(components: .gray, hasAlpha: false).pixel(3, 30))
      // A second edit changes nothing.
      #expect(try stripped.edited(by: edit).bytes.allBytes() == all)
    }
  }

  /// Errors of lossy coding must not reach the bits of infinity and of numbers that are none.
  @Test func brightSunsStayFinite() throws {
    let layout = ImageLayout(width: 64, height: 64, components: .rgb, samples: .float)
    let plane = Plane<Float>(width: 64, height: 64) { samples in
      for index in 0..<64 * 64 {
        let (x, y) = (index % 64 - 31, index / 64 - 30)
        samples.append(x * x + y * y < 200 ? 65_000 : 0.3)
      }
    }
    let image = ImagePlanes(layout: layout, planes: .float([plane, plane, plane]))
    for quality in [95, 90, 50] {
      let bytes = try Self.output(image).encoded(
        as: .jpegXR, options: EncoderOptions(quality: quality))
      let decoded = try SourceImage(decoding: ByteSource(bytes)).image.decode()
      for y in 0..<64 {
        for x in 0..<64 { #expect(decoded.pixel(x, y).allSatisfy { $0.isFinite }) }
      }
    }
  }

  /// A position that only Exif refers to, and fields with text after their value.
  @Test func locationsInOddPlacesAreRemoved() throws {
    let order = TIFFFile.ByteOrder.littleEndian
    let single = try Self.output(Self.image(components: .gray, hasAlpha: false)).encoded(
      as: .jpegXR, options: Self.lossless)
    let file = try JPEGXRFile(parsing: ByteSource(single), limits: ImageLimits())
    let range = try file.image(0).codestream
    func bytes(_ change: (inout NewTIFFDirectory) -> Void) throws -> [UInt8] {
      var budget = 1 << 20
      var new = try NewTIFFDirectory.part(
        of: file.directories, file.directories.directories[0], budget: &budget
      ) { _ in true }
      change(&new)
      let start = 8 + new.serialized(at: 8, order: order).count
      new.set(.imageOffset, [UInt32(clamping: start)], type: .long, order: order)
      return [0x49, 0x49, 0xBC, 1, 8, 0, 0, 0] + new.serialized(at: 8, order: order)
        + single[range]
    }
    var position = NewTIFFDirectory()
    position.set(
      TIFFTag(rawValue: 2), [48, 1, 12, 1, 7, 1] as [UInt32], type: .rational, count: 3,
      order: order)
    var exposure = NewTIFFDirectory()
    exposure.set(.gpsDirectory, position)
    let nested = try bytes { $0.set(.exifDirectory, exposure) }
    let text = try bytes {
      $0.set(.imageBands, undefined: Array("\0GPSLatitude=48.85837".utf8), type: .byte)
    }
    for (name, bytes) in [("nested", nested), ("text", text)] {
      let file = try ImageFile(parsing: ByteSource(bytes))
      var edit = MetadataEdit()
      edit.dropsLocation = true
      let edited = try file.edited(by: edit)
      let all = try edited.bytes.allBytes()
      #expect(!edited.isUnchanged && all.count < bytes.count, "\(name)")
      #expect(!edited.after.hasLocation, "\(name)")
      let image = try SourceImage(decoding: ByteSource(all)).image.decode()
      #expect(image.pixel(1, 30) == Self.image(components: .gray, hasAlpha: false).pixel(1, 30))
    }
    #expect(try ImageFile(parsing: ByteSource(nested)).metadataSummary().hasLocation)
    // A value inside the codestream: its bytes would be removed with it.
    let inside = try bytes {
      $0.set(
        .init(
          tag: TIFFTag(rawValue: 0x9000), type: .undefined, count: 8,
          value: .bytes(Array(repeating: 0, count: 4))))
    }
    var patched = inside
    let parsed = try JPEGXRFile(parsing: ByteSource(inside), limits: ImageLimits())
    let entry = try #require(parsed.directories.mainDirectory[TIFFTag(rawValue: 0x9000)])
    let place = try parsed.image(0).codestream.lowerBound + 20
    patched.replaceSubrange(
      entry.offset + 8..<entry.offset + 12, with: order.bytes(of: UInt32(clamping: place)))
    var edit = MetadataEdit()
    edit.orientation = .set(.rotated90)
    let error = #expect(throws: ImageError.self) {
      try ImageFile(parsing: ByteSource(patched)).edited(by: edit)
    }
    #expect(error?.code.english == "other data are inside the codestream")
  }
}
#endif
