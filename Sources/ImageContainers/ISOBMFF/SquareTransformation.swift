internal import HDRCore

/// One of the eight ways to lay a square on itself: where its columns and rows point.
///
/// A stored point (x, y), seen from the center with y downward, shows at
/// (xx * x + xy * y, yx * x + yy * y).
struct SquareTransformation: Hashable, Sendable {
  private let xx: Int
  private let xy: Int
  private let yx: Int
  private let yy: Int

  static let identity = SquareTransformation(xx: 1, xy: 0, yx: 0, yy: 1)
  /// What was at the right shows at the top.
  static let quarterTurnAnticlockwise = SquareTransformation(xx: 0, xy: 1, yx: -1, yy: 0)
  static let leftRightMirror = SquareTransformation(xx: -1, xy: 0, yx: 0, yy: 1)
  static let topBottomMirror = SquareTransformation(xx: 1, xy: 0, yx: 0, yy: -1)

  /// The transformation of an orientation.
  init(_ orientation: Orientation) {
    self = .identity
    for box in HEIFItem.transformations(for: orientation) { apply(box) }
  }

  private init(xx: Int, xy: Int, yx: Int, yy: Int) {
    (self.xx, self.xy, self.yx, self.yy) = (xx, xy, yx, yy)
  }

  /// Goes on with a rotation or a mirror; other properties turn nothing.
  mutating func apply(_ box: ItemProperty.Box) {
    switch box {
    case .imageRotation(let box):
      for _ in 0..<box.quarterTurns { self = Self.quarterTurnAnticlockwise.after(self) }
    case .imageMirror(let box):
      let mirror: Self = box.exchange == .leftAndRight ? .leftRightMirror : .topBottomMirror
      self = mirror.after(self)
    default: break
    }
  }

  /// This transformation applied to what `first` yields.
  func after(_ first: SquareTransformation) -> SquareTransformation {
    SquareTransformation(
      xx: xx * first.xx + xy * first.yx, xy: xx * first.xy + xy * first.yy,
      yx: yx * first.xx + yy * first.yx, yy: yx * first.xy + yy * first.yy)
  }

  /// The orientation with this transformation.
  ///
  /// Source: Exif (CIPA DC-008), tag 274: what the first row and column show as.
  var orientation: Orientation {
    switch (xx, xy, yx, yy) {
    case (-1, 0, 0, 1): .mirrored
    case (-1, 0, 0, -1): .rotated180
    case (1, 0, 0, -1): .flipped
    case (0, 1, 1, 0): .transposed
    case (0, -1, 1, 0): .rotated90
    case (0, -1, -1, 0): .transversed
    case (0, 1, -1, 0): .rotated270
    default: .upright
    }
  }
}

extension Orientation {
  /// Whether stored columns and rows show in reverse: from right to left, or from bottom to top,
  /// along whichever side they come to lie.
  var reversedSides: (columns: Bool, rows: Bool) {
    switch self {
    case .upright, .transposed: (false, false)
    case .mirrored, .rotated270: (true, false)
    case .rotated180, .transversed: (true, true)
    case .flipped, .rotated90: (false, true)
    }
  }
}
