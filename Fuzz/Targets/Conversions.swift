// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import RAWDevelop

/// Limits of images that are decoded and encoded several times.
private let limits = ImageLimits(pixels: 1 << 13, side: 1 << 9, memory: 1 << 24)

private func open(_ bytes: [UInt8]) throws -> ImageFile { try opened(bytes, limits) }

/// Converts images to formats of other types of samples, and decodes the results.
func exerciseConversion(_ bytes: [UInt8]) throws {
  let document = try SourceImage.open(open(bytes))
  let size = document.image.layout
  for format in [.png, .tiff, .exr, .jpeg] as [FileFormat] {
    var options = ConversionOptions(format: format)
    options.limits = limits
    if format == .jpeg { (options.transfer, options.primaries) = (.srgb, .displayP3) }
    if format == .tiff { options.geometry.rotation = .rotated90 }
    guard let result = try? ImageConverter(options).run(document),
      let written = try? result.output.encoded(as: format, options: options.encoder)
    else { continue }
    let again = try must("a converted image is readable") {
      try SourceImage.open(open(written))
    }
    let converted = again.image.layout
    try require(
      converted.width * converted.height == size.width * size.height,
      "a converted image has the size of the original")
    _ = try must("a converted image is decodable") {
      try again.image.makeReader().read(rows: 0..<1)
    }
  }
}

/// Renders images for displays, computes gain maps between the results, and applies them.
func exerciseCreation(_ bytes: [UInt8]) throws {
  let document = try SourceImage.open(open(bytes))
  _ = try? document.contentHeadroom()
  _ = try? document.rendition(for: .constrainedHigh, display: Headroom(ratio: 4))
  let standard = try document.toneMappedToSDR()
  let high = try document.expandedToHDR()
  for options in creations {
    let pair = options.isBaseHDR ? (high, standard) : (standard, high)
    guard
      let creation = try? GainMapCreation(
        base: pair.0.description, alternate: pair.1.description, options: options),
      let map = try? creation.run(base: pair.0.makeReader(), alternate: pair.1.makeReader())
    else { continue }
    let applied = try must("a computed gain map can be applied") {
      try ImageTransform(from: pair.0.description, to: pair.1.description)
        .applying(map, for: Headroom(ratio: 2)).run(pair.0).image
    }
    try require(applied.layout == pair.1.layout, "a gain map does not change the size")
  }
  for flavors in [[.iso, .xmp], [.apple]] as [Set<GainMapFlavor>] {
    var options = GainMapEncoder.Options(format: .jpeg)
    (options.flavors, options.limits) = (flavors, limits)
    guard let result = try? GainMapEncoder(options).run(hdr: document) else { continue }
    let again = try must("a created file is readable") { try open(result.bytes.allBytes()) }
    try require(try again.gainMaps().applicable != nil, "a created gain map is found")
  }
}

private let creations: [GainMapCreation.Options] = [
  .init(), .init(scale: 2, bits: 12, isBaseHDR: true, usesBaseColorSpace: false),
  .init(componentCount: 1, offset: SignedRational(0), appleCurve: .srgb),
]

/// Transcodes files with gain maps to JPEG, exchanges, crops, and separates and joins their images.
func exerciseTranscoding(_ bytes: [UInt8]) throws {
  let file = try open(bytes)
  try exerciseJoining(of: file)
  for flavors in [nil, [.xmp], [.apple]] as [Set<GainMapFlavor>?] {
    var options = GainMapTranscoder.Options(
      format: .jpeg, base: EncoderOptions(), map: EncoderOptions())
    (options.flavors, options.limits) = (flavors, limits)
    options.isExact = flavors == [.xmp]
    if let result = try? GainMapTranscoder(file, options).transcoded() {
      try requireGainMap(in: result, "a transcoded file")
    }
    if let result = try? GainMapTranscoder(file, options).swapped() {
      try requireGainMap(in: result, "a file with exchanged images")
    }
  }
  guard file.format == .jpeg else { return }
  var crop = ConversionRequest(longSide: 4)
  crop.geometry.crop = PixelRectangle(x: 0, y: 0, width: 8, height: 4)
  crop.geometry.rotation = 90
  if let cropped = try? file.converted(crop).bytes {
    _ = try must("a cropped file is readable") { try open(cropped) }
  }
  let rotated = try? file.rotating(by: .rotated90, describingGainMapIn: nil)
  if let rotated {
    _ = try must("a rotated file is readable") { try open(rotated.bytes.allBytes()) }
  }
}

/// Separates the gain map from a file, and adds it again.
private func exerciseJoining(of file: ImageFile) throws {
  guard let map = try file.gainMaps().applicable,
    let alone = try? file.standaloneFile(ofGainMapAt: map.location).allBytes(),
    let detached = try? file.detached(map)
  else { return }
  _ = try? detached.json()
  let mapFile = try must("a separated gain map is a file") { try open(alone) }
  guard let base = try? file.droppingGainMaps() else { return }
  let again = try must("a file without its gain map is readable") {
    try open(base.bytes.allBytes())
  }
  guard let joined = try? again.joining(mapFile, detached) else { return }
  try requireGainMap(in: joined, "a file with its gain map added again")
}

private func requireGainMap(in result: RewrittenFile, _ name: String) throws {
  let again = try must("\(name) is readable") { try open(result.bytes.allBytes()) }
  try require(try again.gainMaps().applicable != nil, "\(name) has a gain map")
}
