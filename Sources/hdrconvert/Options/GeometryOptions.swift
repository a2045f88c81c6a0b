// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Rotation and flipping, also for verbs that do not re-encode.
struct RotationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Rotate clockwise, by a multiple of 90.", valueName: "degrees"))
  var rotate = 0

  @Option(help: "Then mirror left and right (horizontal), or top and bottom (vertical).")
  var flip: Flip?

  enum Flip: String, ExpressibleByArgument, CaseIterable {
    case horizontal
    case vertical

    var orientation: Orientation { self == .horizontal ? .mirrored : .flipped }
  }

  func validate() throws {
    guard rotate % 90 == 0 else {
      throw ValidationError("--rotate takes multiples of 90, not \(rotate)")
    }
  }

  /// Rotation and flip combined.
  var orientation: Orientation {
    Orientation.rotation(clockwise: rotate).followed(by: flip?.orientation ?? .upright)
  }
}

/// Crop, size and rotation, applied in this order.
struct GeometryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Part of the upright image to keep; X and Y from its top left.",
      valueName: "X,Y,W,H", visibility: .inFull))
  var crop: String?

  @Option(
    help: ArgumentHelp(
      "Size in pixels, or length of the longer side, which never enlarges.",
      valueName: "WxH|LONG"))
  var resize: String?

  @Flag(help: ArgumentHelp("With --resize LONG: enlarge smaller images.", visibility: .inFull))
  var enlarge = false

  @OptionGroup(visibility: .inFull) var rotation: RotationOptions

  func validate() throws {
    _ = try edit()
    guard !enlarge || resize != nil else { throw ValidationError("--enlarge requires --resize") }
  }

  func edit() throws(ValidationError) -> GeometryEdit {
    GeometryEdit(
      crop: try crop.map(Self.rectangle), size: try resize.map(Self.size),
      rotation: rotation.orientation)
  }

  private static func rectangle(_ text: String) throws(ValidationError) -> PixelRectangle {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Int($0) }
    guard fields.count == 4, numbers.count == 4 else {
      throw ValidationError("--crop takes X,Y,W,H like 100,50,1920,1080, not '\(text)'")
    }
    return PixelRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  private static func size(_ text: String) throws(ValidationError) -> GeometryEdit.Size {
    let fields = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Int($0) }.filter { $0 > 0 }
    guard (1...2).contains(fields.count), numbers.count == fields.count else {
      throw ValidationError("--resize takes a size like 1920x1080 or 2048, not '\(text)'")
    }
    return numbers.count == 1
      ? .longSide(numbers[0]) : .exact(width: numbers[0], height: numbers[1])
  }
}
