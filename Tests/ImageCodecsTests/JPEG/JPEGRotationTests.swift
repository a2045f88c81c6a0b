// SPDX-License-Identifier: Apache-2.0
import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if JPEG
@Suite("Lossless JPEG rotation") struct JPEGRotationTests {
  private static let subsamplings: [ImageLayout.Components] = [
    .gray, .ycbcr(.yuv444), .ycbcr(.yuv422), .ycbcr(.yuv420),
  ]

  /// An image in which all blocks differ, with quantizer steps that differ along rows and columns.
  private func image(
    _ components: ImageLayout.Components, width: Int, height: Int
  ) throws -> JPEGImage {
    let format = ImageLayout(
      width: width, height: height, components: components, samples: .integer(bits: 8))
    let planes = (0..<format.planeCount).map { index in
      let size = format.planeSize(index)
      return Plane<UInt16>(width: size.width, height: size.height) { samples in
        for y in 0..<size.height {
          for x in 0..<size.width {
            samples.append(UInt16((x * x / 7 + 3 * y + 11 * (x / 5) * (y / 3) + 40 * index) % 256))
          }
        }
      }
    }
    let output = OutputImage(
      Image(
        ImagePlanes(layout: format, planes: .integer(planes)),
        CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601), chromaLocation: .center))
    return try JPEGImage(
      parsing: ByteSource(
        try output.encoded(as: .jpeg, options: EncoderOptions(quality: 60))))
  }

  private func rotated(_ image: JPEGImage, by orientation: Orientation) throws -> JPEGImage {
    try JPEGRotation.rotated(image, by: orientation, limits: ImageLimits())
  }

  /// Planes as coded, or R, G and B if chroma is subsampled along columns only.
  private func planes(_ image: JPEGImage) throws -> [Plane<UInt16>] {
    let bytes = try image.serialized().allBytes()
    let source = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions()).image
    guard case .integer(let planes) = try source.decode(stripHeight: 64).planes else {
      Issue.record("samples are not integers")
      return []
    }
    return planes
  }

  private func codes(_ planes: [Plane<UInt16>]) -> [[UInt16]] {
    planes.map { plane in (0..<plane.width * plane.height).map { plane.span[$0] } }
  }

  /// The decoded result equals the rotated image, for all orientations and subsamplings.
  @Test(arguments: subsamplings, Orientation.allCases)
  func showsTheImageRotated(components: ImageLayout.Components, orientation: Orientation) throws {
    guard components != .ycbcr(.yuv422) || !orientation.swapsSides else { return }
    let image = try image(components, width: 64, height: 48)
    let result = try planes(try rotated(image, by: orientation))
    let expected = try planes(image).map { $0.upright(from: orientation) }
    #expect(result.map(\.width) == expected.map(\.width))
    for (result, expected) in zip(codes(result), codes(expected)) {
      // The inverse transformation rounds rows and columns differently.
      let worst = zip(result, expected).map { abs(Int($0) - Int($1)) }.max()
      #expect(worst ?? .max <= (orientation == .upright ? 0 : 2))
    }
  }

  /// Coefficients are identical after four rotations by 90°, or after two of any other operation.
  @Test(arguments: subsamplings) func comesBackExactly(components: ImageLayout.Components) throws {
    let image = try image(components, width: 64, height: 48)
    for orientation in Orientation.allCases where orientation != .upright {
      let times = orientation.inverse == orientation ? 2 : 4
      var result = image
      for _ in 0..<times { result = try rotated(result, by: orientation) }
      #expect(codes(try planes(result)) == codes(try planes(image)), "\(orientation)")
      #expect(result.frame == image.frame)
      #expect(tables(result) == tables(image))
      // libjpeg finds the same optimal codes in two passes as the encoder for one pass.
      let (bytes, expected) = (
        try result.serialized().allBytes(), try image.serialized().allBytes()
      )
      #expect(bytes == expected, "\(orientation)")
    }
  }

  private func tables(_ image: JPEGImage) -> [[UInt8]] {
    image.segments.filter { $0.marker.rawValue == 0xDB }.map(\.payload)
  }

  /// Samples beyond the last whole block cannot become the first ones.
  @Test(arguments: [
    (ImageLayout.Components.gray, 40, 44, Orientation.mirrored, true),
    (.gray, 44, 40, .mirrored, false), (.gray, 44, 40, .rotated90, true),
    (.gray, 44, 40, .rotated270, false), (.gray, 41, 43, .transposed, true),
    (.ycbcr(.yuv444), 40, 41, .mirrored, true), (.ycbcr(.yuv420), 40, 48, .mirrored, false),
    (.ycbcr(.yuv420), 48, 40, .mirrored, true), (.ycbcr(.yuv422), 40, 48, .flipped, true),
    (.ycbcr(.yuv422), 40, 48, .rotated180, false), (.ycbcr(.yuv444), 41, 41, .transversed, false),
  ])
  func wholeBlocks(
    components: ImageLayout.Components, width: Int, height: Int, orientation: Orientation,
    isPossible: Bool
  ) throws {
    let image = try image(components, width: width, height: height)
    if isPossible {
      let result = try rotated(image, by: orientation)
      #expect(result.frame.width == (orientation.swapsSides ? height : width))
      #expect(result.frame.height == (orientation.swapsSides ? width : height))
    } else {
      let error = #expect(throws: ImageError.self) { try rotated(image, by: orientation) }
      #expect(error?.code.english == "JPEG {side} of {size pixel} is not a multiple of {block}")
    }
  }

  /// A file with a smaller gain map and Exif in both images.
  private func file(width: Int, height: Int, mapWidth: Int) throws -> ImageFile {
    func coded(_ image: JPEGImage, _ orientation: Orientation) throws -> ImageFile {
      var image = image
      try image.setExif(ExifBlock.minimal(orientation: orientation))
      return try ImageFile(parsing: ByteSource(try image.serialized().allBytes()))
    }
    let channel = GainMapMetadata.Channel(
      minimum: .init(0), maximum: .init(2), gamma: .init(1), baseOffset: .init(0),
      alternateOffset: .init(0))
    let metadata = try GainMapMetadata(
      channels: .one(channel), baseHeadroom: .init(0), alternateHeadroom: .init(2),
      usesBaseColorSpace: true)
    let joined = try coded(try image(.ycbcr(.yuv420), width: width, height: height), .rotated180)
      .joining(
        try coded(try image(.gray, width: mapWidth, height: height / 2), .rotated180),
        FoundGainMap([.init(flavor: .iso, metadata: metadata, numbers: [])]))
    return try ImageFile(parsing: ByteSource(try joined.bytes.allBytes()))
  }

  private func rotated(_ file: ImageFile) throws -> (RewrittenFile, JPEGFile) {
    let result = try file.rotating(by: .rotated90, describingGainMapIn: nil)
    return (result, try JPEGFile(parsing: ByteSource(try result.bytes.allBytes())))
  }

  private func orientations(_ file: JPEGFile) throws -> [Orientation?] {
    try file.images.map { try ExifBlock(parsing: try #require($0.exif)).orientation }
  }

  @Test func bothImagesRotate() throws {
    let (result, written) = try rotated(try file(width: 64, height: 48, mapWidth: 32))
    #expect(result.rotatedPayloads == ["image 0", "image 1"])
    #expect(result.reencodedPayloads.isEmpty)
    #expect(result.notices == [])
    #expect(result.after == result.before)
    #expect(try orientations(written) == [.upright, .upright])
    #expect(written.images.map(\.frame.width) == [48, 24])
    #expect(written.images.map(\.frame.height) == [64, 32])
    let (format, header) = try #require(try written.primary.multiPicture())
    #expect(header + Int(format.entries[1].offset) == written.images[1].stored?.lowerBound)
    #expect(Int(format.entries[1].size) == written.images[1].stored?.count)
  }

  /// If one image cannot be rotated, neither is, so that the two remain consistent.
  @Test func allOrNone() throws {
    let (result, written) = try rotated(try file(width: 64, height: 48, mapWidth: 33))
    #expect(result.rotatedPayloads.isEmpty)
    #expect(result.notices.contains { $0.code.id == "orientation/rotated-by-exif" })
    #expect(result.notices.contains { $0.location.path.first == "image 1" })
    #expect(try orientations(written) == [.rotated270, .rotated270])
    #expect(written.images.map(\.frame.width) == [64, 33])
  }

  @Test func limitsAndDamage() throws {
    let image = try image(.ycbcr(.yuv420), width: 64, height: 48)
    let error = #expect(throws: ImageError.self) {
      try JPEGRotation.rotated(image, by: .rotated90, limits: ImageLimits(memory: 10_000))
    }
    #expect(error?.category == .limitExceeded)
    var bytes = try image.serialized().allBytes()
    bytes.removeSubrange(bytes.count - 200..<bytes.count - 2)
    let cut = try JPEGImage(parsing: ByteSource(bytes))
    #expect(throws: ImageError.self) { try rotated(cut, by: .rotated90) }
  }
}
#endif
