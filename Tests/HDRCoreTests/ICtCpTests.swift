// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("ICtCp") struct ICtCpTests {
  @Test func matricesEqualVectors() throws {
    let matrices = [
      "RGB2020->LMS": ICtCp.lmsFromRGB, "LMS->RGB2020": ICtCp.rgbFromLMS,
      "LMSpq->ICtCp": ICtCp.fromPQ, "ICtCp->LMSpq": ICtCp.toPQ,
      "LMShlg->ICtCp": ICtCp.fromHLG, "ICtCp->LMShlg": ICtCp.toHLG,
    ]
    for row in try VectorTable("matrix_ictcp").rows {
      #expect(isClose(try #require(matrices[row.text("name")]), row.matrix), "\(row.name)")
    }
  }

  @Test func pqEqualsVectors() throws {
    for row in try VectorTable("ictcp_pq").rows {
      let luminance = row.color("nits_r_2020", "nits_g_2020", "nits_b_2020")
      let expected = row.color("I", "Ct", "Cp")
      #expect(
        isClose(ICtCp.signal(ofLuminance: luminance), expected, absolute: 1e-12), "\(row.name)")
      // The slope of PQ near black makes the inverse less precise by the same factor.
      #expect(
        isClose(ICtCp.luminance(ofSignal: expected), luminance, relative: 1e-9, absolute: 1e-9),
        "\(row.name)")
    }
  }

  @Test func hlgEqualsVectors() throws {
    for row in try VectorTable("ictcp_hlg").rows {
      let scene = row.color("scene_r_2020", "scene_g_2020", "scene_b_2020")
      let expected = row.color("I", "Ct", "Cp")
      #expect(isClose(ICtCp.signal(ofScene: scene), expected, absolute: 1e-12), "\(row.name)")
      #expect(isClose(ICtCp.scene(ofSignal: expected), scene, relative: 1e-11), "\(row.name)")
    }
  }
}
