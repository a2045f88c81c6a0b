// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Apple gain map XMP") struct AppleGainMapXMPTests {
  /// The packet of a gain map as phones write it: elements, not attributes.
  static func packet(_ headroom: String?, auxiliaryType: String? = nil) throws -> XMPPacket {
    var body = ""
    if let auxiliaryType {
      body += "<apdi:AuxiliaryImageType>\(auxiliaryType)</apdi:AuxiliaryImageType>"
    }
    body += "<m:HDRGainMapVersion>\(headroom == nil ? 65536 : 131_072)</m:HDRGainMapVersion>"
    if let headroom { body += "<m:HDRGainMapHeadroom>\(headroom)</m:HDRGainMapHeadroom>" }
    return try XMPPacket(
      parsing: Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
         xmlns:m="\(AppleGainMapXMP.namespace)" xmlns:apdi="\(AppleGainMapXMP.pixelDataNamespace)">
        \(body)</rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8))
  }

  @Test func versions() throws {
    let new = try #require(AppleGainMapXMP(try Self.packet("4.880772")))
    #expect(new.version == AppleGainMapXMP.versionWithHeadroom)
    #expect(new.headroom == 4.880772)
    let old = try #require(AppleGainMapXMP(try Self.packet(nil, auxiliaryType: "urn:x")))
    #expect(old.version == 65536)
    #expect(old.headroom == nil)
    #expect(old.auxiliaryType == "urn:x")
    #expect(AppleGainMapXMP(try XMPPacket(parsing: XMPPacket.empty)) == nil)
  }

  /// The headroom is a ratio: 4.880772 is 2.287109 stops, as in the `tmap` of the same file.
  @Test func headroomIsARatio() throws {
    let xmp = AppleGainMapXMP(try Self.packet("4.880772"))
    var notices: [Notice] = []
    let description = try FoundGainMap.Description(xmp, nil, curve: .bt709, notices: &notices)
    #expect(isClose(description.metadata.alternateHeadroom.value, 2.287109, absolute: 1e-6))
    #expect(description.metadata.appleCurve == .bt709)
    #expect(description.numbers.map(\.source) == [.xmp, .xmp, .assumed])
  }

  @Test func xmpWinsOverTheMakerNote() throws {
    var notices: [Notice] = []
    let three = AppleMakerNote(hdrHeadroom: 1.2, hdrGain: 0)
    func stops(_ headroom: String?, _ note: AppleMakerNote?) throws -> Double {
      notices = []
      let xmp = AppleGainMapXMP(try Self.packet(headroom))
      return try FoundGainMap.Description(xmp, note, curve: .srgb, notices: &notices)
        .metadata.alternateHeadroom.value
    }
    #expect(try stops("4", three) == 2)
    #expect(notices.map(\.category) == [.conflict])
    #expect(try stops("8.05", three) > 3)  // Within one percent.
    #expect(notices.isEmpty)
    #expect(try stops(nil, three) == 3)
    #expect(notices.isEmpty)
    for nonsense in ["0.5", "-1", "nan", "inf", "1e30"] {
      #expect(try stops(nonsense, three) == 3)
      #expect(notices.map(\.category) == [.irregular])
    }
    #expect(throws: ImageError.self) { try stops(nil, nil) }
    #expect(throws: ImageError.self) { try stops("0", nil) }
    #expect(try stops("1", nil) == 0)
  }
}
