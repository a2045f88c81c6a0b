public import HDRCore
public import ImageContainers

/// The outcome of an edit, whose coded data were compared with those of the old file.
public struct EditedFile: Sendable {
  /// Coded data with their digests.
  public struct Proof: Hashable, Sendable {
    /// What the data belong to.
    public let name: String
    /// Number of bytes.
    public let count: Int
    /// SHA-256 in the old file, in hexadecimal.
    public let before: String
    /// SHA-256 in the new file, in hexadecimal.
    public let after: String
  }

  /// The edited file.
  public let bytes: SplicedBytes
  /// The new file, parsed.
  public let file: ImageFile
  /// Coded data of the old file and of the new one, of which each byte is the same.
  package let payloads: [(before: CodedPayload, after: CodedPayload)]
  /// Metadata before the edit.
  public let before: MetadataSummary
  /// Metadata after the edit.
  public let after: MetadataSummary
  /// What was lost, or contradicts something else now.
  public let notices: [Notice]
  /// Whether the new file is the old one.
  public let isUnchanged: Bool

  /// The digests of all coded data, in the order of the file.
  ///
  /// - Throws: What reading the data throws.
  public func proof() throws(ImageError) -> [Proof] {
    var proof: [Proof] = []
    for (before, after) in payloads {
      proof.append(
        Proof(
          name: before.name, count: before.count, before: try before.sha256(),
          after: try after.sha256()))
    }
    return proof
  }
}

extension ImageFile {
  /// The file after an edit.
  ///
  /// The new file is parsed, and its coded data are compared with those of the old one.
  ///
  /// - Throws: `.invalidArgument` for what the container has no place for, `.malformed` for metadata
  ///   that cannot be edited, `.codecFailure` if the new file were wrong, which would be our mistake.
  public func edited(_ edit: MetadataEdit) throws(ImageError) -> EditedFile {
    var copy = container
    var notices = try damage + copy.apply(edit)
    let isUnchanged = copy.isEqual(to: container) && !edit.arranges
    if case .heif(let file) = container, file.isMinimized, !isUnchanged {
      notices.append(
        Notice(.heifMinimizedFormReplaced))
    }
    let bytes = isUnchanged ? source.whole : try copy.serialized()
    let again = try parsing(bytes)
    return EditedFile(
      bytes: bytes, file: again,
      payloads: try Self.compared(try codedPayloads(), try again.codedPayloads()),
      before: try summary(of: edit.item), after: try again.summary(of: edit.item),
      notices: notices, isUnchanged: isUnchanged)
  }

  private static func compared(
    _ old: [CodedPayload], _ new: [CodedPayload]
  ) throws(ImageError) -> [(before: CodedPayload, after: CodedPayload)] {
    guard old.map(\.name) == new.map(\.name) else {
      throw ImageError(.editCodedDataCountDiffers)
    }
    for (old, new) in zip(old, new) where try !old.hasSameBytes(as: new) {
      throw ImageError(.editCodedDataDiffer, at: .init(path: [old.name]))
    }
    return zip(old, new).map { (before: $0, after: $1) }
  }
}

extension ByteSource {
  /// All bytes as they are.
  package var whole: SplicedBytes {
    var bytes = SplicedBytes(source: self)
    bytes.append(0..<count)
    return bytes
  }
}
