// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The print resolution of an image, which every format that is written carries over from Exif.
extension ExifBlock {
  /// Pixels per inch, across and down; `nil` if they are not specified.
  ///
  /// Source: Exif 3.0, 4.6.5.1: ResolutionUnit 2 is the inch, the default, and 3 the centimeter.
  package var pixelsPerInch: SIMD2<Double>? {
    guard let x = number(.xResolution), x.isFinite, x > 0 else { return nil }
    let y = number(.yResolution).flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? x
    switch number(.resolutionUnit) ?? 2 {
    case 2: return SIMD2(x, y)
    case 3: return SIMD2(x, y) * 2.54
    default: return nil
    }
  }

  /// The resolution of a block; `nil` without one, or if the block is unreadable.
  ///
  /// - Throws: Errors that end the whole job.
  package static func pixelsPerInch(of exif: [UInt8]?) throws(ImageError) -> SIMD2<Double>? {
    try exif.flatMap { bytes throws(ImageError) in
      try ifReadable(try ExifBlock(parsing: bytes))?.pixelsPerInch
    }
  }

  /// Returns Exif with the resolution that the container stores.
  ///
  /// - Parameters:
  ///   - resolution: Pixels per inch; `nil` and 72, which readers assume, add nothing.
  ///   - exif: The block, whose own resolution and unreadable bytes stay; `nil` if it is missing.
  /// - Returns: The block.
  /// - Throws: `.limitExceeded` for a block that is too large.
  package static func adding(
    _ resolution: SIMD2<Double>?, to exif: [UInt8]?
  ) throws(ImageError) -> [UInt8]? {
    guard let resolution, resolution != SIMD2(72, 72),
      var block = try ifReadable(
        try ExifBlock(parsing: exif ?? minimal(orientation: .upright))),
      block.main[.xResolution] == nil
    else { return exif }
    try block.addToMain(block.entries(of: resolution))
    return block.bytes
  }

  /// Entries for a number of pixels per inch.
  func entries(of resolution: SIMD2<Double>) -> [NewEntry] {
    func rational(_ number: Double) -> [UInt8] {
      let denominator: UInt32 = number == number.rounded() ? 1 : 1000
      let numerator = UInt32(clamping: (number * Double(denominator)).rounded())
      return encoded(numerator) + encoded(denominator)
    }
    return [
      NewEntry(tag: .xResolution, type: .rational, values: rational(resolution.x)),
      NewEntry(tag: .yResolution, type: .rational, values: rational(resolution.y)),
      NewEntry(tag: .resolutionUnit, type: .short, values: encoded(2 as UInt16)),
    ]
  }

  /// Whether a block contains nothing but resolution and orientation.
  ///
  /// - Throws: Errors that end the whole job.
  package static func describesPrintAlone(_ exif: [UInt8]) throws(ImageError) -> Bool {
    let tags: Set<TIFFTag> = [.orientation, .xResolution, .yResolution, .resolutionUnit]
    let block = try ifReadable(try ExifBlock(parsing: exif))
    return block?.main.entries.allSatisfy { tags.contains($0.tag) } == true
  }
}

extension JPEGImage {
  /// Pixels per inch in JFIF; `nil` if it specifies at most a pixel aspect ratio.
  ///
  /// Source: ITU-T T.871, 10.1: unit 1 is the inch, 2 the centimeter.
  var pixelsPerInch: SIMD2<Double>? {
    guard let body = segments(.jfif).first?.body, body.count >= 7, 1...2 ~= body[2] else {
      return nil
    }
    let density =
      SIMD2(Double(body[3]), Double(body[5])) * 256 + SIMD2(Double(body[4]), Double(body[6]))
    return density.min() > 0 ? density * (body[2] == 2 ? 2.54 : 1) : nil
  }

  /// Sets the resolution of JFIF, in whole pixels per inch; `nil`, or one that JFIF cannot store, changes nothing.
  ///
  /// - Throws: Errors of replacing segments.
  package mutating func setPixelsPerInch(_ resolution: SIMD2<Double>?) throws(ImageError) {
    guard var body = segments(.jfif).first?.body, body.count >= 7, let resolution,
      resolution.min() >= 0.5, resolution.max() < 65_535
    else { return }
    let (x, y) = (Int(clamping: resolution.x.rounded()), Int(clamping: resolution.y.rounded()))
    body.replaceSubrange(
      2..<7, with: [1, x >> 8, x & 255, y >> 8, y & 255].map(UInt8.init(clamping:)))
    try replace(.jfif, with: [body])
  }
}

extension PNGPixelSize {
  /// Whole pixels per meter; `nil` for a resolution that a chunk cannot store.
  package init?(pixelsPerInch resolution: SIMD2<Double>) {
    let perMeter = (resolution / 0.0254).rounded(.toNearestOrAwayFromZero)
    guard perMeter.min() >= 1, perMeter.max() < 0x1p31 else { return nil }
    (perUnitX, perUnitY) = (UInt32(clamping: perMeter.x), UInt32(clamping: perMeter.y))
    isPerMeter = true
  }

  /// Pixels per inch, whole numbers if they are stored as these pixels per meter; `nil` for an aspect ratio.
  var pixelsPerInch: SIMD2<Double>? {
    guard isPerMeter, perUnitX > 0, perUnitY > 0 else { return nil }
    let resolution = SIMD2(Double(perUnitX), Double(perUnitY)) * 0.0254
    let whole = resolution.rounded(.toNearestOrAwayFromZero)
    return PNGPixelSize(pixelsPerInch: whole) == self ? whole : resolution
  }
}
