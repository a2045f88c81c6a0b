// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Video usability information (VUI): color and chroma sample location.
///
/// Source: ITU-T H.265, E.2.1.
package struct HEVCVideoUsability: Hashable, Sendable {
  /// Code points; unspecified if only the range is signaled, `nil` without video_signal_type.
  package let cicp: CICP?
  /// chroma_sample_loc_type_top_field.
  package let chromaSampleLocation: UInt32?
  package let minimumSpatialSegmentation: UInt16

  /// Location of chroma samples; `nil` if it is not signaled or not supported.
  package var chromaLocation: ChromaLocation? {
    chromaSampleLocation.flatMap { ChromaLocation(rawValue: Int($0)) }
  }

  init(parsing reader: inout BitReader, layers: Int) throws(ImageError) {
    if try reader.readFlag(), try reader.read(8) == 255 { try reader.skip(32) }
    if try reader.readFlag() { try reader.skip(1) }
    cicp = try reader.readFlag() ? try Self.readSignalType(&reader) : nil
    if try reader.readFlag() {
      chromaSampleLocation = try reader.readExpGolomb(upTo: 5, "chroma_sample_loc_type")
      _ = try reader.readExpGolomb()
    } else {
      chromaSampleLocation = nil
    }
    try reader.skip(3)
    if try reader.readFlag() {
      for _ in 0..<4 { _ = try reader.readExpGolomb() }
    }
    if try reader.readFlag() { try Self.skipTiming(&reader, layers: layers) }
    guard try reader.readFlag() else {
      minimumSpatialSegmentation = 0
      return
    }
    try reader.skip(3)
    minimumSpatialSegmentation = UInt16(
      try reader.readExpGolomb(upTo: 4095, "min_spatial_segmentation_idc"))
    for _ in 0..<4 { _ = try reader.readExpGolomb() }
  }

  private static func readSignalType(_ reader: inout BitReader) throws(ImageError) -> CICP {
    try reader.skip(3)
    var cicp = CICP(primaries: .unspecified, transfer: .unspecified, matrix: .unspecified)
    cicp.isFullRange = try reader.readFlag()
    if try reader.readFlag() {
      cicp.primaries = .init(rawValue: UInt16(try reader.read(8)))
      cicp.transfer = .init(rawValue: UInt16(try reader.read(8)))
      cicp.matrix = .init(rawValue: UInt16(try reader.read(8)))
    }
    return cicp
  }

  private static func skipTiming(_ reader: inout BitReader, layers: Int) throws(ImageError) {
    try reader.skip(64)
    if try reader.readFlag() { _ = try reader.readExpGolomb() }
    if try reader.readFlag() { try skipReferenceDecoder(&reader, layers: layers) }
  }

  /// Source: ITU-T H.265, E.2.2 (hrd_parameters).
  private static func skipReferenceDecoder(
    _ reader: inout BitReader, layers: Int
  ) throws(ImageError) {
    let hasNAL = try reader.readFlag()
    let hasVCL = try reader.readFlag()
    var hasSubPictures = false
    if hasNAL || hasVCL {
      hasSubPictures = try reader.readFlag()
      if hasSubPictures { try reader.skip(8 + 5 + 1 + 5) }
      try reader.skip(4 + 4)
      if hasSubPictures { try reader.skip(4) }
      try reader.skip(5 + 5 + 5)
    }
    for _ in 0..<layers {
      let isFixedGenerally = try reader.readFlag()
      let isFixed = isFixedGenerally ? true : try reader.readFlag()
      var isLowDelay = false
      if isFixed {
        _ = try reader.readExpGolomb()
      } else {
        isLowDelay = try reader.readFlag()
      }
      let buffers = isLowDelay ? 1 : try reader.readExpGolomb(upTo: 31, "cpb_cnt_minus1") + 1
      for hasParameters in [hasNAL, hasVCL] where hasParameters {
        for _ in 0..<buffers {
          for _ in 0..<(hasSubPictures ? 4 : 2) { _ = try reader.readExpGolomb() }
          try reader.skip(1)
        }
      }
    }
  }
}
