// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
@testable import HDRConversion
import GainMap
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Arguments of public functions that do not fit together result in errors, not in traps.
@Suite("Invalid arguments") struct InvalidArgumentTests {
  private static func text(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ImageError)?.code.english
    }
  }

  private static func image(
    _ components: ImageLayout.Components, matrix: CICP.Matrix = .identity
  ) throws -> Image {
    let layout = ImageLayout(
      width: 8, height: 8, components: components, samples: .integer(bits: 8))
    let plane = Plane<UInt16>(width: 8, height: 8, filledWith: 100)
    return try Image(
      ImageDescription(
        layout: layout,
        color: ColorEncoding(primaries: .bt709, transfer: .srgb, matrix: matrix)),
      planes: .integer(Array(repeating: plane, count: layout.planeCount)))
  }

  /// An image above reference white.
  private static func bright() throws -> SourceImage {
    let layout = ImageLayout(width: 16, height: 16, components: .rgb, samples: .float)
    let plane = Plane<Float>(width: 16, height: 16, filledWith: 3)
    let color = ColorEncoding(primaries: .bt709, transfer: .linear)
    return SourceImage(
      try Image(
        ImageDescription(layout: layout, color: color), planes: .float([plane, plane, plane])))
  }

  /// A JPEG with a gain map.
  private static func ultraHDR() throws -> ImageFile {
    let result = try GainMapEncoder(.init(format: .jpeg)).run(hdr: bright())
    return try ImageFile(parsing: ByteSource(result.bytes))
  }

  /// An image in memory does not have a file format, and its color is not an assumption.
  @Test func imageInMemory() throws {
    let document = SourceImage(try Self.image(.rgb))
    #expect(document.format == nil)
    let map = try #require(try SourceImage(decoding: Self.ultraHDR()).gainMap)
    #expect(
      Self.text { _ = try document.decodeAsGainMap(map) }
        == "an image in memory cannot be the gain map; an image of a file is required")
    let error = #expect(throws: ImageError.self) {
      _ = try GainMapEncoder(.init(format: .jpeg)).run(hdr: document)
    }
    #expect(error?.code.id == "create/no-headroom")
    #expect(error?.parameters["color"] == .text("specified"))
  }

  /// A matrix that cannot be decoded, in memory.
  @Test func undecodableMatrix() throws {
    let image = try Self.image(.ycbcr(.yuv444), matrix: .unspecified)
    let document = SourceImage(image)
    #expect(
      Self.text { _ = try ImageConverter(ConversionOptions(format: .png)).run(document) }
        == "{matrix} cannot be decoded")
    #expect(Self.text { _ = try document.expandedToHDR() } == "{matrix} cannot be decoded")
    let encoder = try GainMapEncoder(.init(format: .jpeg))
    #expect(
      Self.text { _ = try encoder.run(hdr: Self.bright(), sdr: document) }
        == "{matrix} cannot be decoded")
  }

  @Test func referenceWhite() throws {
    var options = ConversionOptions(format: .png)
    options.referenceWhite = -1
    let document = SourceImage(try Self.image(.rgb))
    #expect(
      Self.text { _ = try ImageConverter(options).run(document) }
        == "invalid reference white: {white cd/m²}")
  }

  @Test func depth() throws {
    let layout = ImageLayout(
      width: 1, height: 1, components: .gray, samples: .integer(bits: 20))
    let plane = try Plane<UInt16>(width: 1, height: 1, samples: [0])
    let description = ImageDescription(layout: layout, color: .data)
    #expect(
      Self.text { _ = try Image(description, planes: .integer([plane])) }
        == "invalid sample depth: {bits bit}")
  }

  /// Rows of another layout than their reader declares.
  private final class OtherRows: RowReader {
    let layout: ImageLayout
    private let image: Image

    init(_ layout: ImageLayout, _ image: Image) {
      self.layout = layout
      self.image = image
    }

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes { try image.planes() }
  }

  @Test func rowsOfAnotherLayout() throws {
    let gray = try Self.image(.gray)
    let layout = ImageLayout(
      width: 8, height: 8, components: .rgb, samples: .integer(bits: 8))
    let image = Image(ImageDescription(layout: layout, color: gray.color)) {
      () throws(ImageError) in OtherRows(layout, gray)
    }
    #expect(
      Self.text { _ = try image.planes() } == "the layout of the rows is {rows}, not {layout}")
    #expect(
      Self.text { _ = try image.linear() } == "the layout of the rows is {rows}, not {layout}")
    #expect(
      Self.text { _ = try image.lightLevels() } == "the layout of the rows is {rows}, not {layout}")
    #expect(
      Self.text {
        let options = ConversionOptions(format: .png)
        _ = try ImageConverter(options).run(SourceImage(image))
      } == "the layout of the rows is {rows}, not {layout}")
  }

  /// Images that a gain map cannot be computed from.
  @Test func gainMapSources() throws {
    func text(_ base: Image, _ alternate: Image) -> String? {
      Self.text {
        _ = try GainMapCreation(base: base.description, alternate: alternate.description)
          .run(base: try base.makeReader(), alternate: try alternate.makeReader())
      }
    }
    let rgb = try Self.image(.rgb)
    let undecodable = try Self.image(.ycbcr(.yuv444), matrix: .unspecified)
    #expect(text(undecodable, rgb) == "{matrix} cannot be decoded")
    #expect(text(rgb, undecodable) == "{matrix} cannot be decoded")
    let layout = ImageLayout(width: 0, height: 8, components: .gray, samples: .integer(bits: 8))
    let empty = Image(ImageDescription(layout: layout, color: rgb.color)) {
      () throws(ImageError) in OtherRows(layout, rgb)
    }
    #expect(text(empty, empty) == "invalid image size: {size pixel}")
  }

  private static func gainMap(_ image: Image) throws -> GainMapImage {
    try GainMapImage(image, metadata: try GainMapMetadata(appleHeadroom: Headroom(ratio: 4)))
  }

  /// A gain map with a matrix that cannot be decoded.
  @Test func undecodableGainMap() throws {
    let base = try Self.image(.rgb)
    #expect(
      Self.text {
        let map = try Self.gainMap(try Self.image(.ycbcr(.yuv444), matrix: .unspecified))
        _ = try ImageTransform(validating: base.description, to: base.description)
          .applying(map, for: Headroom(ratio: 4)).run(base)
      } == "{matrix} cannot be decoded")
  }

  /// Readers of another layout than the images that were announced.
  @Test func readersOfAnotherLayout() throws {
    let (rgb, gray) = (try Self.image(.rgb), try Self.image(.gray))
    let linear = try LightComparison.linear(of: rgb.description)
    #expect(
      Self.text {
        _ = try LightComparison(linear, linear).run(try gray.makeReader(), try rgb.makeReader())
      } == "the layout of the rows is {rows}, not {layout}")
    #expect(
      Self.text {
        _ = try GainMapCreation(base: rgb.description, alternate: rgb.description)
          .run(base: try rgb.makeReader(), alternate: try gray.makeReader())
      } == "the layout of the rows is {rows}, not {layout}")
    #expect(
      Self.text {
        _ = try Self.gainMap(gray).quality(
          of: rgb.description, try gray.makeReader(), comparedTo: rgb.description,
          try rgb.makeReader())
      } == "the layout of the rows is {rows}, not {layout}")
  }

  /// Both the image and its reader declare a negative height.
  @Test func negativeHeight() throws {
    let rgb = try Self.image(.rgb)
    let layout = ImageLayout(width: 8, height: -8, components: .rgb, samples: .integer(bits: 8))
    let image = Image(ImageDescription(layout: layout, color: rgb.color)) {
      () throws(ImageError) in OtherRows(layout, rgb)
    }
    #expect(Self.text { _ = try image.planes() } == "invalid image size: {size pixel}")
  }

  /// A longer side for which the other one cannot be rounded.
  @Test func longSide() {
    let limits = ImageLimits()
    #expect(
      Self.text {
        _ = try GeometryEdit(size: .longSide(.max))
          .parameters(width: 8, height: 1, orientation: .upright, limits: limits)
      } == "invalid side length: {length pixel}")
  }

  @Test func noFlavors() throws {
    let file = try Self.ultraHDR()
    #expect(
      Self.text { _ = try file.describingGainMap(in: []) }
        == "no flavor of gain map metadata is given")
  }

  /// A gain map at a place that the file does not have.
  @Test func foreignGainMap() throws {
    let found = try #require(try Self.ultraHDR().gainMaps().maps.first)
    let image = try Self.image(.gray)
    let plain = try OutputImage(image).encoded(as: .jpeg, options: EncoderOptions())
    #expect(try ImageFile(parsing: ByteSource(plain)).xmp(of: found) == nil)
  }

  /// Light metadata that are not finite are not written as other numbers.
  @Test(arguments: [
    LightMetadata(diffuseWhite: .nan),
    LightMetadata(contentLightLevel: .init(maximum: 1000, maximumAverage: -.infinity)),
    LightMetadata(ambientEnvironment: .init(illuminance: 5, light: Chromaticity(x: 0.3, y: .nan))),
    LightMetadata(
      masteringDisplay: .init(
        primaries: ColorPrimaries(
          red: Chromaticity(x: .infinity, y: 0.3), green: Chromaticity(x: 0.3, y: 0.6),
          blue: Chromaticity(x: 0.15, y: 0.06), white: Chromaticity(x: 0.31, y: 0.33)),
        maximumLuminance: 1000, minimumLuminance: 0.01)),
  ])
  func infiniteLight(light: LightMetadata) throws {
    var image = try Self.image(.rgb)
    image.light = light
    for format in [FileFormat.png, .avif, .tiff] {
      #expect(
        Self.text { _ = try OutputImage(image).encoded(as: format, options: EncoderOptions()) }
          == "light metadata must be finite numbers", "\(format)")
    }
    let sink = MemorySink()
    #expect(
      Self.text {
        _ = try StreamedImage(image.description)
          .makeStream(to: sink, as: .png, options: EncoderOptions(), isRotated: false)
      } == "light metadata must be finite numbers")
  }

  @Test func componentOfCurves() throws {
    let curve = try #require(ProfileCurves.Curve(samples: [0, 1]))
    let other = try #require(ProfileCurves.Curve(samples: [0, 0.5, 1]))
    let curves = ProfileCurves(red: other, green: curve, blue: curve)
    #expect(curves[-1] == other && curves[7] == curve)
  }
}
#endif
