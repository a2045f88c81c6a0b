// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import Testing

@Suite("Declared metadata") struct DeclaredMetadataTests {
  private let display = LightMetadata.MasteringDisplay(
    primaries: .displayP3, maximumLuminance: 1000, minimumLuminance: 0.005)

  private func packet(_ orientation: Int) -> [UInt8] {
    Array(
      String(decoding: XMPPacket.empty, as: UTF8.self).replacing(
        " rdf:about=\"\"",
        with: " rdf:about=\"\" xmlns:tiff=\"http://ns.adobe.com/tiff/1.0/\" "
          + "tiff:Orientation=\"\(orientation)\""
      ).utf8)
  }

  private func orientation(_ result: ImageConverter.Result) throws -> Orientation? {
    try result.output.xmp.flatMap { try XMPPacket(parsing: $0).orientation }
  }

  /// The orientation in XMP equals the orientation in Exif after any conversion.
  @Test func orientationInXMPFollows() throws {
    let source = SourceImage.white(orientation: .rotated90, xmp: packet(6))
    let kept = try ImageConverter(.plain(.png)).run(source)
    #expect(try orientation(kept) == .rotated90)
    var bake = ConversionOptions.plain(.png)
    bake.orientation = .bake
    let baked = try ImageConverter(bake).run(source)
    #expect(try orientation(baked) == .upright)
    #expect(kept.notices.isEmpty && baked.notices.isEmpty)
    let odd = try ImageConverter(.plain(.png)).run(.white(xmp: packet(3)))
    #expect(try orientation(odd) == .upright)
    #expect(odd.notices.map(\.category) == [.conflict])
    let silent = try ImageConverter(.plain(.png)).run(.white(xmp: XMPPacket.empty))
    #expect(silent.output.xmp == XMPPacket.empty)
  }

  @Test func orientationOfGivenBlocksIsNamed() throws {
    var options = ConversionOptions.plain(.png)
    options.exif = .value(ExifBlock.minimal(orientation: .rotated90))
    options.xmp = .value(packet(6))
    let result = try ImageConverter(options).run(.white())
    #expect(try orientation(result) == .upright)
    #expect(result.notices.map(\.category) == [.conflict, .conflict])
    let rotated = try ImageConverter(options).run(.white(orientation: .rotated90))
    #expect(rotated.notices.isEmpty)
  }

  /// PNG requires cICP with mDCV.
  ///
  /// Source: PNG, third edition, 11.3.2.7.
  @Test func masteringDisplayOfPNGNeedsCodePoints() throws {
    var options = ConversionOptions.plain(.png)
    options.metadata.masteringDisplay = .value(display)
    options.signaling = .both
    #expect(
      try ImageConverter(options).run(.white()).output.image.light.masteringDisplay == display)
    options.signaling = .icc
    let result = try ImageConverter(options).run(.white())
    #expect(result.output.image.light.masteringDisplay == nil)
    #expect(result.notices.map(\.category) == [.dropped])
  }

  /// OpenEXR stores a single luminance, that of 1.0.
  @Test func diffuseWhiteOfEXRIsTheReferenceWhite() throws {
    var options = ConversionOptions.plain(.exr)
    options.metadata.diffuseWhite = .value(100)
    #expect(try ImageConverter(options).run(.white()).notices.map(\.category) == [.dropped])
    options.referenceWhite = 100
    #expect(try ImageConverter(options).run(.white()).notices.isEmpty)
  }

  /// Rule H5-MTX-1: the matrix is 0 or 9.
  @Test func otherMatricesAreNamed() throws {
    func notices(
      _ format: FileFormat, _ matrix: CICP.Matrix
    ) throws -> [Notice.Category] {
      var options = ConversionOptions.plain(format)
      options.matrix = matrix
      return try ImageConverter(options).run(.white()).notices.map(\.category)
    }
    #expect(try notices(.avif, .bt2020NonConstant).isEmpty)
    for matrix in [CICP.Matrix.bt709, .bt470BG, .chromaDerivedNonConstant] {
      #expect(try notices(.avif, matrix) == [.nonconforming])
      #expect(try notices(.png, matrix) == [.dropped])
    }
    for format in [FileFormat.avif, .png, .tiff] {
      #expect(throws: ImageError.self) { try notices(format, .ictcp) }
    }
  }
}
