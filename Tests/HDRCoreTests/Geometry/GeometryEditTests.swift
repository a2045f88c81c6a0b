// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@Suite("Crop, resize and rotation") struct GeometryEditTests {
  private func parameters(
    _ edit: GeometryEdit, _ width: Int = 40, _ height: Int = 30,
    _ orientation: Orientation = .upright, limits: ImageLimits = ImageLimits()
  ) throws -> GeometryEdit.Parameters {
    try edit.parameters(width: width, height: height, orientation: orientation, limits: limits)
  }

  /// The stored part, once upright, equals the crop of the upright image.
  @Test(arguments: Orientation.allCases) func cutsWhatIsShown(orientation: Orientation) throws {
    let stored = Plane<UInt16>(width: 7, height: 5) { output in
      for index in 0..<35 { output.append(UInt16(index)) }
    }
    let shown = stored.upright(from: orientation)
    let crop = PixelRectangle(x: 1, y: 2, width: 3, height: 2)
    let parameters = try parameters(GeometryEdit(crop: crop), 7, 5, orientation)
    let part = parameters.resampling.part
    let cut = Plane<UInt16>(width: part.width, height: part.height) { output in
      for y in part.y..<part.y + part.height {
        for x in part.x..<part.x + part.width { output.append(stored.row(y)[x]) }
      }
    }
    let result = cut.upright(from: parameters.orientation)
    for y in 0..<2 {
      for x in 0..<3 { #expect(result.row(y)[x] == shown.row(y + 2)[x + 1]) }
    }
  }

  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func turnsOneAfterTheOther(first: Orientation, second: Orientation) {
    let image = Plane<UInt16>(width: 3, height: 2) { output in
      for index in 0..<6 { output.append(UInt16(index)) }
    }
    let both = GeometryEdit(rotation: second)
    let parameters = try? both.parameters(
      width: 3, height: 2, orientation: first, limits: ImageLimits())
    #expect(
      image.upright(from: parameters?.orientation ?? .upright)
        == image.upright(from: first).upright(from: second))
  }

  @Test func sizesTheLongSide() throws {
    func size(_ width: Int, _ height: Int, _ long: Int) throws -> [Int] {
      let resampling = try parameters(GeometryEdit(size: .longSide(long)), width, height).resampling
      return [resampling.width, resampling.height]
    }
    #expect(try size(4032, 3024, 2048) == [2048, 1536])
    #expect(try size(3024, 4032, 2048) == [1536, 2048])
    #expect(try size(1000, 1, 10) == [10, 1])
    #expect(try size(3, 2, 9) == [9, 6])
  }

  @Test func sizesAreThoseShown() throws {
    let parameters = try parameters(
      GeometryEdit(size: .exact(width: 20, height: 10)), 40, 30, .rotated90)
    #expect([parameters.resampling.width, parameters.resampling.height] == [10, 20])
    #expect(parameters.notices.count == 1, "30x40 are stretched to 20x10")
  }

  @Test func roundingIsNoStretching() throws {
    let edit = GeometryEdit(size: .exact(width: 1000, height: 667))
    #expect(try parameters(edit, 6000, 4000).notices.isEmpty)
    #expect(try parameters(GeometryEdit(size: .longSide(333)), 6016, 4016).notices.isEmpty)
    let other = GeometryEdit(size: .exact(width: 1000, height: 670))
    #expect(try parameters(other, 6000, 4000).notices.count == 1)
  }

  @Test(arguments: [
    (-1, 0, 5, 5), (0, 0, 41, 5), (36, 0, 5, 5), (0, 0, 0, 5), (0, 30, 1, 1), (1, 1, .max, 2),
  ])
  func refusesWhatIsOutside(part: (Int, Int, Int, Int)) {
    let crop = PixelRectangle(x: part.0, y: part.1, width: part.2, height: part.3)
    let error = #expect(throws: ImageError.self) { try parameters(GeometryEdit(crop: crop)) }
    #expect(error?.category == .invalidArgument)
    guard case .list(let inside) = error?.parameters["inside"], inside.count == 4 else {
      Issue.record("no part to try")
      return
    }
    let numbers = inside.map { if case .integer(let number) = $0 { number } else { -1 } }
    let better = PixelRectangle(
      x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    #expect(throws: Never.self) { try parameters(GeometryEdit(crop: better)) }
  }

  @Test func limitsTheResult() {
    let error = #expect(throws: ImageError.self) {
      try parameters(GeometryEdit(size: .longSide(2000)), limits: ImageLimits(pixels: 1_000_000))
    }
    #expect(error?.category == .limitExceeded)
  }
}
