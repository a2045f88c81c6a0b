// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

/// Bytes computed by hand from the standards and read back by libheif 1.23.
@Suite("Properties") struct PropertyBoxTests {
  @Test(arguments: [
    (
      "00000013 636F6C72 6E636C78 0009 0010 0009 80",
      CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    ),
    (
      "00000013 636F6C72 6E636C78 0009 0012 0009 80",
      CICP(primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant)
    ),
    (
      "00000013 636F6C72 6E636C78 0009 0010 0000 80",
      CICP(primaries: .bt2020, transfer: .pq, matrix: .identity)
    ),
    (
      "00000013 636F6C72 6E636C78 0009 0010 000E 80",
      CICP(primaries: .bt2020, transfer: .pq, matrix: .ictcp)
    ),
    (
      "00000013 636F6C72 6E636C78 0009 0010 0009 00",
      CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant, isFullRange: false)
    ),
  ])
  func codePoints(digits: String, cicp: CICP) throws {
    #expect(try roundTrip(digits, as: ColorInformationBox.self) == .nclx(cicp))
  }

  @Test func otherColor() throws {
    #expect(
      try roundTrip("0000000E 636F6C72 70726F66 0102", as: ColorInformationBox.self)
        == .unrestrictedICC([1, 2]))
    #expect(
      try roundTrip("0000000E 636F6C72 72494343 0102", as: ColorInformationBox.self)
        == .restrictedICC([1, 2]))
    #expect(
      try roundTrip("0000000E 636F6C72 6E636C63 0102", as: ColorInformationBox.self)
        == .other("nclc", [1, 2]))
  }

  @Test func light() throws {
    #expect(
      try roundTrip("0000000C 636C6C69 03E8 00CB", as: ContentLightLevelBox.self)
        == ContentLightLevelBox(maximum: 1000, maximumAverage: 203))
    let display = try roundTrip(
      "00000020 6D646376 2134 9BAA 1996 08FC 8A48 3908 3D13 4042 00989680 00000005",
      as: MasteringDisplayColorVolumeBox.self)
    #expect(display.primaries[0] == .init(x: 8500, y: 39850))
    #expect(display.maximumLuminance == 10_000_000 && display.minimumLuminance == 5)
    _ = try roundTrip(
      "00000020 6D646376 33C2 86C4 1D4C 0BB8 84D0 3E80 3D13 4042 00989680 00000005",
      as: MasteringDisplayColorVolumeBox.self)
    let volume = try roundTrip(
      "0000002D 63636C76 3C 00002134 00009BAA 00001996 000008FC 00008A48 00003908 00000000 000F4240"
        + "000318F8", as: ContentColorVolumeBox.self)
    #expect(volume.minimumLuminance == 0 && volume.maximumLuminance == 1_000_000)
    #expect(volume.averageLuminance == 203_000 && volume.primaries?[2] == .init(x: 35400, y: 14600))
    let part = try roundTrip(
      "00000025 63636C76 28 000033C2 000086C4 00001D4C 00000BB8 000084D0 00003E80 000F4240",
      as: ContentColorVolumeBox.self)
    #expect(part.minimumLuminance == nil && part.maximumLuminance == 1_000_000)
    #expect(
      try roundTrip("00000010 616D7665 000186A0 3D13 4042", as: AmbientViewingEnvironmentBox.self)
        == AmbientViewingEnvironmentBox(illuminance: 100_000, lightX: 15635, lightY: 16450))
    #expect(
      try roundTrip(
        "0000001C 72657665 00000000 0000C350 0C37 0CDA 0000C350 0C37 0CDA",
        as: ReferenceViewingEnvironmentBox.self)
        == ReferenceViewingEnvironmentBox(
          surroundLuminance: 50_000, surroundLightX: 3127, surroundLightY: 3290,
          peripheryLuminance: 50_000, peripheryLightX: 3127, peripheryLightY: 3290))
    for (digits, luminance) in [
      ("00000010 6E647774 00000000 001EF9B0", 2_030_000),
      ("00000010 6E647774 00000000 000F4240", 1_000_000),
      ("00000010 6E647774 00000000 00000000", 0),
    ] as [(String, UInt32)] {
      #expect(try roundTrip(digits, as: NominalDiffuseWhiteBox.self).luminance == luminance)
    }
  }

  @Test func images() throws {
    #expect(
      try roundTrip("00000014 69737065 00000000 00000FC0 00000BD0", as: ImageSpatialExtentsBox.self)
        == ImageSpatialExtentsBox(width: 4032, height: 3024))
    #expect(
      try roundTrip("00000010 70697869 00000000 03 0A0A0A", as: PixelInformationBox.self)
        .bitsPerChannel == [10, 10, 10])
    #expect(try roundTrip("00000009 69726F74 03", as: ImageRotationBox.self).quarterTurns == 3)
    #expect(
      try roundTrip("00000009 696D6972 01", as: ImageMirrorBox.self).exchange == .leftAndRight)
    #expect(
      try roundTrip(
        "00000028 636C6170 0000003F 00000001 0000001F 00000001 FFFFFFFF 00000002 FFFFFFFF 00000002",
        as: CleanApertureBox.self)
        == CleanApertureBox(
          width: .init(63), height: .init(31), horizontalOffset: .init(-1, over: 2),
          verticalOffset: .init(-1, over: 2)))
    #expect(
      try roundTrip("00000010 70617370 00000001 00000002", as: PixelAspectRatioBox.self)
        .verticalSpacing == 2)
    let auxiliary = try roundTrip(
      "00000038 61757843 00000000 75726E3A6D7065673A6D706567423A636963703A73797374656D733A617578"
        + "696C696172793A616C70686100", as: AuxiliaryTypeBox.self)
    #expect(auxiliary.isAlpha && auxiliary.subtype.isEmpty)
  }

  @Test func layers() throws {
    #expect(try roundTrip("0000000A 6C73656C FFFF", as: LayerSelectorBox.self).layerID == 0xFFFF)
    #expect(try roundTrip("00000009 61316F70 02", as: AV1OperatingPointBox.self).index == 2)
    #expect(
      try roundTrip("0000000F 61316C78 00 0001 0002 0000", as: AV1LayeredImageIndexingBox.self)
        .layerSizes == [1, 2, 0])
    #expect(
      try roundTrip(
        "00000015 61316C78 01 00010000 00000002 00000000", as: AV1LayeredImageIndexingBox.self
      )
      .layerSizes == [0x10000, 2, 0])
  }

  @Test func av1Configuration() throws {
    let box = try roundTrip("0000000C 61763143 81 20 40 00", as: AV1ConfigurationBox.self)
    #expect(box.profile == 1 && box.bitDepth == 10 && box.chroma == .yuv444)
    let main = try roundTrip("0000000C 61763143 81 08 4C 00", as: AV1ConfigurationBox.self)
    #expect(main.profile == 0 && main.level == 8 && main.bitDepth == 10 && main.chroma == .yuv420)
    let deep = try roundTrip("0000000E 61763143 81 4D 6A 1F 0A00", as: AV1ConfigurationBox.self)
    #expect(deep.bitDepth == 12 && deep.chroma == .yuv422 && deep.chromaSamplePosition == 2)
    #expect(deep.initialPresentationDelayMinusOne == 15 && deep.configurationOBUs == [0x0A, 0])
  }

  /// The record written by heif-enc 1.15.1 with x265 3.5 for a 10-bit 4:2:0 image.
  @Test func hevcConfiguration() throws {
    let box = try roundTrip(HEVCVectors.configuration420, as: HEVCConfigurationBox.self)
    #expect(box.profileTierLevel.profileIDC == 4 && box.profileTierLevel.levelIDC == 30)
    #expect(box.chromaFormat == 1 && box.lumaBitDepth == 10 && box.chromaBitDepth == 10)
    #expect(box.nalLengthSize == 4 && box.temporalLayerCount == 1)
    #expect(
      box.arrays.map(\.type)
        == [.videoParameterSet, .sequenceParameterSet, .pictureParameterSet])
    #expect(box.arrays.map { $0.units.map(\.count) } == [[23], [42], [6]])
    // The version follows size and type of the box.
    var early = hex(HEVCVectors.configuration420)
    early[8] = 0
    var reader = ByteReader(early.span)
    _ = try BoxHeader(parsing: &reader, available: early.count)
    let found = try HEVCConfigurationBox(parsing: &reader)
    #expect(found.boxBytes == box.boxBytes)
  }
}

@Suite("Verbatim item properties") struct ItemPropertyTests {
  func parse(_ digits: String) throws(ImageError) -> ItemProperty {
    let bytes = hex(digits)
    var reader = ByteReader(bytes.span)
    let header = try BoxHeader(parsing: &reader, available: bytes.count)
    return ItemProperty(parsing: header, at: ["ipco"], content: &reader)
  }

  func bytes(_ property: ItemProperty) -> [UInt8] {
    var writer = ByteWriter()
    property.write(to: &writer)
    return writer.bytes
  }

  /// Irregular properties are parsed and serialized verbatim.
  ///
  /// `ndwt` and `reve` without version, reserved bits, trailing bytes, unknown boxes.
  @Test(arguments: [
    ("0000000C 6E647774 001EF9B0", true),
    ("00000018 72657665 0000C350 0C37 0CDA 0000C350 0C37 0CDA", true),
    ("00000009 69726F74 F3", true),
    ("0000000E 636C6C69 03E8 00CB 0000", true),
    ("00000012 70697869 00000001 03 0A0A0A 1111", true),
    ("00000013 636F6C72 6E636C78 0009 0010 0009 FF", true),
    ("00000010 6E647774 00000000 001EF9B0", false),
    ("0000000A 78797A20 0102", false),
    ("0000001A 75756964 000102030405060708090A0B0C0D0E0F 0102", false),
  ])
  func verbatim(digits: String, isIrregular: Bool) throws {
    let property = try parse(digits)
    #expect(bytes(property) == hex(digits))
    #expect(property.isIrregular == isIrregular)
  }

  @Test func lenientValues() throws {
    #expect(
      try parse("0000000C 6E647774 001EF9B0").box
        == .metadata(NominalDiffuseWhiteBox(luminance: 2_030_000)))
    let edited = ItemProperty(try parse("0000000C 6E647774 001EF9B0").box)
    #expect(bytes(edited) == hex("00000010 6E647774 00000000 001EF9B0"))
  }

  @Test func lightThatCannotBeRead() throws {
    #expect(
      try parse("0000000A 636C6C69 03E8").box
        == .unknown("clli", userType: nil, content: [3, 0xE8]))
  }

  /// An unreadable property keeps its error and its content.
  @Test(arguments: [
    "0000000C 69737065 00000000", "00000008 69726F74", "0000000B 636F6C72 6E636C",
    "0000000F 636F6C72 6E636C78 0009 00", "0000000A 61763143 8120", "0000000A 68766343 0104",
    "00000014 69737065 01000000 00000FC0 00000BD0", "0000000D 70697869 00000000 03",
  ])
  func whatDecodingNeeds(digits: String) throws {
    let property = try parse(digits)
    #expect(throws: ImageError.self) {
      try HEIFItem(id: 1, type: "av01", properties: [property]).requireReadableProperties()
    }
    #expect(bytes(property) == hex(digits))
  }

  /// Types that are parsed have a rank, and are not among those whose fields only have a size.
  @Test func parsedTypes() throws {
    for type in ItemProperty.Box.ranks.keys {
      let content = [UInt8](repeating: 0, count: 100)
      let unknown = ItemProperty(.unknown(type, userType: nil, content: content))
      #expect(try unknown.withoutSurplus == unknown, "\(type)")
      let digits = String(type.rawValue, radix: 16)
      let isMetadata = ItemProperty.metadataTypes.contains { $0.boxType == type }
      let empty = try parse("00000008" + digits).box
      #expect(isMetadata == (empty == .unknown(type, userType: nil, content: [])), "\(type)")
    }
  }

  @Test func order() {
    let boxes: [ItemProperty.Box] = [
      .imageMirror(ImageMirrorBox(.leftAndRight)), .metadata(NominalDiffuseWhiteBox(luminance: 0)),
      .unknown("abcd", userType: nil, content: []), .imageRotation(.init(quarterTurns: 1)),
      .colorInformation(.unrestrictedICC([1])), .imageSpatialExtents(.init(width: 1, height: 1)),
      .colorInformation(.nclx(CICP(primaries: .bt2020, transfer: .pq))),
    ]
    let ordered = boxes.map { ItemProperty($0) }.inRecommendedOrder
    #expect(ordered.map(\.type) == ["ispe", "colr", "colr", "ndwt", "abcd", "irot", "imir"])
    #expect(ordered[1].box == boxes[4])
    #expect(ordered.map(\.isEssential) == [false, false, false, false, false, true, true])
  }
}
