// SPDX-License-Identifier: Apache-2.0
import ImageFiles

/// Bitstreams written by other programs.
enum HEVCVectors {
  /// `hvcC` of heif-enc 1.15.1 with x265 3.5, for a 64x48 image in 10 bit, 4:2:0.
  ///
  /// The summary does not contain constraint flags, unlike the parameter sets.
  static let configuration420 =
    "00000075687663430104080000000000000000001ef000fcfdfafa00000f03200001001740010c01ffff040800"
    + "0003009db800000300001eba0240210001002a4201010408000003009db800000300001ea0208104d96eae4a6b"
    + "9b81010302000003000200000300021022000100064401c173c089"
  /// The same in 4:4:4.
  static let configuration444 =
    "00000077687663430104080000000000000000001ef000fcfffafa00000f03200001001740010c01ffff040800"
    + "0003009c3800000300001eba0240210001002a4201010408000003009c3800000300001e900410209b2dd5c94d"
    + "7370202060400000030040000003004222000100084401c17318300890"
  /// Sequence parameter set of ffmpeg 5.1 with x265 3.5 for 70x50 in 12 bit, 4:2:2.
  ///
  /// It contains a conformance window, signal type, chroma location, timing and HRD parameters.
  /// Fields as printed by ffmpeg's `trace_headers`.
  static let sequence422 =
    "420101040800000300990800000300003cb024839d4e5296566b9395e03461220136c5b6e000000300200000"
    + "03032c02924bc001e848003d0910"
}
