// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Whether `value` equals `expected` within a relative or an absolute tolerance.
public func isClose(
  _ value: Double, _ expected: Double, relative: Double = 1e-12, absolute: Double = 0
) -> Bool {
  abs(value - expected) <= max(relative * abs(expected), absolute)
}

/// Whether all components are equal within a tolerance relative to the largest of them, or an
/// absolute one.
public func isClose(
  _ value: SIMD3<Double>, _ expected: SIMD3<Double>, relative: Double = 1e-12, absolute: Double = 0
) -> Bool {
  let size = expected.indices.reduce(0) { max($0, abs(expected[$1])) }
  return expected.indices.allSatisfy {
    isClose(value[$0], expected[$0], relative: 0, absolute: max(relative * size, absolute))
  }
}

/// Whether all elements are equal within an absolute tolerance.
package func isClose(_ value: Matrix3x3, _ expected: Matrix3x3, absolute: Double = 1e-12) -> Bool {
  zip(value.elements, expected.elements).allSatisfy {
    isClose($0, $1, relative: 0, absolute: absolute)
  }
}
