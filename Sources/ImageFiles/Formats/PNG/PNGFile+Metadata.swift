// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Exif, XMP and ICC profile of a PNG file.
extension PNGFile {
  /// Returns Exif from its TIFF header on, from `eXIf` or from the text chunk of old writers.
  ///
  /// - Returns: Exif; `nil` if missing.
  /// - Throws: `.limitExceeded` if its text exceeds the budget of memory; errors of reading the
  ///   source.
  package func exif() throws(ImageError) -> [UInt8]? {
    if let chunk = chunk(.exif) { return ExifBlock.withoutPrefix(try data(of: chunk)) }
    return try firstText(Self.exifKeywords) { text in
      guard let profile = Self.rawProfile(in: text.bytes), ExifBlock.hasPrefix(profile) else {
        return nil
      }
      return ExifBlock.withoutPrefix(profile)
    }
  }

  /// Replaces all Exif by a block that begins with its TIFF header; `nil` removes it.
  package mutating func setExif(_ exif: [UInt8]?) {
    removeTexts(Self.exifKeywords)
    if let exif {
      set(PNGChunk(.exif, ExifBlock.withoutPrefix(exif)))
    } else {
      remove(.exif)
    }
  }

  /// Returns the XMP packet; `nil` if missing.
  ///
  /// - Throws: `.limitExceeded` if its text exceeds the budget of memory.
  package func xmp() throws(ImageError) -> [UInt8]? {
    if let packet = try firstText([Self.xmpKeyword], { $0.bytes }) { return packet }
    return try firstText([Self.rawXMPKeyword]) { Self.rawProfile(in: $0.bytes) }
  }

  /// Replaces all XMP by a packet; `nil` removes it.
  package mutating func setXMP(_ packet: [UInt8]?) {
    let index = chunks[..<end(of: .afterPalette)].firstIndex { $0.type.isText && holdsXMP($0) }
    removeTexts([Self.xmpKeyword, Self.rawXMPKeyword])
    guard let packet else { return }
    let chunk = PNGText(keyword: Self.xmpKeyword, bytes: packet).chunk
    chunks.insert(chunk, at: index ?? end(of: .afterPalette))
  }

  /// Adds texts, image resources and comments to a new file.
  ///
  /// - Throws: Errors of deflating.
  package mutating func add(_ auxiliary: AuxiliaryMetadata) throws(ImageError) {
    var texts = auxiliary.texts
    if let resources = auxiliary.resources { texts.append(try Self.rawProfile(iptc: resources)) }
    texts += auxiliary.comments.map { comment in
      let text = String(validating: comment, as: UTF8.self) ?? String(latin1: comment)
      return PNGText(keyword: "Comment", bytes: text.utf8.filter { $0 != 0 }).chunk
    }
    chunks.insert(contentsOf: texts, at: end(of: .afterPalette))
  }

  /// Image resources in hexadecimal digits, as ImageMagick and ExifTool write them.
  static func rawProfile(iptc resources: [UInt8]) throws(ImageError) -> PNGChunk {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("\niptc\n\(resources.count)".utf8)
    for (index, byte) in resources.enumerated() {
      if index % 36 == 0 { text += "\n".utf8 }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    let deflated = try Zlib.deflate(text + Array("\n".utf8))
    return PNGChunk(.compressedText, Array("Raw profile type iptc\0\0".utf8) + deflated)
  }

  func holdsXMP(_ chunk: PNGChunk) -> Bool {
    guard case .bytes(let bytes) = chunk.content else { return false }
    var reader = ByteReader(bytes.span)
    guard let keyword = try? reader.readKeyword() else { return false }
    return keyword == Self.xmpKeyword || keyword == Self.rawXMPKeyword
  }

  /// Returns the embedded ICC profile and its name.
  ///
  /// - Returns: The name in the chunk `iCCP`, and the inflated profile; `nil` if missing.
  /// - Throws: `.malformed`, `.truncated`, `.unsupported` or `.limitExceeded` if the profile cannot
  ///   be inflated; its limit is 64 MiB.
  package func profile() throws(ImageError) -> (name: String, bytes: [UInt8])? {
    guard let chunk = chunk(.profile) else { return nil }
    let data = try data(of: chunk)
    do throws(ImageError) {
      var reader = ByteReader(data.span)
      let name = try reader.readKeyword()
      return (name, try reader.readDeflated())
    } catch {
      throw error.inside("iCCP")
    }
  }

  /// Replaces the ICC profile; `nil` removes it.
  ///
  /// - Parameters:
  ///   - profile: Bytes of the profile; `nil` to remove it.
  ///   - name: Profile name in printable ISO 8859-1, 1...79 characters; `profileName` by default.
  /// - Throws: `.invalidArgument` for a name that PNG does not allow.
  package mutating func setProfile(
    _ profile: [UInt8]?, name: String = profileName
  ) throws(ImageError) {
    guard let profile else { return remove(.profile) }
    let scalars = name.unicodeScalars
    guard (1...79).contains(scalars.count),
      scalars.allSatisfy({ (32...126).contains($0.value) || (161...255).contains($0.value) })
    else {
      throw ImageError(
        .invalidArgument, "\"{name}\" is not a valid name of a PNG profile", ["name": name])
    }
    let deflated = try Zlib.deflate(profile)
    set(PNGChunk(.profile, scalars.map { UInt8($0.value) } + [0, 0] + deflated))
  }

  /// Name of profiles without another name.
  package static let profileName = "ICC profile"

  /// Name of a profile that signals BT.2100 PQ.
  ///
  /// Source: W3C note "PQ in PNG" (2017).
  static let nameOfPQ = "ITUR_2100_PQ_FULL"
  package static let xmpKeyword = "XML:com.adobe.xmp"
  private static let rawXMPKeyword = "Raw profile type xmp"
  static let exifKeywords: Set = ["Raw profile type exif", "Raw profile type APP1"]
  static let resourceKeywords: Set = ["Raw profile type iptc", "Raw profile type 8bim"]

  /// Decodes a raw profile text of ImageMagick: name, byte count, hexadecimal digits.
  package static func rawProfile(in text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3,
      let count = Int(String(decoding: lines[1], as: UTF8.self).filter { $0 != " " })
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines[2].count / 2)
    var high: UInt8?
    for character in lines[2] {
      guard let digit = hexadecimalDigit(character) else { continue }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes.count == count ? bytes : nil
  }

  private static func hexadecimalDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
