// SPDX-License-Identifier: Apache-2.0
import Foundation

func hypotenuse(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

/// The angle between two directions in degrees, 0...180.
func angle(between a: (Double, Double), and b: (Double, Double)) -> Double {
  let cross = a.0 * b.1 - a.1 * b.0
  let dot = a.0 * b.0 + a.1 * b.1
  return abs(atan2(cross, dot)) * 180 / Double.pi
}
