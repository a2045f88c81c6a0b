// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A directory of a DNG file with its path in the tree and typed access to values.
struct DNGDirectory: Sendable {
  /// From the first directory down: `["IFD0", "SubIFD 1"]`.
  let path: [String]
  let file: TIFFFile
  let entries: TIFFDirectory

  /// The integers of an entry; `nil` if the directory lacks it.
  ///
  /// - Throws: `.malformed` for values of another type, and for more than `count` values.
  func integers(_ tag: TIFFTag, atMost count: Int) throws(ImageError) -> [Int]? {
    guard let entry = try entry(tag, atMost: count) else { return nil }
    do throws(ImageError) {
      return try file.unsigned(entry).map { Int(clamping: $0) }
    } catch {
      throw atPath(error)
    }
  }

  /// The first integer of an entry.
  func integer(_ tag: TIFFTag) throws(ImageError) -> Int? {
    try integers(tag, atMost: 1 << 16)?.first
  }

  /// The finite numbers of an entry; `nil` if the directory lacks it.
  ///
  /// - Throws: `.malformed` for values of another type, and for more than `count` values.
  func numbers(_ tag: TIFFTag, atMost count: Int) throws(ImageError) -> [Double]? {
    guard let entry = try entry(tag, atMost: count) else { return nil }
    let numbers: [Double]
    do throws(ImageError) {
      numbers = try file.numbers(entry)
    } catch {
      throw atPath(error)
    }
    if let value = numbers.first(where: { !$0.isFinite }) {
      // Rationals are the only type with a denominator; 0/0 is NaN.
      let text = value.isNaN ? "0/0" : value > 0 ? "1/0" : "-1/0"
      throw error(.valueNotFinite, tag, ["field": tag.title, "value": text])
    }
    return numbers
  }

  /// The numbers of an optional entry; `nil` if the directory lacks it.
  ///
  /// Undefined numbers, such as 0/0, values of another type and those that are not `valid` give a
  /// notice and `nil`.
  func optionalNumbers(
    _ tag: TIFFTag, atMost count: Int, _ notices: inout [Notice],
    valid: ([Double]) -> Bool = { _ in true }
  ) throws(ImageError) -> [Double]? {
    try notices.recover { () throws(ImageError) in
      guard let numbers = try numbers(tag, atMost: count) else { return nil }
      guard valid(numbers) else {
        throw error(.invalidValue, tag, ["field": tag.title, "value": "\(numbers)"])
      }
      return numbers
    }
  }

  /// The first integer of an optional entry; `nil` with a notice for one that is not readable.
  func optionalInteger(
    _ tag: TIFFTag, _ notices: inout [Notice]
  ) throws(ImageError) -> Int? {
    try notices.recover { () throws(ImageError) in try integer(tag) }
  }

  /// The bytes of an entry's values; `nil` if the directory lacks it.
  func bytes(_ tag: TIFFTag, atMost count: Int) throws(ImageError) -> [UInt8]? {
    guard let entry = try entry(tag, atMost: count) else { return nil }
    do throws(ImageError) {
      return try file.bytes(of: entry)
    } catch {
      throw atPath(error)
    }
  }

  func text(_ tag: TIFFTag) throws(ImageError) -> String? {
    guard let entry = entries[tag] else { return nil }
    return try file.text(entry)
  }

  /// An error at an entry, or at the directory if the entry is missing.
  func error(
    _ code: ErrorCode, _ tag: TIFFTag, _ parameters: DiagnosticParameters = [:]
  ) -> ImageError {
    ImageError(
      code, parameters,
      at: .init(
        path: path + ["tag \(tag.rawValue)"], offset: entries[tag]?.offset ?? entries.offset))
  }

  /// An error without a code of its own, located like others.
  func error(
    _ category: ImageError.Category, _ text: String, _ tag: TIFFTag,
    _ parameters: DiagnosticParameters = [:]
  ) -> ImageError {
    error(ErrorCode(category, text), tag, parameters)
  }

  /// The error at the location of an entry.
  func located(_ error: ImageError, _ tag: TIFFTag) -> ImageError {
    self.error(error.code, tag, error.parameters)
  }

  private func entry(_ tag: TIFFTag, atMost count: Int) throws(ImageError) -> TIFFEntry? {
    guard let entry = entries[tag] else { return nil }
    guard entry.count > 0, entry.count <= count else {
      throw error(
        .malformed, "{field} has {count value}; 1 to {limit} are possible", tag,
        ["field": tag.title, "count": entry.count, "limit": count])
    }
    return entry
  }

  private func atPath(_ error: ImageError) -> ImageError {
    path.reversed().reduce(error) { $0.inside($1) }
  }
}
