internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Prints a value as JSON, keys in order, with the schema that it follows.
func printJSON(_ report: some Encodable) throws(Failure) {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(report) else {
    throw Failure(ImageError(.codecFailure, "the report has no JSON form"), stage: .writing)
  }
  Console.write(data + [0x0A])
}

/// A notice as machines read it.
struct NoticeReport: ReportObject {
  static let title = "Notice"
  let kind: String
  let message: String
  let location: String?

  enum CodingKeys: String, CodingKey, CaseIterable { case kind, message, location }

  init(_ notice: Notice) {
    kind = notice.kind.rawValue
    message = notice.message
    let place = notice.location.description
    location = place.isEmpty ? nil : place
  }
}
