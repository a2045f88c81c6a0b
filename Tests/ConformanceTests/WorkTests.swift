// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG && JPEGXL && TIFF
import Conformance
import HDRConversion
import HDRCore
import ImageCodecs
import ImageContainers
import Testing

@testable import ImageFiles

/// Work that files cause through inspection, validation, edits and conversion.
@Suite("Work") struct WorkTests {
  enum Verb: CaseIterable {
    case inspect, validate, tag, remux, convert

    /// Steps that the verb debits for a file.
    func steps(_ bytes: [UInt8]) throws -> Int {
      let execution = Execution()
      try execution { () throws(ImageError) in
        let file = try ImageFile(parsing: ByteSource(bytes))
        switch self {
        case .inspect:
          _ = try? file.contents()
          _ = try file.structure()
        case .validate: _ = try CheckedFile(file).judged()
        case .tag:
          var edit = MetadataEdit()
          edit.xmp = .set(XMPPacket.empty)
          try Self.ifSupported { () throws(ImageError) in _ = try file.edited(edit) }
        case .remux:
          try Self.ifSupported { () throws(ImageError) in
            _ = try file.rotating(by: .rotated90, describingGainMapIn: nil) {
              (image, rotation) throws(ImageError) in
              try JPEGRotation.rotated(image, by: rotation, limits: file.options.limits)
            }
          }
        case .convert:
          let image = try SourceImage.open(ByteSource(bytes))
          _ = try ImageConverter(ConversionOptions(format: .png)).run(image)
        }
      }
      return execution.budget.spentSteps
    }

    /// Runs an edit, which some formats refuse.
    private static func ifSupported(_ body: () throws(ImageError) -> Void) throws(ImageError) {
      do throws(ImageError) {
        try body()
      } catch  where error.category == .unsupported || error.category == .unsuitable {}
    }
  }

  /// Twice as many elements cause at most 2.3 times the work, and every element is counted.
  @Test(arguments: CountedFile.allCases, Verb.allCases)
  func growth(count: CountedFile, verb: Verb) throws {
    let steps = try [250, 500, 1000].map { try verb.steps(try count.bytes($0)) }
    // Edits do not read the tags of profiles, nor units of bitstreams.
    let isUnread = (verb == .tag || verb == .remux) && (count == .tags || count == .messages)
    #expect(steps[0] >= 250 || isUnread, "\(count) \(verb): \(steps)")
    for (before, after) in zip(steps, steps.dropFirst()) {
      #expect(Double(after) < 2.3 * Double(before), "\(count) \(verb): \(steps)")
    }
  }

  /// A budget of fewer steps ends the operation with a typed error.
  @Test(arguments: CountedFile.allCases) func limit(count: CountedFile) throws {
    let bytes = try count.bytes(500)
    let execution = Execution(budget: Execution.Budget(steps: 400))
    let error = #expect(throws: ImageError.self) {
      try execution { () throws(ImageError) in
        let file = try ImageFile(parsing: ByteSource(bytes))
        _ = try file.contents()
        _ = try CheckedFile(file).judged()
        throw ImageError(.cancelled)
      }
    }
    // Metadata that are not read become notices; the containers themselves fail.
    let isNoticed: Set<CountedFile> = [
      .elements, .attributes, .tags, .entries, .messages, .pictureEntries,
    ]
    #expect(
      error?.code.id == "budget/work-exceeded" || isNoticed.contains(count),
      "\(count): \(error?.description ?? "")")
  }
}
#endif
