// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// File formats that the toolkit recognizes.
public enum FileFormat: String, Hashable, Sendable, CaseIterable {
  case heif
  case avif
  case png
  case jpeg
  case tiff
  case exr
  case radiance
  case jxl
  case jpegXR = "jxr"
  /// Canon CR3 raw files.
  case cr3
  /// Camera raw files based on neither TIFF nor CR3.
  case raw

  /// Detects the format from the first bytes of a file, of which 32 suffice; `nil` if not
  /// recognized.
  ///
  /// Any file that begins with an `ftyp` box is recognized: CR3 and AVIF by their brands, others as
  /// HEIF. DNG and other raw files based on TIFF are TIFF.
  public init?(detectedIn prefix: [UInt8]) {
    if let format = Self.allCases.first(where: { format in
      format.traits.signatures.contains { $0.matches(prefix) }
    }) {
      self = format
      return
    }
    guard prefix.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
    if CR3File.begins(prefix) {
      self = .cr3
      return
    }
    // A low-overhead file stores the brand of its codec in the minor version field.
    let isMinimized = prefix.dropFirst(8).starts(with: "mif3".utf8)
    let brands = stride(from: 8, to: prefix.count - 3, by: 4).filter { $0 != 12 || isMinimized }
      .map { Array(prefix[$0..<$0 + 4]) }
    self =
      brands.contains(Array("avif".utf8)) || brands.contains(Array("avis".utf8)) ? .avif : .heif
  }
}

extension FileFormat: Codable {
  /// Reads the suffix of files, such as `jpg`, or the name of the format.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let format = FileFormat(suffix: name) ?? FileFormat(rawValue: name.lowercased()) else {
      throw DecodingError.explained("'\(name)' is not the name of a format", at: decoder.codingPath)
    }
    self = format
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(rawValue)
  }
}

/// Codec of the coded images in a file.
package enum StillCodec: String, Hashable, Sendable {
  case jpeg = "JPEG"
  case hevc = "HEVC"
  case av1 = "AV1"
  case jpegXL = "JPEG XL"
  case png = "PNG"

  /// Suffix of files with one image of this codec.
  package var suffix: String {
    FileFormat.allCases.first(where: isHeld)?.traits.suffixes.first ?? rawValue.lowercased()
  }

  /// Whether files of a format store coded images of this codec.
  package func isHeld(by format: FileFormat) -> Bool { format.traits.gainMapCodec == self }
}

extension FileFormat {
  /// Throws an error if files of this format cannot store the images of a gain map file.
  ///
  /// - Parameter isBaseHDR: Whether the baseline image is the HDR image.
  /// - Throws: `.invalidArgument`.
  package func checkHoldsGainMap(isBaseHDR: Bool) throws(ImageError) {
    guard traits.gainMapCodec != nil else {
      throw ImageError(.gainMapFormatUnsupported, ["format": title])
    }
    guard traits.highDynamicRangeDepths.all.isEmpty, isBaseHDR else { return }
    throw ImageError(.jpegHDRBaseUnsupported)
  }
}
