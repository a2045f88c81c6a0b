// SPDX-License-Identifier: Apache-2.0
internal import Platform

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error type of the toolkit: cause, parameters and location.
///
/// Printed as `photo.heic: meta/iprp/ipco @1042: truncated: needs 2 bytes, 1 byte available`.
public struct ImageError: Error, Hashable, Sendable {
  /// Category by which a caller can react.
  public enum Category: String, CaseIterable, Hashable, Sendable {
    /// The bytes end before the structure does.
    case truncated
    /// The bytes contradict the format.
    case malformed
    /// The file requires a feature that no build of this version supports; damaged files can appear
    /// so.
    case unsupported
    /// Neither this build nor the libraries on this machine contain the required codec.
    case missingCodec
    /// A limit of `ImageLimits`, or the memory, steps or time of `Execution.Budget`, would be
    /// exceeded.
    case limitExceeded
    /// A codec library or a process failed, or returned an unexpected result.
    case codecFailure
    /// The input does not exist.
    case missingInput
    /// The output already exists, or its folder cannot be written.
    case cannotCreate
    /// Reading or writing failed.
    case inputOutput
    /// The caller's arguments are out of range, or contradict each other, the image or the format.
    case invalidArgument
    /// The input is valid, but lacks a required property.
    case unsuitable
    /// The caller cancelled the operation; see `Execution`.
    case cancelled
  }

  /// Location of an error; any part may be unknown.
  ///
  /// Printed as `photo.heic: meta/iprp/ipco @1042`.
  public struct Location: Hashable, Sendable {
    /// Name of the file.
    public var file: String?
    /// Names of the enclosing structures, outermost first: `["meta", "iprp", "ipco"]`.
    public var path: [String]
    /// Byte offset from the start of the file.
    public var offset: Int?

    public init(file: String? = nil, path: [String] = [], offset: Int? = nil) {
      self.file = file
      self.path = path
      self.offset = offset
    }
  }

  /// Category and English text, with a stable name if a program can act on it.
  public var code: ErrorCode
  /// Values that the message contains.
  public var parameters: DiagnosticParameters
  /// Location of the error.
  public var location: Location

  public init(
    _ code: ErrorCode, _ parameters: DiagnosticParameters = [:], at location: Location = Location()
  ) {
    self.code = code
    self.parameters = parameters
    self.location = location
  }

  /// Creates an error without a code of its own.
  ///
  /// - Parameters:
  ///   - category: Category by which a caller can react.
  ///   - text: One clause in English, with its parameters in braces: `{size byte}`.
  ///   - parameters: The values of the parameters.
  ///   - location: Location of the error.
  public init(
    _ category: Category, _ text: String, _ parameters: DiagnosticParameters = [:],
    at location: Location = Location()
  ) {
    self.init(ErrorCode(category, text), parameters, at: location)
  }

  /// Category by which a caller can react.
  public var category: Category { code.category }

  /// Whether the whole job ends: its budget or its time is exceeded, the file cannot be read, or it was
  /// cancelled.
  ///
  /// The element that is being read need not be responsible.
  package var endsJob: Bool {
    category == .cancelled || category == .inputOutput
      || [.memoryBudgetExceeded, .workBudgetExceeded, .timeLimitExceeded].contains(code)
  }

  /// The text of the code with its parameters: one clause, without location and full stop.
  public var message: String { DiagnosticTemplate(code.english).rendered(with: parameters) }

  /// Fails if coded data are too short for an image, before its samples are allocated.
  ///
  /// - Throws: `.truncated`.
  package static func requireCodedData(
    _ available: Int, atLeast needed: Int, width: Int, height: Int, at location: Location
  ) throws(ImageError) {
    guard available < needed else { return }
    throw ImageError(
      .truncated,
      "{size pixel} need at least {needed byte} of coded data; the file has {available byte}",
      ["size": .size(width, height), "needed": needed, "available": available], at: location)
  }

  /// The same error, with the enclosing structure `name` as the outermost of its path.
  public func inside(_ name: String) -> ImageError {
    var error = self
    error.location.path.insert(name, at: 0)
    return error
  }

  /// The same error at another location, which replaces file, path and offset.
  public func at(_ location: Location) -> ImageError {
    var error = self
    error.location = location
    return error
  }

  /// The same error, with the name of its file unless it already has one.
  public func inFile(_ file: String) -> ImageError {
    var error = self
    error.location.file = error.location.file ?? file
    return error
  }
}

/// Returns what `body` reads; `nil` if it is missing or cannot be read.
///
/// - Throws: Errors that end the whole job.
package func ifReadable<Result>(
  _ body: @autoclosure () throws(ImageError) -> Result?
) throws(ImageError) -> Result? {
  do throws(ImageError) {
    return try body()
  } catch {
    guard !error.endsJob else { throw error }
    return nil
  }
}

/// Runs a function of the program that uses the library.
///
/// - Throws: Errors of the function; those of other types as `.inputOutput` with their description.
package func callingProgram<Result>(_ body: () throws -> Result) throws(ImageError) -> Result {
  do { return try body() } catch { throw ImageError(ofProgram: error) }
}

extension ImageError {
  /// An error of a function of the program that uses the library.
  init(ofProgram error: any Error) {
    if let error = error as? ImageError {
      self = error
    } else if error is CancellationError {
      self.init(.cancelled)
    } else {
      let detail = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
      self.init(ErrorCode(.inputOutput, "{detail}"), ["detail": detail])
    }
  }
}

extension ImageError: CustomStringConvertible {
  public var description: String {
    let place = location.description
    return place.isEmpty ? message : "\(place): \(message)"
  }
}

extension ImageError.Location: CustomStringConvertible {
  public var description: String {
    var place = path.joined(separator: "/")
    if let offset { place += place.isEmpty ? "@\(offset)" : " @\(offset)" }
    return [file ?? "", place].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension ImageError: LocalizedError {
  /// The description, which `localizedDescription` shows.
  public var errorDescription: String? { description }
}
