// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageContainers

/// A codec library in a decoder process.
///
/// One object serves one image. Its methods run in the decoder process; `Call` and `Result` cross
/// the boundary as JSON, samples in shared memory, the bytes of the input as the library reads
/// them.
package protocol DecoderService: AnyObject {
  /// A function of the library, with its arguments.
  associatedtype Call: Codable & Sendable
  /// The result of a function.
  associatedtype Result: Codable & Sendable

  /// Name of the library.
  static var library: String { get }
  /// Codes of the errors that the library causes.
  static var errorCodes: [ErrorCode] { get }

  /// The library, if it may have to be loaded, which a confined process cannot.
  static var codecLibrary: CodecLibrary? { get }

  /// Prepares to decode an image, whose bytes are read from the parent.
  init(_ input: ByteSource)

  /// Runs a function of the library.
  ///
  /// - Parameters:
  ///   - call: The function.
  ///   - memory: Receives samples.
  /// - Returns: Its result.
  /// - Throws: Errors of the library.
  func perform(_ call: Call, _ memory: SharedMemory?) throws(ImageError) -> Result
}

extension DecoderService {
  /// `nil`: the library is loaded when the program starts.
  package static var codecLibrary: CodecLibrary? { nil }
}

/// Library, buffers and limits of a call.
struct CallHeader: Codable {
  var library: String
  /// Number of bytes of the input, if the call begins an image.
  var inputCount: Int?
  /// Number of bytes of the shared memory that comes with the call.
  var memoryCount: Int?
  /// Number of threads.
  var threads: Int
  /// Limits of an image.
  var pixels: Int
  var side: Int
}

/// A call with its function.
struct CallMessage<Call: Codable>: Codable {
  var header: CallHeader
  var call: Call
}

/// A call of unknown function.
struct CallEnvelope: Codable {
  var header: CallHeader
}
