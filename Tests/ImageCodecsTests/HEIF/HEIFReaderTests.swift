// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Item structures that `HEIFImageWriter` does not create.
@Suite("HEIF image reader") struct HEIFReaderTests {
  private static let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)

  /// A file under construction: coded images and images derived from them.
  struct Graph {
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "avif", compatibleBrands: ["mif1"]))

    mutating func add(
      _ image: ImagePlanes, _ codec: ItemCodec = .av1, more: [ItemProperty.Box] = []
    ) throws -> UInt32 {
      let coded = try codec.encode(
        image, cicp: cicp, chromaLocation: .left, options: RoundTripTests.lossless)
      let size = ImageSpatialExtentsBox(
        width: UInt32(coded.width), height: UInt32(coded.height))
      return file.addItem(
        codec.itemType,
        properties: [coded.configuration, .imageSpatialExtents(size)] + more,
        data: .file(coded.bytes))
    }

    mutating func addDerived(
      _ type: FourCC, of inputs: [UInt32], body: [UInt8]? = nil, width: Int, height: Int,
      more: [ItemProperty.Box] = []
    ) -> UInt32 {
      let size = ImageSpatialExtentsBox(width: UInt32(width), height: UInt32(height))
      let id = file.addItem(
        type, properties: [.imageSpatialExtents(size)] + more,
        data: body.map { .itemDataBox($0) } ?? .absent)
      file.addReference("dimg", from: id, to: inputs)
      return id
    }

    func open(primary: UInt32) throws -> SourceImage {
      var file = file
      file.primaryItemID = primary
      return try RoundTripTests.opened(file.serialized())
    }

    func failure(primary: UInt32) -> ImageError? {
      do {
        _ = try open(primary: primary).image.makeReader()
        return nil
      } catch {
        return error as? ImageError
      }
    }
  }

  private func image(
    _ width: Int, _ height: Int, _ components: ImageLayout.Components = .ycbcr(.yuv444),
    seed: UInt64 = 1
  ) -> ImagePlanes {
    TestImage.make(components, bits: 10, width: width, height: height, seed: seed)
  }

  private func planes(_ document: SourceImage) throws -> [Plane<UInt16>] {
    guard case .integer(let planes) = try document.image.decode().planes else {
      Issue.record("samples are not integers")
      return []
    }
    return planes
  }

  @Test func overlayPlacesImagesInOrder() throws {
    let (below, above) = (image(64, 48), image(20, 16, seed: 2))
    var graph = Graph()
    let layers = [try graph.add(below), try graph.add(above)]
    let overlay = ImageOverlay(
      fill: [0, 0, 0, 65535], width: 60, height: 40,
      positions: [.init(x: -2, y: -4), .init(x: 50, y: 30)])
    let id = graph.addDerived("iovl", of: layers, body: overlay.bytes, width: 60, height: 40)
    let planes = try planes(graph.open(primary: id))
    guard case .integer(let first) = below.planes, case .integer(let second) = above.planes
    else { Issue.record("not what the test is about"); return }
    for index in 0..<3 {
      #expect(planes[index].values(inRow: 0)[0] == first[index].values(inRow: 4)[2])
      #expect(planes[index].values(inRow: 29)[59] == first[index].values(inRow: 33)[61])
      #expect(planes[index].values(inRow: 30)[50] == second[index].values(inRow: 0)[0])
      #expect(planes[index].values(inRow: 39)[59] == second[index].values(inRow: 9)[9])
    }
  }

  @Test func overlayThatShowsItsCanvasIsRefused() throws {
    var graph = Graph()
    let layer = try graph.add(image(32, 32))
    let overlay = ImageOverlay(
      fill: [0, 0, 0, 65535], width: 60, height: 40, positions: [.init(x: 0, y: 0)])
    let id = graph.addDerived("iovl", of: [layer], body: overlay.bytes, width: 60, height: 40)
    #expect(graph.failure(primary: id)?.category == .unsupported)
  }

  /// The transformations of the referenced image are applied first.
  @Test func identityAddsItsTransformations() throws {
    let image = image(40, 30)
    var graph = Graph()
    let base = try graph.add(image, more: HEIFItem.transformations(for: .rotated90))
    let id = graph.addDerived(
      "iden", of: [base], width: 30, height: 40,
      more: HEIFItem.transformations(for: .mirrored))
    let document = try graph.open(primary: id)
    // A rotation by 90° clockwise, then a horizontal flip.
    #expect(document.image.orientation == .transposed)
    #expect(try document.image.decode().checksum == image.checksum)
  }

  @Test func tilesMustFitTheirGrid() throws {
    var graph = Graph()
    let tiles = [try graph.add(image(64, 64)), try graph.add(image(64, 64, seed: 2))]
    let other = try graph.add(image(32, 64))
    let gray = try graph.add(image(64, 64, .gray))
    func grid(_ inputs: [UInt32], _ columns: Int, _ width: UInt32, _ height: UInt32) -> ImageError?
    {
      var graph = graph
      let body = ImageGrid(rows: 1, columns: columns, width: width, height: height).bytes
      let id = graph.addDerived(
        "grid", of: inputs, body: body, width: Int(width), height: Int(height))
      return graph.failure(primary: id)
    }
    #expect(grid(tiles, 2, 120, 60) == nil)
    #expect(grid(tiles, 2, 129, 60)?.category == .malformed)
    #expect(grid(tiles, 2, 64, 60)?.category == .malformed)
    #expect(grid([tiles[0]], 2, 120, 60)?.category == .malformed)
    #expect(grid([tiles[0], other], 2, 90, 60)?.category == .malformed)
    #expect(grid([tiles[0], gray], 2, 120, 60)?.category == .malformed)
  }

  @Test func imagesMadeFromThemselvesAreRefused() {
    var graph = Graph()
    let id = graph.file.unusedID
    _ = graph.addDerived("iden", of: [id], width: 8, height: 8)
    #expect(graph.failure(primary: id)?.category == .malformed)
  }

  @Test func apertureCropsOddColumns() throws {
    let image = image(40, 30, .ycbcr(.yuv420))
    let aperture = CleanApertureBox(
      width: .init(21), height: .init(15), horizontalOffset: .init(-9, over: 2),
      verticalOffset: .init(-1, over: 2))
    var graph = Graph()
    let id = try graph.add(image, more: [.cleanAperture(aperture)])
    let document = try graph.open(primary: id)
    #expect((document.image.layout.width, document.image.layout.height) == (21, 15))
    let planes = try planes(document)
    guard case .integer(let whole) = image.planes else {
      Issue.record("not what the test is about"); return
    }
    // The first column is -4.5 + (40 - 21) / 2, the first row -0.5 + (30 - 15) / 2.
    #expect(planes[0].values(inRow: 0)[0] == whole[0].values(inRow: 7)[5])
  }

  @Test func alphaOfAnotherSizeAndDepthIsFitted() throws {
    let image = image(40, 30)
    let coverage = ImagePlanes(
      layout: ImageLayout(
        width: 20, height: 15, components: .gray, samples: .integer(bits: 8)),
      planes: .integer([Plane(width: 20, height: 15, filledWith: 128)]))
    var graph = Graph()
    let base = try graph.add(image)
    let alpha = try graph.add(coverage, more: [.auxiliaryType(.init(AuxiliaryTypeBox.alpha))])
    graph.file.addReference("auxl", from: alpha, to: [base])
    let document = try graph.open(primary: base)
    #expect(document.image.layout.hasAlpha)
    #expect(document.notices.contains { $0.category == .irregular })
    #expect(try planes(document)[3] == Plane(width: 40, height: 30, filledWith: 514))
  }

  @Test func contradictionsAreTold() throws {
    var graph = Graph()
    var other = Self.cicp
    other.transfer = .hlg
    let id = try graph.add(image(40, 30), more: [.colorInformation(.nclx(other))])
    let document = try graph.open(primary: id)
    #expect(document.declaredColor.cicp == other)
    #expect(document.notices.map(\.category) == [.conflict])
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func bitstreamSpeaksWhereTheContainerIsSilent(codec: ItemCodec) throws {
    var graph = Graph()
    let id = try graph.add(image(80, 70), codec)
    let document = try graph.open(primary: id)
    #expect(document.declaredColor.cicp == Self.cicp)
    #expect(document.notices == [])
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func sizeMustBeThatOfTheBitstream(codec: ItemCodec) throws {
    var graph = Graph()
    let id = try graph.add(image(80, 70), codec)
    graph.file.updateItem(id) {
      $0.setProperty("ispe", to: .imageSpatialExtents(.init(width: 64, height: 70)))
    }
    let failure = graph.failure(primary: id)
    #expect(codec == .av1 || failure?.category == .malformed)
  }

  @Test func unknownEssentialPropertiesAreRefused() throws {
    var graph = Graph()
    let id = try graph.add(image(40, 30))
    graph.file.updateItem(id) {
      $0.properties.append(
        ItemProperty(.unknown("zzzz", userType: nil, content: [1]), isEssential: true))
    }
    #expect(graph.failure(primary: id)?.code.id == "item/property-required")
    // The coding is the cause of a property of that coding.
    graph.file.updateItem(id) { $0.type = "unci" }
    let failure = graph.failure(primary: id)
    #expect(failure?.category == .unsupported)
    #expect(failure?.message.contains("unci (uncompressed)") == true)
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func limitsHold(codec: ItemCodec) throws {
    let bytes = try RoundTripTests.written(
      OutputImage(Image(image(80, 70), Self.cicp)), codec)
    for limits in [ImageLimits(pixels: 80 * 70 - 1), ImageLimits(memory: 80 * 70 * 6 - 1)] {
      let options = OpeningOptions(limits: limits)
      #expect {
        try SourceImage(decoding: ByteSource(bytes), options: options)
      } throws: {
        ($0 as? ImageError)?.category == .limitExceeded
      }
    }
  }

  /// Parameter sets with a size above that of the container are subject to the limits.
  @Test func limitsHoldInsideBitstreams() throws {
    let coded = try ItemCodec.hevc.encode(
      image(200, 100), cicp: Self.cicp, chromaLocation: .left, options: RoundTripTests.lossless)
    guard case .hevcConfiguration(let record) = coded.configuration else {
      Issue.record("not what the test is about"); return
    }
    #expect {
      try HEVCDecoder(limits: ImageLimits(pixels: 100 * 30))
        .decode(record, bytes: coded.bytes)
    } throws: {
      ($0 as? ImageError)?.category == .limitExceeded
    }
  }
}
#endif
