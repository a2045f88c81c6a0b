// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Cropping coded samples") struct CodedSamplesCropTests {
  private static let layout = ImageLayout(
    codedWidth: 20, height: 20, chroma: .yuv420, bits: 10)

  /// Luma is x + 100 y; chroma at even columns and rows equals the luma there.
  private let planes: ImagePlanes = {
    func ramp(_ step: Int) -> Plane<UInt16> {
      let size = 20 / step
      return Plane(width: size, height: size) { samples in
        for y in 0..<size { for x in 0..<size { samples.append(UInt16(x * step + 40 * y * step)) } }
      }
    }
    return ImagePlanes(layout: Self.layout, planes: .integer([ramp(1), ramp(2), ramp(2)]))
  }()

  private func geometry(left: Int, top: Int, width: Int, height: Int) throws -> ItemGeometry {
    let aperture = CleanApertureBox(
      width: .init(UInt32(width)), height: .init(UInt32(height)),
      horizontalOffset: .init(Int32(2 * left + width - 20), over: 2),
      verticalOffset: .init(Int32(2 * top + height - 20), over: 2))
    return try ItemGeometry(
      width: 20, height: 20, properties: [ItemProperty(.cleanAperture(aperture))])
  }

  /// Between chroma samples, a linear ramp is interpolated exactly, so that chroma siting is kept.
  @Test(arguments: [(4, 6), (5, 6), (4, 7), (5, 7)])
  func chromaStaysUnderLuma(left: Int, top: Int) throws {
    let cropped = try planes.cropped(to: geometry(left: left, top: top, width: 9, height: 7))
    #expect((cropped.layout.width, cropped.layout.height) == (9, 7))
    for y in 0..<7 {
      for x in 0..<9 {
        #expect(Int(cropped.codedPlanes[0].values(inRow: y)[x]) == x + left + 40 * (y + top))
      }
    }
    for chroma in cropped.codedPlanes[1...] {
      #expect((chroma.width, chroma.height) == (5, 4))
      for y in 0..<4 {
        for x in 0..<5 {
          #expect(Int(chroma.values(inRow: y)[x]) == 2 * x + left + 40 * (2 * y + top))
        }
      }
    }
  }

  @Test func nothingToCropChangesNothing() throws {
    let cropped = try planes.cropped(to: geometry(left: 0, top: 0, width: 20, height: 20))
    #expect(cropped.codedPlanes == planes.codedPlanes)
  }

  /// Cubic interpolation overshoots at edges; code values are clipped to the bit depth.
  @Test func overshootIsClipped() throws {
    let edge = Plane<UInt16>(width: 10, height: 10) { samples in
      for _ in 0..<10 { for x in 0..<10 { samples.append(x < 5 ? 0 : 1023) } }
    }
    let luma = Plane<UInt16>(width: 20, height: 20, filledWith: 0)
    let sharp = ImagePlanes(layout: Self.layout, planes: .integer([luma, edge, edge]))
    let cropped = try sharp.cropped(to: geometry(left: 1, top: 0, width: 18, height: 20))
    #expect(cropped.codedPlanes[1].values(inRow: 3) == [0, 0, 0, 0, 512, 1023, 1023, 1023, 1023])
  }
}
#endif
