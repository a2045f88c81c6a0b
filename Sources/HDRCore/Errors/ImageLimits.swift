// SPDX-License-Identifier: Apache-2.0
/// Limits of the resources that an untrusted file may use.
///
/// Limits are checked before memory is allocated. `Execution.Budget` bounds all images and files of
/// a job together. Values outside 0...2^48, and sides above 2^31 - 1, become the nearest possible one.
public struct ImageLimits: Hashable, Sendable {
  /// Number of pixels of one image; by default 2^29.
  public var pixels: Int { didSet { pixels = Self.possible(pixels) } }
  /// Width or height of one image, in pixels; by default 65 536.
  public var side: Int { didSet { side = Self.possible(side, Int(Int32.max)) } }
  /// Bytes of memory of one buffer that the file requires: the samples of its image at 16 bits
  /// each, a block of encoded samples, or a profile; by default 8 GiB.
  public var memory: Int { didSet { memory = Self.possible(memory) } }
  /// Number of items, properties, segments, chunks or directory entries of one file; by default
  /// 65 536.
  public var items: Int { didSet { items = Self.possible(items) } }
  /// Depth of nested structures; by default 32.
  public var nesting: Int { didSet { nesting = Self.possible(nesting) } }

  /// Makes limits; see the properties.
  public init(
    pixels: Int = 1 << 29, side: Int = 1 << 16, memory: Int = 8 << 30, items: Int = 1 << 16,
    nesting: Int = 32
  ) {
    self.pixels = Self.possible(pixels)
    self.side = Self.possible(side, Int(Int32.max))
    self.memory = Self.possible(memory)
    self.items = Self.possible(items)
    self.nesting = Self.possible(nesting)
  }

  /// Parsers multiply and subtract limits.
  private static func possible(_ limit: Int, _ highest: Int = 1 << 48) -> Int {
    min(max(limit, 0), highest)
  }

  /// Fails unless an image of this size may be decoded.
  ///
  /// - Throws: `.malformed` for a width or height below 1, `.limitExceeded` for an image of more
  ///   pixels or longer sides.
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
  /// - Throws: As `check(width:height:)`; `.limitExceeded` if the samples exceed `memory`.
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
