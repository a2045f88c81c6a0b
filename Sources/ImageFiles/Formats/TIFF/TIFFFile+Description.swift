// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Metadata in the first directory other than the sample layout.
extension TIFFFile {
  /// A complete value of the first directory; `nil` if the tag is missing.
  ///
  /// - Throws: `.truncated` for truncated values, which cannot be interpreted.
  package func wholeValue(of tag: TIFFTag) throws(ImageError) -> [UInt8]? {
    guard let entry = mainDirectory[tag] else { return nil }
    return try bytes(of: entry)
  }

  /// As `wholeValue(of:)`, also of a reduced copy of the image.
  ///
  /// - Throws: `.truncated` for truncated values, which cannot be interpreted.
  package func describingValue(of tag: TIFFTag) throws(ImageError) -> [UInt8]? {
    guard let entry = try describingDirectories.lazy.compactMap({ $0[tag] }).first else {
      return nil
    }
    return try bytes(of: entry)
  }

  /// The directories with metadata of the image: its own, then those of its reduced copies, such as a
  /// thumbnail in front of it, where some writers store them.
  ///
  /// Those of a copy are not used if it may be that of another page.
  ///
  /// - Throws: Errors that end the whole job.
  var describingDirectories: [TIFFDirectory] {
    get throws(ImageError) {
      let main = mainDirectory
      let others = directories.filter { $0.offset != main.offset }
      guard directories[0][.dngVersion] == nil else { return [main] }
      for other in others where try !isReduced(other) { return [main] }
      return [main] + others
    }
  }

  private func isReduced(_ directory: TIFFDirectory) throws(ImageError) -> Bool {
    func first(_ tag: TIFFTag) throws(ImageError) -> Int? {
      try ifReadable(try integers(tag, in: directory).first)
    }
    if let type = try first(.newSubfileType) { return type & 1 == 1 }
    return try first(.subfileType) == 2
  }

  /// The Exif metadata as one block, collected from several TIFF directories.
  package func exif() throws(ImageError) -> [UInt8]? {
    let description = try NewTIFFDirectory.description(of: self)
    guard !description.isEmpty else { return nil }
    let header = byteOrder.header(firstDirectoryAt: 8)
    return header + description.serialized(at: header.count, order: byteOrder)
  }
}

extension TIFFFile {
  /// Luminance of linear value 1.0 in logarithmic files, from SampleToNits.
  ///
  /// LogLuv can store absolute luminance, so a factor of 1 is valid.
  ///
  /// - Throws: Errors that end the whole job.
  package var declaredReferenceWhite: DeclaredReferenceWhite {
    get throws(ImageError) {
      let declared = try mainDirectory[.sampleToNits].flatMap { entry throws(ImageError) in
        try ifReadable(try numbers(entry).first)
      }
      return DeclaredReferenceWhite(declared, named: "SampleToNits") { $0 >= 1 }
    }
  }
}

extension ColorDescription {
  /// The color of the first image of a file.
  package init(
    of file: TIFFFile, _ layout: TIFFLayout, isMarkedSRGB: Bool
  ) throws(ImageError) {
    let directory = file.mainDirectory
    func numbers(_ tag: TIFFTag) throws(ImageError) -> [Double] {
      guard let entry = directory[tag] else { return [] }
      return try ifReadable(try file.numbers(entry)) ?? []
    }
    self.init(icc: try file.wholeValue(of: .iccProfile), isMarkedSRGB: isMarkedSRGB)
    if layout.isLogarithmic {
      primaries = layout.format.components == .rgb ? .xyz : nil
      gamma = 1
      referenceWhite = try file.declaredReferenceWhite.luminance
      return
    }
    let (xy, white) = (try numbers(.primaryChromaticities), try numbers(.whitePoint))
    if xy.count == 6, white.count == 2 {
      primaries = ColorPrimaries(
        red: Chromaticity(x: xy[0], y: xy[1]), green: Chromaticity(x: xy[2], y: xy[3]),
        blue: Chromaticity(x: xy[4], y: xy[5]), white: Chromaticity(x: white[0], y: white[1]))
    }
  }
}
