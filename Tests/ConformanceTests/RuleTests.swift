// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import HDRCore
import ImageCodecs
import Testing

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// A change of a valid file that violates some rules and no others.
struct Break: CustomTestStringConvertible, Sendable {
  /// Usually one rule; more if rules have the same requirement.
  let rules: Set<String>
  let fixture: Fixture
  let bytes: @Sendable () throws -> [UInt8]

  init(
    _ rules: Set<String>, _ fixture: Fixture, bytes: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.rules = rules
    self.fixture = fixture
    self.bytes = bytes
  }

  var testDescription: String { "\(rules.sorted()) in \(fixture)" }

  /// Changes whose bytes do not depend on a codec.
  static let ofStructure = hdr + heif + avif + toneMaps + png + jpeg + jpegXL + jpegXR + icc + dng
  static let all = ofStructure + jpegXLProfiles
}

/// Each rule is satisfied by a valid file and violated by an invalid one.
@Suite("Rules") struct RuleTests {
  static func checked(_ bytes: [UInt8]) throws -> CheckedFile {
    try CheckedFile(ImageFile(parsing: ByteSource(bytes), options: OpeningOptions()))
  }

  static func broken(_ judgments: [Judgment]) -> Set<String> {
    Set(judgments.filter { $0.violation != nil }.map(\.rule.id))
  }

  @Test(arguments: Fixture.allCases)
  func goodFilesKeepAllRules(fixture: Fixture) throws {
    let judgments = try Self.checked(fixture.make()).judgments()
    let violations = judgments.filter { ![.pass, .notApplicable].contains($0.verdict) }
      .map { "\($0.rule.id): \($0.findings.map(\.message)) \($0.reason ?? "")" }
    #expect(violations == [])
  }

  @Test(arguments: Break.all)
  func badFilesBreakTheirRules(change: Break) throws {
    let good = try Self.checked(try #require(Fixture.bytes[change.fixture]))
    let bad = try Self.checked(change.bytes())
    let judgments = try bad.judgments(by: good.applicableStandards.union(bad.applicableStandards))
    let broken = Self.broken(judgments)
    #expect(broken == change.rules)
    for judgment in judgments where judgment.violation != nil {
      #expect(!judgment.findings.isEmpty)
      let hasException = judgment.findings.contains(where: \.isHarmless)
      #expect(!hasException || judgment.rule.exception != nil, "\(judgment.rule.id)")
    }
  }

  /// Violations that no known reader minds, of rules that can break a file.
  private static let harmless: Set<String> = [
    "22028-5/H5-AMV-1 in avif", "22028-5/H5-BRAND-1 with heif/brand-hevc in heic",
    "22028-5/H5-BRAND-1 with heif/brand-mif1 in avif", "22028-5/H5-BRAND-1 with miaf/brand in avif",
    "22028-5/H5-CLL-1 in avifFullChroma", "22028-5/H5-MTX-1 in avif",
    "22028-5/H5-SIG-4 with 22028-5/H5-SIG-1, miaf/color-information in avif",
    "21496-1/reserved-bits in avifGainMap", "avif/av1c-once in avif", "avif/av1c-sequence in avif",
    "heif/extents-once in avif", "heif/hvcc-once in heic", "heif/hvcc-sequence in heic",
    "icc/required-tags in png", "jpeg/directory-lengths in ultraHDR",
    "jpeg/mpf-offsets with uhdr/mpf in ultraHDR", "png/chunk-once in png10",
    "png/exif in png", "png/gain-map in pngGainMap", "uhdr/directory in ultraHDR",
    "uhdr/iso-version in ultraHDR", "uhdr/mpf in ultraHDR",
    "uhdr/mpf with jpeg/mpf-content in ultraHDR", "uhdr/mpf with jpeg/mpf-offsets in ultraHDR",
    "uhdr/primary-version in ultraHDR",
  ]

  /// Each class is decided by the effect on readers, in each file.
  @Test func violationsAreClassedByTheirEffect() throws {
    var harmless: Set<String> = []
    for change in Break.all {
      let judgments = try Self.checked(change.bytes()).judgments(by: Set(Standard.allCases))
      for judgment in judgments where change.rules.contains(judgment.rule.id) {
        let others = change.rules.subtracting([judgment.rule.id]).sorted().joined(separator: ", ")
        let name = judgment.rule.id + (others.isEmpty ? "" : " with \(others)")
        switch judgment.violation {
        case .broken: #expect(judgment.rule.effect != nil)
        case .deviates: #expect(judgment.rule.level == .must)
        case .advice: #expect(judgment.rule.level != .must)
        case nil: Issue.record("\(name) is not violated")
        }
        if judgment.rule.effect != nil, judgment.violation != .broken {
          harmless.insert("\(name) in \(change.fixture)")
        }
      }
    }
    #expect(harmless == Self.harmless)
  }

  /// Sony's cameras signal compatibility with Main in profile 4, and brand the file by the profile.
  @Test(
    arguments: [
      (profile: 4, flags: 0x4800_0000, brand: "heix", isRight: true),
      (4, 0x4800_0000, "heic", true), (4, 0x0800_0000, "heic", false),
      (4, 0x0800_0000, "heix", true), (1, 0x6000_0000, "heic", true),
      (1, 0x6000_0000, "heix", false), (2, 0x2000_0000, "heic", false),
    ] as [(profile: UInt8, flags: UInt32, brand: FourCC, isRight: Bool)])
  func brandsFollowProfiles(
    profile: UInt8, flags: UInt32, brand: FourCC, isRight: Bool
  ) throws {
    var file = try HEIFFile(parsing: ByteSource(Fixture.heic.make()))
    file.fileType = FileTypeBox(majorBrand: brand, compatibleBrands: ["mif1", brand, "miaf"])
    Break.update(&file) { item in
      guard var box = item.property(HEVCConfigurationBox.self) else { return }
      box.profileTierLevel.profileIDC = profile
      box.profileTierLevel.compatibilityFlags = flags
      item.setProperty("hvcC", to: .hevcConfiguration(box))
    }
    let judgments = try Self.checked(file.serialized()).judgments(by: [.heif])
    let rule = try #require(judgments.first { $0.rule.id == "heif/brand-hevc" })
    #expect(rule.violation == (isRight ? nil : .deviates))
  }

  /// The inputs of a derivation are displayed images; libavif compares coded sizes.
  @Test(
    arguments: [(1, 64, 70, true), (1, 70, 64, true), (0, 64, 70, false)]
      as [(turns: UInt8, width: UInt32, height: UInt32, isRight: Bool)])
  func toneMapsHaveTheSizeOfTheirBaseline(
    turns: UInt8, width: UInt32, height: UInt32, isRight: Bool
  ) throws {
    var file = try HEIFFile(parsing: ByteSource(Fixture.heic.make()))
    Break.update(&file) {
      $0.setProperty("irot", to: .imageRotation(.init(quarterTurns: turns)))
    }
    let size = ImageSpatialExtentsBox(width: width, height: height)
    let toneMap = file.addItem("tmap", properties: [.imageSpatialExtents(size)], data: .file([0]))
    let primary = try file.primaryItem.id
    file.addReference("dimg", from: toneMap, to: [primary, primary])
    let judgments = try Self.checked(file.serialized()).judgments(by: [.iso21496])
    let rule = try #require(judgments.first { $0.rule.id == "21496-1/tmap-extents" })
    #expect(rule.verdict == (isRight ? .pass : .broken))
  }

  /// The digest is that of ICC.1, 7.2.18; a profile without one is not wrong.
  @Test func profileIDsAreVerified() throws {
    let profile = try ICCProfile.generate(for: CICP(primaries: .displayP3, transfer: .srgb))
    func violation(_ profile: [UInt8]) throws -> Violation? {
      var file = try PNGFile(parsing: ByteSource(Fixture.png10.make()))
      try file.setProfile(profile)
      let judgments = try Self.checked(file.serialized().allBytes()).judgments(by: [.icc])
      return try #require(judgments.first { $0.rule.id == "icc/profile-id" }).violation
    }
    #expect(try violation(profile) == nil)
    var changed = profile
    changed[67] = 3  // The rendering intent is not part of the digest.
    #expect(try violation(changed) == nil)
    changed[120] = 1
    #expect(try violation(changed) == .deviates)
    changed.replaceSubrange(84..<100, with: repeatElement(0, count: 16))
    #expect(try violation(changed) == nil)
  }

  /// A rule that no test sees both kept and broken proves nothing.
  @Test func everyRuleIsKeptAndBroken() throws {
    var kept: Set<String> = []
    var files = Array(Fixture.bytes.values)
    #if JPEGXL
    let codestream = try Break.standardCodestream()
    files.append(try JPEGXLBoxes(image: codestream, map: codestream).bytes)
    #endif
    for bytes in files {
      kept.formUnion(
        try Self.checked(bytes).judgments().filter { $0.verdict == .pass }.map(\.rule.id))
    }
    let broken = Set(Break.all.flatMap(\.rules))
    let all = Set(Rule.all.map(\.id))
    #expect(Fixture.bytes.count == Fixture.allCases.count)
    #expect(all.subtracting(kept).sorted() == [])
    #expect(all.subtracting(broken).sorted() == [])
    #expect(broken.subtracting(all).sorted() == [])
  }
}
#endif
