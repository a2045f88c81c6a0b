// SPDX-License-Identifier: Apache-2.0
extension Execution {
  /// Decoding in separate processes, in which codec libraries cannot access files or the network.
  ///
  /// Each image is decoded in a process of its own. On Linux it is confined by seccomp, landlock and
  /// no-new-privileges, on all systems by limits of memory and processor time. A crash, a hang or an
  /// excessive allocation there is an error that names the library.
  ///
  /// The process is this program, started again: its `main` must begin with
  /// `DecoderServer.serveIfLaunched()`.
  ///
  ///     @main struct Thumbnails {
  ///       static func main() throws {
  ///         DecoderServer.serveIfLaunched()
  ///         try Execution(isolation: .init())(makeThumbnails)
  ///       }
  ///     }
  public struct Isolation: Hashable, Sendable {
    /// Time that the decoder of one image may take, in seconds.
    public var timeLimit: Double
    /// Path of the program that decodes; `nil` for this program.
    public var program: String?

    /// Default of `timeLimit`, in seconds.
    public static let defaultTimeLimit: Double = 120

    /// Makes the conditions of isolated decoding.
    ///
    /// - Parameters:
    ///   - timeLimit: Time that the decoder of one image may take, in seconds.
    ///   - program: Path of the program that decodes, whose `main` begins with
    ///     `DecoderServer.serveIfLaunched()`; `nil` for this program.
    public init(timeLimit: Double = Isolation.defaultTimeLimit, program: String? = nil) {
      self.timeLimit = timeLimit
      self.program = program
    }
  }
}
