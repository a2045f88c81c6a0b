import HDRCore
import TestSupport
import Testing

@testable import GainMap

@Suite("Descriptions of gain maps in the words of each flavor") struct GainMapDescriptionTests {
  @Test func parametersStayTheSame() throws {
    let metadata = try metadata()
    let description = try GainMapDescription(
      of: .parameters(metadata), in: [.iso, .xmp], mapIsGray: true)
    #expect(description.iso == metadata && description.xmp == metadata)
    #expect(description.apple == nil && description.worstError == 0)
    #expect(description.notices.isEmpty)
  }

  /// XMP takes what is about the alternate's primaries only where they make no difference.
  @Test func xmpNeedsTheBaseColorSpace() throws {
    let metadata = try metadata(usesBaseColorSpace: false)
    let gray = try GainMapDescription(of: .parameters(metadata), in: [.xmp], mapIsGray: true)
    #expect(gray.xmp?.usesBaseColorSpace == true)
    #expect(throws: ImageError.self) {
      _ = try GainMapDescription(of: .parameters(metadata), in: [.xmp], mapIsGray: false)
    }
  }

  /// Source: `gainmap-conversion.md`, section 3, route C for H = 4.
  @Test func appleMapsAreFitted() throws {
    let map = try AppleGainMap(headroom: Headroom(ratio: 4))
    let description = try GainMapDescription(
      of: .apple(map), in: [.iso, .apple], mapIsGray: true)
    #expect(description.apple == map && description.xmp == nil)
    #expect(description.worstError <= 0.0535 && description.worstError > 0.053)
    #expect(description.notices.map(\.kind) == [.assumed])
    let back = try GainMapDescription(
      of: .parameters(try #require(description.iso)), in: [.apple], mapIsGray: true)
    #expect(isClose(try #require(back.apple).headroom.ratio, 4, relative: 1e-6))
    #expect(isClose(back.worstError, description.worstError, absolute: 1e-9))
  }

  /// A straight line and Apple's curve have nothing in common; nobody gets that silently.
  @Test func whatIsTooFarOffIsRefused() throws {
    let line = try metadata(maximum: 3, gamma: 1, baseOffset: 0, alternateOffset: 0)
    #expect(throws: ImageError.self) {
      _ = try GainMapDescription(of: .parameters(line), in: [.apple], mapIsGray: true)
    }
    let offsets = try metadata(maximum: 3)
    #expect(throws: ImageError.self) {
      _ = try GainMapDescription(of: .parameters(offsets), in: [.apple], mapIsGray: true)
    }
  }
}
