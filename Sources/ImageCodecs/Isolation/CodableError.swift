// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An error on its way from a decoder process.
///
/// The parent knows the texts of the codes; what the process sends are their names, and values.
package struct CodableError: Codable, Sendable {
  private enum Value: Codable {
    case integer(Int)
    case number(Double)
    case text(String)
    case size(Int, Int)

    init(_ value: DiagnosticValue) {
      switch value {
      case .integer(let integer): self = .integer(integer)
      case .number(let number): self = .number(number)
      case .text(let text): self = .text(text)
      case .dimensions(let width, let height): self = .size(width, height)
      case .list, .range, .cause:
        self = .text(DiagnosticTemplate("{value}").rendered(with: ["value": value]))
      }
    }

    var diagnosticValue: DiagnosticValue {
      switch self {
      case .integer(let integer): .integer(integer)
      case .number(let number): .number(number)
      case .text(let text): .text(String(text.prefix(CodableError.longestText)))
      case .size(let width, let height): .dimensions(width: width, height: height)
      }
    }
  }

  private static let longestText = 400

  private let id: String
  private let message: String
  private let parameters: [String: Value]
  private let path: [String]
  private let offset: Int?

  package init(_ error: ImageError) {
    id = error.code.id
    message = error.message
    parameters = error.parameters.values.mapValues(Value.init)
    path = error.location.path
    offset = error.location.offset
  }

  /// The error of a library.
  ///
  /// - Parameter service: The library; an error that it does not declare becomes a rejection of the
  ///   data.
  /// - Returns: The error with the text of this program.
  package func error<Service: DecoderService>(of service: Service.Type) -> ImageError {
    let location = ImageError.Location(
      path: path.prefix(8).map { String($0.prefix(Self.longestText)) }, offset: offset)
    let codes = service.errorCodes + [.codecLibraryMissing]
    guard let code = codes.first(where: { $0.id == id }) else {
      return ImageError(
        .libraryRejectedData,
        ["library": service.library, "detail": String(message.prefix(Self.longestText))],
        at: location)
    }
    var error = ImageError(code, at: location)
    for (name, value) in parameters.prefix(16) {
      error.parameters.values[name] = value.diagnosticValue
    }
    return error
  }
}

extension ImageError {
  /// The error for a call that the state of a library does not allow.
  package static func unexpectedCall(_ library: String) -> ImageError {
    ImageError(.libraryResultUnexpected, ["library": library])
  }
}
