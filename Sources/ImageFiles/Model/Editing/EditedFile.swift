// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// The result of a metadata edit.
///
/// Its coded data were compared with those of the original file and are identical, except for bytes
/// that decoders ignore and that the edit removes.
public struct EditedFile: Sendable {
  /// Digests of one coded payload before and after the edit.
  public struct Proof: Hashable, Sendable {
    /// Name of the image or chunk that the data belong to.
    public let name: String
    /// Number of bytes.
    public let count: Int
    /// SHA-256 in the original file, in hexadecimal.
    public let before: String
    /// SHA-256 in the edited file, in hexadecimal.
    public let after: String
  }

  /// The edited file.
  public let bytes: SplicedBytes
  /// The edited file, parsed.
  public let file: ImageFile
  /// Coded data of the original and the edited file, which are identical.
  package let payloads: [(before: CodedPayload, after: CodedPayload)]
  /// Metadata before the edit.
  public let before: MetadataSummary
  /// Metadata after the edit.
  public let after: MetadataSummary
  /// Metadata that were dropped, or that now contradict other metadata.
  public var notices: [Notice]
  /// Whether the edited file is identical to the original.
  public let isUnchanged: Bool
  /// Parts that were removed, by their names in requests.
  package let removedParts: [String]

  /// The same, of a file from which parts were dropped before.
  ///
  /// - Parameter dropped: Notices about the parts.
  /// - Returns: The edit.
  package func dropping(_ dropped: [Notice]) -> EditedFile {
    EditedFile(
      bytes: bytes, file: file, payloads: payloads, before: before, after: after,
      notices: dropped + notices, isUnchanged: false, removedParts: removedParts)
  }

  /// The digests of all coded data that the edit keeps, in file order.
  ///
  /// - Throws: Errors of reading the data.
  public func proof() throws(ImageError) -> [Proof] {
    let digests = (
      try CodedPayload.sha256(of: payloads.map(\.before)),
      try CodedPayload.sha256(of: payloads.map(\.after))
    )
    return payloads.indices.map { index in
      let before = payloads[index].before
      return Proof(
        name: before.name, count: before.count, before: digests.0[index], after: digests.1[index])
    }
  }
}

extension ImageFile {
  /// Applies an edit to the metadata.
  ///
  /// The edited file is parsed, and its coded data are compared with those of the original.
  /// The headroom of an Apple gain map is kept, in XMP if the edit removes the maker note.
  ///
  /// - Parameter edit: The changes.
  /// - Returns: The edited file.
  /// - Throws: `.invalidArgument` for an image that does not exist, for metadata that cannot be
  ///   parsed or that the container cannot store, and for light metadata out of range;
  ///   `.unsuitable` for formats that cannot be edited, `.malformed` for metadata in the file that
  ///   cannot be edited, `.codecFailure` if the coded data of the edited file differ, which would
  ///   be an error of this library.
  public func edited(by edit: MetadataEdit) throws(ImageError) -> EditedFile {
    try edit.check()
    return try Execution.HeldMemory().hold { () throws(ImageError) in try applying(edit) }
  }

  private func applying(_ edit: MetadataEdit) throws(ImageError) -> EditedFile {
    // Before the edit: a gain map that cannot be read is not copied.
    var whole = container
    let dropped = edit.isEmpty ? [] : try whole.arrangeGainMaps()
    var copy = whole
    var notices = try damage + copy.structure.apply(edit)
    // With all metadata, what remains is the list of what readers need.
    if edit.dropsPersonalData { notices.removeAll { $0.code == .locationPartsNotRead } }
    var removedParts: [String] = []
    for part in edit.droppedParts {
      let old = copy
      notices += try copy.structure.remove(part)
      if !copy.structure.isEqual(to: old.structure) { removedParts.append(part.rawValue) }
      // Its images are not compared.
      _ = try whole.structure.remove(part)
    }
    if !edit.isEmpty { notices += try copy.correctConfigurations() }
    let isUnchanged =
      copy.structure.isEqual(to: container.structure) && !edit.correctsStructure
      && (edit.isEmpty || damage.isEmpty)
    notices += dropped
    if case .heif(let file) = container, file.isMinimized, !isUnchanged {
      notices.append(
        Notice(.heifMinimizedFormReplaced))
    }
    let bytes = isUnchanged ? source.whole : try copy.serialized()
    let again = try parsing(bytes)
    if edit.dropsVideo, try videoByteCount != nil { removedParts.append("video") }
    let written = try again.codedPayloads()
    let payloads = try Self.compared(
      edit.preserved(
        try (isUnchanged ? container : whole).structure.codedPayloads(), in: written),
      edit.preserved(written, in: written))
    return EditedFile(
      bytes: bytes, file: again, payloads: payloads,
      before: try metadataSummary(ofItem: edit.item),
      after: try again.metadataSummary(ofItem: edit.item),
      notices: notices, isUnchanged: isUnchanged, removedParts: removedParts)
  }

  private static func compared(
    _ old: [CodedPayload], _ new: [CodedPayload]
  ) throws(ImageError) -> [(before: CodedPayload, after: CodedPayload)] {
    guard old.map(\.name) == new.map(\.name) else {
      throw ImageError(
        .codecFailure, "the edited file would contain a different number of coded images")
    }
    // Items may share their data, which are compared once.
    var known: [[[SourceBytes.Identity]]: (before: CodedPayload, after: CodedPayload)] = [:]
    var pairs: [(before: CodedPayload, after: CodedPayload)] = []
    for (old, new) in zip(old, new) {
      let identity = [old.parts.identities, new.parts.identities]
      let pair = if let earlier = known[identity] { earlier } else { try compared(old, new) }
      known[identity] = pair
      pairs.append((pair.before.named(old.name), pair.after.named(new.name)))
    }
    return pairs
  }

  /// Both data, without the bytes that decoders ignore if they differ in them.
  private static func compared(
    _ old: CodedPayload, _ new: CodedPayload
  ) throws(ImageError) -> (before: CodedPayload, after: CodedPayload) {
    try Execution.current.budget.debit(steps: old.count >> 10, for: "coded data")
    if try old.hasSameBytes(as: new) { return (old, new) }
    let needed = (before: try old.withoutSurplus(), after: try new.withoutSurplus())
    guard try needed.before.hasSameBytes(as: needed.after) else {
      throw ImageError(
        .codecFailure, "the edited file would contain different coded data",
        at: .init(path: [old.name]))
    }
    return needed
  }
}

extension MetadataEdit {
  /// The coded data that the edit must not change: all but videos and other data that it removes.
  ///
  /// Images that cannot be parsed are removed with private data.
  fileprivate func preserved(
    _ payloads: [CodedPayload], in written: [CodedPayload]
  ) throws(ImageError) -> [CodedPayload] {
    guard dropsLocation || dropsPersonalData || dropsVideo else { return payloads }
    let names = Set(written.map(\.name))
    var preserved: [CodedPayload] = []
    for payload in payloads {
      let isRemoved =
        payload.name == CodedPayload.video
        ? dropsVideo || dropsPersonalData && !names.contains(payload.name)
        : payload.name.hasPrefix(CodedPayload.trailer)
      if isRemoved { continue }
      let isPreserved = names.contains(payload.name) ? true : try payload.isReadable()
      if isPreserved { preserved.append(payload) }
    }
    return preserved
  }
}

extension ByteSource {
  /// All bytes, unchanged.
  package var whole: SplicedBytes {
    var bytes = SplicedBytes(source: self)
    bytes.append(0..<count)
    return bytes
  }
}

/// Pairs of identical coded data in two files.
package struct PayloadPairing: Sendable {
  /// Coded data that one file or both files contain.
  package struct Entry: Hashable, Sendable {
    /// Name of the data in the first file; `nil` if it does not contain them.
    package let first: String?
    /// Name of the data in the second file; `nil` if it does not contain them.
    package let second: String?
    /// Number of bytes.
    package let byteCount: Int
    /// SHA-256 digest, in hexadecimal.
    package let sha256: String
  }

  /// The data of the first file in file order, then those that only the second file contains.
  package let entries: [Entry]

  /// Pairs the data of two files; if one file contains identical data repeatedly, they are paired
  /// in file order.
  ///
  /// - Parameters:
  ///   - first: Data of the first file.
  ///   - second: Data of the second file.
  /// - Throws: Errors of reading the data.
  package init(_ first: [CodedPayload], _ second: [CodedPayload]) throws(ImageError) {
    var unpaired: [String: ArraySlice<CodedPayload>] = [:]
    var order: [(digest: String, payload: CodedPayload)] = []
    for (digest, payload) in zip(try CodedPayload.sha256(of: second), second) {
      unpaired[digest, default: []].append(payload)
      order.append((digest, payload))
    }
    var entries: [Entry] = []
    for (digest, payload) in zip(try CodedPayload.sha256(of: first), first) {
      let partner = unpaired[digest]?.popFirst()
      entries.append(
        Entry(
          first: payload.name, second: partner?.name, byteCount: payload.count, sha256: digest))
    }
    for (digest, payload) in order {
      guard unpaired[digest]?.first?.name == payload.name else { continue }
      unpaired[digest]?.removeFirst()
      entries.append(
        Entry(first: nil, second: payload.name, byteCount: payload.count, sha256: digest))
    }
    self.entries = entries
  }
}
