// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A fraction as ISO 21496-1 stores it, with its numerator and denominator unchanged.
///
/// Fractions are equal if both numbers are; compare `value` for equal values.
public struct Rational<Numerator: FixedWidthInteger & Sendable>: Hashable, Sendable {
  /// Number above the line.
  public let numerator: Numerator
  /// Number below the line, above 0.
  public let denominator: UInt32

  /// Creates a fraction; `nil` for a denominator of 0.
  public init?(_ numerator: Numerator, _ denominator: UInt32) {
    guard denominator != 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates the fraction of an integer.
  public init(_ integer: Numerator) {
    numerator = integer
    denominator = 1
  }

  /// The quotient, rounded to a `Double`; always finite.
  public var value: Double { Double(numerator) / Double(denominator) }
}

/// Fraction of minimum, maximum and offsets: a numerator of 32 bits with sign.
public typealias SignedRational = Rational<Int32>
/// Fraction of headrooms and gamma: a numerator of 32 bits without sign.
public typealias UnsignedRational = Rational<UInt32>

extension Rational {
  /// Creates a simple fraction close to `value`: a convergent of its continued fraction.
  ///
  /// It is the first convergent within the tolerance; if numerator and denominator do not suffice
  /// for that, the last one that fits, whose difference is larger. `nil` for numbers that are not
  /// finite or beyond the range of the numerator, and negative ones without a sign.
  ///
  /// - Parameters:
  ///   - value: A finite number.
  ///   - tolerance: Wanted difference; with 0, the fraction has the same `Double` if numerator and
  ///     denominator suffice.
  public init?(approximating value: Double, tolerance: Double = 1e-9) {
    guard value.isFinite, value >= 0 || Numerator.isSigned,
      let convergent = Convergents(of: abs(value), largest: UInt32(clamping: Numerator.max))?
        .first(within: tolerance)
    else { return nil }
    let magnitude = Numerator(convergent.numerator)
    numerator = value < 0 ? 0 - magnitude : magnitude
    denominator = convergent.denominator
  }
}

/// The convergents of a number's continued fraction.
private struct Convergents {
  private let value: Double
  private let largest: UInt32
  private var remainder: (numerator: UInt128, denominator: UInt128)

  /// Prepares for a number of at least 0; `nil` if it is above `largest`.
  init?(of value: Double, largest: UInt32) {
    guard value <= Double(largest) else { return nil }
    self.value = value
    self.largest = largest
    // Numbers below the smallest fraction count as 0, so 2^96 suffices for the denominator.
    let scale = Double(sign: .plus, exponent: 96, significand: 1)
    guard let numerator = UInt128(exactly: (value * scale).rounded(.down)) else { return nil }
    remainder = (numerator, 1 << 96)
  }

  func first(within tolerance: Double) -> (numerator: UInt32, denominator: UInt32)? {
    var (numerator, denominator) = remainder
    var previous: (numerator: UInt128, denominator: UInt128) = (0, 1)
    var current: (numerator: UInt128, denominator: UInt128) = (1, 0)
    while denominator != 0 {
      let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
      guard quotient <= UInt128(UInt32.max) else { break }
      let next = (
        numerator: quotient * current.numerator + previous.numerator,
        denominator: quotient * current.denominator + previous.denominator
      )
      guard next.numerator <= UInt128(largest), next.denominator <= UInt128(UInt32.max) else {
        break
      }
      (previous, current) = (current, next)
      let error = abs(Double(next.numerator) / Double(next.denominator) - value)
      if error <= tolerance { break }
      (numerator, denominator) = (denominator, rest)
    }
    guard current.denominator != 0 else { return nil }
    return (UInt32(current.numerator), UInt32(current.denominator))
  }
}
