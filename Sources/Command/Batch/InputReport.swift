// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Synchronization

/// The reports about one input of several, which are printed in the order of the inputs.
final class InputReport: Sendable {
  /// The report of the input that this thread processes; `nil` if there is one input only.
  @TaskLocal static var current: InputReport?

  struct Contents: Sendable {
    /// Bytes for standard output.
    var output: [UInt8] = []
    /// Text for standard error.
    var messages = ""
    /// Objects of the JSON report.
    var results: [any Encodable & Sendable] = []
    var notices: [Notice] = []
    /// Light levels of the output, if they were measured.
    var light: Light?
    /// The verdict on the input, if it was judged.
    var verdict: String?
    /// Largest memory of the process of the job, in bytes.
    var peakMemory = 0
  }

  /// Light levels of an output, in cd/m².
  struct Light: Codable, Sendable {
    let maximum: Double
    let average: Double
  }

  /// Takes the share of the input that is done, 0...1; `nil` if progress is not shown.
  let showShare: (@Sendable (Double) -> Void)?
  /// The output of the input, if it could be named.
  let output: String?
  private let state = Mutex(Contents())

  /// - Parameters:
  ///   - output: The output of the input.
  ///   - showShare: Takes the share of the input that is done, 0...1.
  init(output: String? = nil, showShare: (@Sendable (Double) -> Void)? = nil) {
    (self.output, self.showShare) = (output, showShare)
  }

  var contents: Contents { state.withLock { $0 } }

  /// Changes the report of the current input, if there are several.
  ///
  /// - Returns: Whether there are several.
  @discardableResult static func add(_ change: (inout Contents) -> Void) -> Bool {
    guard let current else { return false }
    current.state.withLock { change(&$0) }
    return true
  }
}

/// A report of any verb.
struct AnyReport: Encodable, Sendable {
  let base: any Encodable & Sendable

  func encode(to encoder: any Encoder) throws { try base.encode(to: encoder) }
}
