// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HDRCore

@Suite("Planes") struct PlaneTests {
  /// A plane whose samples are their indices.
  private func makePlane(width: Int, height: Int) -> Plane<UInt16> {
    Plane(width: width, height: height) { samples in
      for index in 0..<width * height { samples.append(UInt16(truncatingIfNeeded: index)) }
    }
  }

  @Test func rowsOfStrips() {
    let plane = makePlane(width: 7, height: 9)
    let strip = plane.strip(rows: 2..<8).strip(rows: 1..<3)
    #expect(strip.width == 7 && strip.height == 2)
    for y in 0..<2 {
      for x in 0..<7 { #expect(strip.row(y)[x] == UInt16((y + 3) * 7 + x)) }
    }
    #expect(strip.span.count == 14)
  }

  @Test func writingTouchesNoOther() {
    var plane = makePlane(width: 5, height: 6)
    let (copy, original) = (plane, makePlane(width: 5, height: 6))
    var strip = plane.strip(rows: 2..<4)
    var row = strip.mutableRow(1)
    row[4] = 999
    #expect(strip.row(1)[4] == 999 && strip.row(0)[0] == 10)
    #expect(plane == original)
    var all = plane.mutableSpan()
    all[0] = 888
    #expect(plane.row(0)[0] == 888)
    #expect(copy == original)
  }

  @Test func equality() {
    let plane = makePlane(width: 6, height: 4)
    #expect(plane == makePlane(width: 6, height: 4))
    #expect(plane != makePlane(width: 4, height: 6))
    #expect(plane.strip(rows: 0..<2) != plane.strip(rows: 2..<4))
    var other = plane
    var samples = other.mutableSpan()
    samples[23] += 1
    #expect(plane != other)
  }

  private struct Refusal: Error {}

  @Test func initializersMayThrow() {
    #expect(throws: Refusal.self) {
      try Plane<Float>(width: 3, height: 3) { samples throws(Refusal) in
        samples.append(1)
        throw Refusal()
      }
    }
  }

  /// Large planes reuse the memory of released planes of equal size, which is not returned to the
  /// system.
  ///
  /// Other tests that make many planes at the same time may cause its release, hence more than one
  /// attempt.
  @Test func memoryOfThoseThatAreGone() {
    let (width, height) = (256, 5248)
    func places() -> Set<UInt> {
      let planes = (0..<3).map { _ in
        Plane<UInt16>(width: width, height: height, filledWith: 0)
      }
      return Set(
        planes.map { plane in
          // SAFETY: the address is compared, and its memory is not read.
          unsafe plane.span.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        })
    }
    var others: [[UInt8]] = []
    let isTaken = (0..<5).contains { _ in
      let gone = places()
      for _ in 0..<12 { others.append([UInt8](repeating: 0, count: 2 * width * height - 4096)) }
      return places() == gone
    }
    #expect(isTaken && !others.isEmpty)
  }

  /// Large planes do not reuse memory that is in use.
  @Test(arguments: [1 << 10, 1 << 17, 1 << 21])
  func memoryOfOneAtATime(count: Int) async {
    await withTaskGroup(of: Bool.self) { group in
      for value in UInt16(1)...8 {
        group.addTask {
          let planes = (0..<3).map { _ in
            Plane<UInt16>(width: 256, height: count / 256, filledWith: value)
          }
          await Task.yield()
          return planes.allSatisfy { plane in
            let samples = plane.span
            return stride(from: 0, to: count, by: 61).allSatisfy { samples[$0] == value }
          }
        }
      }
      for await isIntact in group { #expect(isIntact) }
    }
  }
}
