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

extension Rational {
  /// Creates the reduced fraction of a decimal number, as in XMP; `nil` for other text and numbers
  /// out of range.
  ///
  /// Exact if numerator and denominator suffice; else the fraction with the same `Double`, or the
  /// closest one.
  ///
  /// - Parameter text: Digits with at most one point, a sign and an exponent; spaces, tabs and line
  ///   ends around are ignored.
  public init?(decimal text: some StringProtocol) {
    guard let number = DecimalNumber(text) else { return nil }
    if let exact: Rational = number.fraction() {
      self = exact
    } else {
      self.init(approximating: number.value, tolerance: 0)
    }
  }

  /// The shortest decimal text, without exponent, that has the same `value`: `0.015625`.
  ///
  /// The fraction itself can differ: 2/128 has the same text as 1/64.
  public var decimal: String { value.plainDecimal }
}

extension Double {
  /// The shortest decimal text, without exponent, with the same value.
  package var plainDecimal: String {
    let number = DecimalNumber("\(self)")
    guard let number, var digits = number.magnitude.map(String.init) else { return "\(self)" }
    let exponent = number.exponent
    if exponent >= 0 {
      digits += String(repeating: "0", count: exponent)
    } else {
      let missing = max(1 - exponent - digits.count, 0)
      digits = String(repeating: "0", count: missing) + digits
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
    }
    return number.isNegative && number.magnitude != 0 ? "-" + digits : digits
  }
}

/// The parts of a decimal number: plus or minus magnitude times ten to the power of exponent.
private struct DecimalNumber {
  var isNegative = false
  /// Without trailing zeros; `nil` for more digits than fit.
  var magnitude: UInt64?
  var exponent = 0
  let value: Double

  init?(_ text: some StringProtocol) {
    var characters = Array(text.utf8).drop(while: Self.isBlank)
    while let last = characters.last, Self.isBlank(last) { characters.removeLast() }
    guard let value = Double(String(decoding: characters, as: UTF8.self)), value.isFinite else {
      return nil
    }
    self.value = value
    if let sign = characters.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      characters.removeFirst()
    }
    guard let end = readMantissa(characters) else { return nil }
    if end < characters.endIndex {
      // `Double` accepted the text, so an exponent follows; a large one means 0 or infinity.
      let digits = String(decoding: characters[end...].dropFirst(), as: UTF8.self)
      guard let power = Int(digits), (-999...999).contains(power) else { return nil }
      exponent += power
    }
    dropTrailingZeros()
  }

  /// Parses digits and point, and returns their end; `nil` for hexadecimal numbers and words.
  private mutating func readMantissa(_ characters: ArraySlice<UInt8>) -> Int? {
    var index = characters.startIndex
    var seenPoint = false
    var digits = 0
    var magnitude: UInt64? = 0
    while index < characters.endIndex {
      let character = characters[index]
      if character == UInt8(ascii: "."), !seenPoint {
        seenPoint = true
      } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) {
        digits += 1
        guard digits < 400 else { return nil }
        let (ten, overflow) = (magnitude ?? 0).multipliedReportingOverflow(by: 10)
        let (sum, carry) = ten.addingReportingOverflow(UInt64(character - UInt8(ascii: "0")))
        magnitude = magnitude == nil || overflow || carry ? nil : sum
        if seenPoint { exponent -= 1 }
      } else {
        break
      }
      index += 1
    }
    self.magnitude = magnitude
    guard digits > 0 else { return nil }
    let isAtExponent =
      index < characters.endIndex
      && (characters[index] == UInt8(ascii: "e") || characters[index] == UInt8(ascii: "E"))
    return index == characters.endIndex || isAtExponent ? index : nil
  }

  private mutating func dropTrailingZeros() {
    guard var digits = magnitude else { return }
    while digits != 0, digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
    if digits == 0 { exponent = 0 }
    magnitude = digits
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The reduced fraction, if it fits.
  func fraction<Numerator>() -> Rational<Numerator>? {
    guard let magnitude, (-19...10).contains(exponent) else { return nil }
    let power = (0..<abs(exponent)).reduce(1 as UInt64) { product, _ in product * 10 }
    var (numerator, denominator) = (magnitude, 1 as UInt64)
    if exponent >= 0 {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: power)
      guard !overflow else { return nil }
      numerator = product
    } else {
      let divisor = greatestCommonDivisor(magnitude, power)
      (numerator, denominator) = (magnitude / divisor, power / divisor)
    }
    guard let size = Numerator(exactly: numerator), !isNegative || Numerator.isSigned || size == 0,
      let divisor = UInt32(exactly: denominator)
    else { return nil }
    return Rational(isNegative ? 0 - size : size, divisor)
  }
}

private func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
