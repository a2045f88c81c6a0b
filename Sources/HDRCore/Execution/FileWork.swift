// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Steps and parsed metadata of an operation on a file: parsing, planning, converting or editing it.
final class FileWork: Sendable {
  private let steps = Atomic(0)
  /// The results of parsing the last few metadata, which several parts of the work read.
  private let parsed = Mutex<[(bytes: [UInt8], result: any Sendable)]>([])

  /// Number of bytes whose results are kept; larger metadata are rare, and would stay in memory.
  private static let mostBytes = 1 << 20

  /// Spends steps, unless they exceed a limit.
  ///
  /// - Returns: Whether they are within the limit.
  func spend(_ count: Int, limit: Int) -> Bool {
    Execution.Budget.add(count, to: steps, limit: limit)
  }

  fileprivate func result<Result: Sendable>(
    of bytes: [UInt8], _ parse: () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    guard bytes.count <= Self.mostBytes else { return try parse() }
    let known = parsed.withLock { $0.first { $0.bytes == bytes && $0.result is Result }?.result }
    if let known = known as? Result { return known }
    let result = try parse()
    parsed.withLock { parsed in
      guard !parsed.contains(where: { $0.bytes == bytes && $0.result is Result }) else { return }
      parsed.append((bytes, result))
      while parsed.reduce(0, { $0 + $1.bytes.count }) > Self.mostBytes { parsed.removeFirst() }
    }
    return result
  }
}

extension Execution {
  /// Parses bytes, once for those that are read several times during an operation on a file.
  ///
  /// The result must depend on nothing but the bytes and its type.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - parse: Parses them; only called if the result is not known.
  /// - Returns: The result of `parse`.
  /// - Throws: Errors of `parse`, which are not kept.
  package static func parsing<Result: Sendable>(
    _ bytes: [UInt8], _ parse: () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    guard let work = currentHeldMemory?.work else { return try parse() }
    return try work.result(of: bytes, parse)
  }
}

/// Sizes of the files that an operation parsed, for tests that count parses.
package final class ParseLog: Sendable {
  private let entries = Mutex<[Int]>([])

  package init() {}

  /// Size of each parsed file in bytes, in parsing order.
  package var sizes: [Int] { entries.withLock { $0 } }

  /// Records a parse.
  package func add(size: Int) { entries.withLock { $0.append(size) } }
}
