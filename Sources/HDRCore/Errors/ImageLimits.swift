// SPDX-License-Identifier: Apache-2.0
/// Limits of the resources that an untrusted file may use.
///
/// Limits are checked before memory is allocated. Values outside 0...2^48 become the nearest one inside.
public struct ImageLimits: Hashable, Sendable {
  /// Number of pixels of one image.
  public var pixels: Int { didSet { pixels = Self.possible(pixels) } }
  /// Width or height of one image.
  public var side: Int { didSet { side = Self.possible(side) } }
  /// Bytes of memory of one buffer that the file requires: the samples of its image at 16 bits
  /// each, a block of encoded samples, or a profile.
  public var memory: Int { didSet { memory = Self.possible(memory) } }
  /// Number of items, properties, segments, chunks or directory entries of one file.
  public var items: Int { didSet { items = Self.possible(items) } }
  /// Depth of nested structures.
  public var nesting: Int { didSet { nesting = Self.possible(nesting) } }

  public init(
    pixels: Int = 1 << 29, side: Int = 1 << 16, memory: Int = 8 << 30, items: Int = 1 << 16,
    nesting: Int = 32
  ) {
    self.pixels = Self.possible(pixels)
    self.side = Self.possible(side)
    self.memory = Self.possible(memory)
    self.items = Self.possible(items)
    self.nesting = Self.possible(nesting)
  }

  /// Parsers multiply and subtract limits.
  private static func possible(_ limit: Int) -> Int { min(max(limit, 0), 1 << 48) }

  /// Fails unless an image of this size may be decoded.
  ///
  /// - Throws: `.malformed` for an empty image, `.limitExceeded` for one that is too large.
  public func check(width: Int, height: Int) throws(ImageError) {
    guard width > 0, height > 0 else {
      throw ImageError(.emptyImage, ["width": width, "height": height])
    }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard width <= side, height <= side, !overflow, area <= pixels else {
      throw ImageError(
        .pixelLimitExceeded,
        ["size": .size(width, height), "limit": pixels, "side": side])
    }
  }

  /// Fails unless the samples of an image fit in `memory` at 16 bits each.
  ///
  /// - Throws: `.malformed` for an empty image, `.limitExceeded` for one that is too large or whose
  ///   samples exceed `memory`.
  public func checkMemory(of format: ImageLayout) throws(ImageError) {
    try check(width: format.width, height: format.height)
    var integers = format
    integers.samples = .integer(bits: 16)
    guard integers.byteCount <= memory else {
      throw ImageError(
        .sampleMemoryExceeded,
        [
          "size": .size(format.width, format.height), "memory": integers.byteCount,
          "limit": memory,
        ])
    }
  }
}
