// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The header of a JPEG XR codestream, as far as its size, its samples and the memory of decoders
/// depend on it.
///
/// Source: ITU-T T.832 (06/2019), 8.3 (IMAGE_HEADER) and 8.4 (IMAGE_PLANE_HEADER).
package struct JPEGXRCodestream: Sendable {
  /// Size of the image, without the margins.
  package let width: Int
  package let height: Int
  /// Coded rows and columns around the image.
  package let margins: (top: Int, left: Int, bottom: Int, right: Int)
  /// Number of tile columns and rows.
  package let tiles: (columns: Int, rows: Int)
  package let isFrequencyOrder: Bool
  package let hasIndexTable: Bool
  /// Value of OVERLAP_MODE: number of filtered stages, 0...2.
  package let overlap: Int
  /// Value of PREMULTIPLIED_ALPHA_FLAG.
  package let isPremultiplied: Bool
  /// Whether a plane of alpha is interleaved with those of color.
  package let hasAlphaPlane: Bool
  /// Value of OUTPUT_CLR_FMT.
  package let colorFormat: Int
  /// Value of OUTPUT_BITDEPTH.
  package let bitDepth: Int
  /// Value of INTERNAL_CLR_FMT.
  package let internalFormat: Int
  /// Whether the samples have only luma, from which all components are decoded.
  package var isLumaOnly: Bool { internalFormat == 0 }
  /// Number of coded components.
  package let componentCount: Int

  /// Number of bytes that contain any header without tile stretching.
  private static let longest = 1 << 15
  private static let signature = Array("WMPHOTO\0".utf8)

  /// Parses the header at the start of a codestream.
  ///
  /// - Throws: `.malformed`, `.truncated` and `.unsupported` for headers that cannot be decoded.
  package init(of source: ByteSource, in range: Range<Int>) throws(ImageError) {
    let offset = range.lowerBound
    do throws(ImageError) {
      let end = min(range.upperBound, source.count, offset + Self.longest)
      let bytes = try source.bytes(in: offset..<max(offset, end))
      guard bytes.starts(with: Self.signature) else {
        throw ImageError(.missingElement, ["element": "GDI_SIGNATURE"])
      }
      var reader = BitReader(Array(bytes.dropFirst(8)), offset: offset + 8)
      try self.init(parsing: &reader)
    } catch {
      throw error.located(in: "codestream", at: offset)
    }
  }

  private init(parsing reader: inout BitReader) throws(ImageError) {
    func read(_ count: Int) throws(ImageError) -> Int { Int(try reader.read(count)) }
    func flag() throws(ImageError) -> Bool { try reader.read(1) == 1 }
    func require(_ condition: Bool, _ field: String, _ value: Int) throws(ImageError) {
      guard condition else { throw ImageError(.invalidValue, ["field": field, "value": value]) }
    }
    let version = try read(4)
    let subversion = try read(4)  // HARD_TILING_FLAG, RESERVED_C
    guard version == 1, [0, 1, 9].contains(subversion) else {
      throw ImageError(
        .unsupportedValue, ["field": "codestream version", "value": "\(version).\(subversion)"])
    }
    let isTiled = try flag()
    isFrequencyOrder = try flag()
    try reader.skip(3)  // SPATIAL_XFRM_SUBORDINATE
    hasIndexTable = try flag()
    overlap = try read(2)
    try require(overlap < 3, "OVERLAP_MODE", overlap)
    let isShort = try flag()
    try reader.skip(1)  // LONG_WORD_FLAG
    let hasWindow = try flag()
    try reader.skip(1)  // TRIM_FLEXBITS_FLAG
    let isStretched = try flag()
    try reader.skip(1)  // RED_BLUE_NOT_SWAPPED_FLAG
    isPremultiplied = try flag()
    hasAlphaPlane = try flag()
    colorFormat = try read(4)
    bitDepth = try read(4)
    let (codedWidth, codedHeight) = (
      try read(isShort ? 16 : 32) + 1, try read(isShort ? 16 : 32) + 1
    )
    var tiles = (columns: 1, rows: 1)
    var ends = (0, 0)
    if isTiled {
      tiles = (try read(12) + 1, try read(12) + 1)
      for _ in 1..<tiles.columns {
        let width = try read(isShort ? 8 : 16)
        try require(width > 0, "TILE_WIDTH_IN_MB", width)
        ends.0 += width
      }
      for _ in 1..<tiles.rows {
        let height = try read(isShort ? 8 : 16)
        try require(height > 0, "TILE_HEIGHT_IN_MB", height)
        ends.1 += height
      }
    }
    if isStretched { try reader.skip(8 * tiles.columns * tiles.rows) }
    var margins = (top: 0, left: 0, bottom: 0, right: 0)
    if hasWindow {
      margins = (try read(6), try read(6), try read(6), try read(6))
    } else {
      margins.bottom = 15 - (codedHeight - 1) % 16
      margins.right = 15 - (codedWidth - 1) % 16
    }
    try reader.skip(-reader.position & 7)
    internalFormat = try read(3)
    try reader.skip(1)  // NO_SCALED_FLAG
    let bands = try read(4)
    try require(bands < 4, "BANDS_PRESENT", bands)
    switch internalFormat {
    case 0: componentCount = 1
    case 1, 2, 3: componentCount = 3
    case 4: componentCount = 4
    case 6: componentCount = try read(4) + 1
    default:
      throw ImageError(.unsupportedValue, ["field": "INTERNAL_CLR_FMT", "value": internalFormat])
    }
    // jxrlib takes the index table of a codestream in frequency order or of tiles for granted.
    try require(hasIndexTable || !isFrequencyOrder && tiles == (1, 1), "INDEXTABLE_PRESENT_FLAG", 0)
    var size = (width: codedWidth, height: codedHeight)
    let isWhole =
      (size.width + margins.left + margins.right) % 16 == 0
      && (size.height + margins.top + margins.bottom) % 16 == 0
    if !isWhole {
      // jxrlib writes the coded size in place of the image size after cropping.
      let isCoded =
        size.width % 16 == 0 && size.height % 16 == 0 && margins.left == 0 && margins.top == 0
      try require(
        isCoded && size.width > margins.right && size.height > margins.bottom, "RIGHT_MARGIN",
        margins.right)
      size.width -= margins.right
      size.height -= margins.bottom
    }
    (width, height) = size
    self.tiles = tiles
    self.margins = margins
    try require(ends.0 < macroblocks.columns, "TILE_WIDTH_IN_MB", ends.0)
    try require(ends.1 < macroblocks.rows, "TILE_HEIGHT_IN_MB", ends.1)
  }
}

extension JPEGXRCodestream {
  /// Number of columns and rows of macroblocks.
  package var macroblocks: (columns: Int, rows: Int) {
    ((width + margins.left + margins.right) / 16, (height + margins.top + margins.bottom) / 16)
  }

  /// Throws an error unless each macroblock can have a bit of its own.
  ///
  /// Tiles may have the same offset, so that a few bytes would be decoded again and again. The least that
  /// a macroblock takes is one bit.
  ///
  /// Source: T.832, MB_DC: at least IS_DC_CH_FLAG or VAL_DC_YUV; measured with jxrlib: 1.05 bits.
  func requireData(in range: Range<Int>) throws(ImageError) {
    let (columns, rows) = macroblocks
    guard (columns * rows + 7) / 8 > range.count else { return }
    throw ImageError(
      .truncated, "the codestream of {count byte} is too short for an image of {size pixel}",
      ["count": range.count, "size": .size(width, height)],
      at: .init(path: ["codestream"], offset: range.lowerBound))
  }

  /// Upper bound of the memory of jxrlib, in bytes.
  ///
  /// It keeps two rows of macroblocks of 32-bit coefficients, their prediction, tables of the columns
  /// and rows, and for each column of tiles four bit readers and the contexts of the entropy decoder.
  package var decoderMemory: Int {
    let planes = componentCount + (hasAlphaPlane ? 1 : 0)
    let rows = macroblocks.columns * (2 * planes * (1024 + 512) + 2048 + 2048)
    let entries = tiles.columns * tiles.rows * (isFrequencyOrder ? 4 : 1)
    return 1 << 18 + rows + 32 * (width + height) + tiles.columns * (1 << 18) + 16 * entries
  }
}
