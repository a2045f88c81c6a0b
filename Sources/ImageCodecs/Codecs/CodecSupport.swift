// SPDX-License-Identifier: Apache-2.0
public import ImageFiles

/// Support of this build for a format.
public struct CodecSupport: Sendable {
  /// The format.
  public let format: FileFormat
  /// Whether this build decodes the format.
  public let canRead: Bool
  /// Whether this build encodes the format.
  public let canWrite: Bool
  /// Libraries that decode and encode its samples, with their versions.
  public let libraries: [String]

  /// All formats, in the order of `FileFormat`.
  public static var all: [CodecSupport] {
    FileFormat.allCases.map { format in
      let codec = format.codec
      return CodecSupport(
        format: format, canRead: codec is any ImageDecoder.Type,
        canWrite: codec is any ImageEncoder.Type, libraries: codec?.libraries ?? [])
    }
  }
}
