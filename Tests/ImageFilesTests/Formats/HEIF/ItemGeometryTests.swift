// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("Cropping and rotation") struct ImageGeometryTests {
  func geometry(
    _ boxes: [ItemProperty.Box], width: Int = 60, height: Int = 40
  ) throws(ImageError) -> ItemGeometry {
    try ItemGeometry(width: width, height: height, properties: boxes.map { ItemProperty($0) })
  }

  static func aperture(
    _ width: UInt32, _ height: UInt32, _ horizontal: CleanApertureBox.Offset = .init(0),
    _ vertical: CleanApertureBox.Offset = .init(0)
  ) -> ItemProperty.Box {
    .cleanAperture(
      CleanApertureBox(
        width: .init(width), height: .init(height), horizontalOffset: horizontal,
        verticalOffset: vertical))
  }

  @Test(arguments: Orientation.allCases)
  func orientationThereAndBack(_ orientation: Orientation) throws {
    #expect(try geometry(HEIFItem.transformations(for: orientation)).orientation == orientation)
    var item = HEIFItem(id: 1, type: "av01")
    item.setOrientation(.transversed)
    item.setOrientation(orientation)
    #expect(
      item.properties.map(\.box) == HEIFItem.transformations(for: orientation))
  }

  /// Compares the effect of the boxes on the pixels of a small image with the table in Exif.
  @Test(arguments: Orientation.allCases)
  func pixelsMoveAsExifSpecifies(_ orientation: Orientation) throws {
    var image = [["a", "b", "c"], ["d", "e", "f"]]
    for box in HEIFItem.transformations(for: orientation) {
      switch box {
      case .imageRotation(let rotation):
        for _ in 0..<rotation.quarterTurns {
          // Anticlockwise: the last column becomes the first row.
          image = (0..<image[0].count).reversed().map { x in image.map { $0[x] } }
        }
      case .imageMirror(let mirror):
        image =
          mirror.exchange == .topAndBottom
          ? image.reversed() : image.map { $0.reversed() }
      default: Issue.record("\(box)")
      }
    }
    // Source: CIPA DC-008, tag 274: visual position of row 0 and column 0.
    let expected: [Orientation: [String]] = [
      .upright: ["abc", "def"], .mirrored: ["cba", "fed"], .rotated180: ["fed", "cba"],
      .flipped: ["def", "abc"], .transposed: ["ad", "be", "cf"], .rotated90: ["da", "eb", "fc"],
      .transversed: ["fc", "eb", "da"], .rotated270: ["cf", "be", "ad"],
    ]
    #expect(image.map { $0.joined() } == expected[orientation])
  }

  /// Checks compositions of rotation and mirroring in both orders with the corners of an image.
  @Test func everyComposition() throws {
    for turns in 0..<4 as Range<UInt8> {
      for exchange in [ImageMirrorBox.Exchange.topAndBottom, .leftAndRight] {
        let rotation = ItemProperty.Box.imageRotation(.init(quarterTurns: turns))
        let mirror = ItemProperty.Box.imageMirror(.init(exchange))
        for boxes in [
          [rotation, mirror], [mirror, rotation], [mirror, mirror, rotation], [rotation, rotation],
        ] {
          let result = try geometry(boxes).orientation
          let canonical = HEIFItem.transformations(for: result)
          for corner in [(1, 2), (-1, 2)] {
            #expect(move(corner, boxes) == move(corner, canonical))
          }
        }
      }
    }
  }

  /// Transforms a point relative to the center, with y downward.
  private func move(_ point: (Int, Int), _ boxes: [ItemProperty.Box]) -> (Int, Int) {
    var (x, y) = point
    for box in boxes {
      switch box {
      case .imageRotation(let rotation):
        for _ in 0..<rotation.quarterTurns { (x, y) = (y, -x) }
      case .imageMirror(let mirror):
        if mirror.exchange == .leftAndRight { x = -x } else { y = -y }
      default: continue
      }
    }
    return (x, y)
  }

  @Test func apertures() throws {
    let centered = try geometry([Self.aperture(20, 10)])
    #expect(centered.left == 20 && centered.top == 15)
    #expect(centered.width == 20 && centered.height == 10)
    // As libheif crops the padding of odd sizes: 1/2 pixel to the left and up.
    let odd = try geometry([Self.aperture(59, 39, .init(-1, over: 2), .init(-1, over: 2))])
    #expect(odd.left == 0 && odd.top == 0 && odd.width == 59 && odd.height == 39)
    let corner = try geometry([Self.aperture(20, 10, .init(20), .init(-15))])
    #expect(corner.left == 40 && corner.top == 0)
    let whole = try geometry([
      .cleanAperture(
        CleanApertureBox(
          width: .init(120, over: 2), height: .init(80, over: 2),
          horizontalOffset: .init(0, over: 7), verticalOffset: .init(0)))
    ])
    #expect(whole.width == 60 && whole.left == 0)
  }

  /// Cropping after rotation selects the same pixels as cropping before it.
  @Test(arguments: Orientation.allCases)
  func apertureAfterRotation(_ orientation: Orientation) throws {
    let rotated = try geometry(
      HEIFItem.transformations(for: orientation)
        + [
          orientation.swapsSides
            ? Self.aperture(10, 20, .init(-5), .init(7))
            : Self.aperture(20, 10, .init(7), .init(-5))
        ])
    #expect(rotated.orientation == orientation)
    #expect(rotated.width == 20 && rotated.height == 10)
    // The center moves by the offset in the orientation of the coded image.
    let center = (2 * rotated.left + rotated.width - 60, 2 * rotated.top + rotated.height - 40)
    let boxes = HEIFItem.transformations(for: orientation)
    let moved = move(center, boxes)
    #expect(moved == (orientation.swapsSides ? (-10, 14) : (14, -10)))
  }

  @Test func brokenApertures() {
    let broken: [ItemProperty.Box] = [
      Self.aperture(0, 10), Self.aperture(61, 10), Self.aperture(20, 41),
      Self.aperture(20, 10, .init(21)), Self.aperture(20, 10, .init(-21)),
      Self.aperture(20, 10, .init(1, over: 2)), Self.aperture(59, 10, .init(0)),
      Self.aperture(20, 10, .init(1, over: 0)),
      Self.aperture(20, 10, .init(.min, over: .max)), Self.aperture(1, 1, .init(.max, over: .max)),
      .cleanAperture(
        CleanApertureBox(
          width: .init(41, over: 2), height: .init(10), horizontalOffset: .init(0),
          verticalOffset: .init(0))),
      .cleanAperture(
        CleanApertureBox(
          width: .init(40, over: 0), height: .init(10), horizontalOffset: .init(0),
          verticalOffset: .init(0))),
    ]
    for box in broken {
      #expect(throws: ImageError.self) { try geometry([box]) }
    }
  }

  @Test func displayedSize() throws {
    let geometry = try geometry([Self.aperture(20, 10), .imageRotation(.init(quarterTurns: 3))])
    #expect(geometry.displayedSize == (10, 20))
    #expect(geometry.orientation == .rotated90)
  }
}
