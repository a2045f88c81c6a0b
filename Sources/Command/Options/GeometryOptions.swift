// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// Rotation and flipping, also for verbs that do not re-encode.
struct RotationOptions: ParsableArguments {
  @Option(help: .text("Rotate clockwise, by a multiple of 90.", "degrees"))
  var rotate: Int?

  @Option(help: "Then mirror left and right (horizontal), or top and bottom (vertical).")
  var flip: ConversionRequest.Geometry.Flip?

  func validate() throws {
    guard (rotate ?? 0) % 90 == 0 else {
      throw ValidationError("--rotate takes multiples of 90, not \(rotate ?? 0)")
    }
  }

  /// Sets the fields whose options are given.
  func apply(to geometry: inout ConversionRequest.Geometry) {
    if let rotate { geometry.rotation = rotate }
    if let flip { geometry.flip = flip }
  }

  /// Rotation and flip combined.
  var orientation: Orientation {
    var geometry = ConversionRequest.Geometry()
    apply(to: &geometry)
    return geometry.edit.rotation
  }
}

/// Crop, size and rotation, applied in this order.
struct GeometryOptions: ParsableArguments {
  @Option(help: .full("Part of the upright image to keep; X and Y from its top left.", "X,Y,W,H"))
  var crop: String?

  @Option(
    name: [.customLong("resize"), .customLong("sizes")],
    help: .text(
      "Size in pixels, or length of the longer side, which enlarges only with ',enlarge'; several "
        + "lengths make a file of each.", "WxH|LONG,..."))
  var resize: String?

  @OptionGroup(visibility: .inFull) var rotation: RotationOptions

  func validate() throws {
    var geometry = ConversionRequest.Geometry()
    try apply(to: &geometry)
  }

  /// Sets the fields whose options are given.
  func apply(to geometry: inout ConversionRequest.Geometry) throws(ValidationError) {
    if let crop { geometry.crop = try Self.rectangle(crop) }
    if longSides.isEmpty, let resize {
      let (sides, isEnlarged) = try Self.size(resize)
      (geometry.longSide, geometry.width, geometry.height) = (nil, nil, nil)
      if sides.count == 1 { geometry.longSide = sides[0] }
      if sides.count == 2 { (geometry.width, geometry.height) = (sides[0], sides[1]) }
      geometry.isEnlarged = isEnlarged ? true : nil
    }
    rotation.apply(to: &geometry)
  }

  /// Lengths of the longer sides of several outputs, the smallest first; empty for one output.
  var longSides: [Int] {
    let words = (resize ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let lengths = words.compactMap { Int($0) }.filter { $0 > 0 }
    return words.count > 1 && lengths.count == words.count ? Set(lengths).sorted() : []
  }

  /// Refuses several sizes for a verb that writes one file.
  func refuseSeveralSizes() throws(ValidationError) {
    guard longSides.isEmpty else {
      throw ValidationError("several sizes are for convert, which makes SDR images with --sdr")
    }
  }

  private static func rectangle(_ text: String) throws(ValidationError) -> PixelRectangle {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Int($0) }
    guard fields.count == 4, numbers.count == 4 else {
      throw ValidationError("--crop takes X,Y,W,H like 100,50,1920,1080, not '\(text)'")
    }
    return PixelRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  private static func size(
    _ text: String
  ) throws(ValidationError) -> (sides: [Int], isEnlarged: Bool) {
    let words = text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
    let fields = words[0].split(separator: "x", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Int($0) }.filter { $0 > 0 }
    guard (1...2).contains(fields.count), numbers.count == fields.count,
      words.count == 1 || words.dropFirst() == ["enlarge"]
    else {
      throw ValidationError(
        "--resize takes a size like 1920x1080, 2048 or 2048,enlarge, or several like 480,960, not '\(text)'"
      )
    }
    return (numbers, words.count == 2)
  }
}
