// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
package import HDRCore
package import ImageFiles
package import RAWDevelop

/// A file with the parts that its report contains.
package struct InspectedFile {
  /// The name as it was given.
  package let name: String
  package private(set) var contents: FileContents
  /// Development parameters of a raw file.
  package let raw: RawInspection?
  /// Boxes, segments, chunks or directories, if they were requested.
  package private(set) var structure: StructureNode?
  /// Light levels of the image with its gain map applied in full, if they were measured.
  package private(set) var light: LightLevels?
  /// Those of the SDR image of a file with a gain map.
  package private(set) var baselineLight: LightLevels?

  /// Inspects a file; samples are decoded if light levels are measured.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: Its name as it was given.
  ///   - showsStructure: Whether the structure is included.
  ///   - measuresLight: Whether light levels are measured.
  /// - Throws: Errors of parsers, and of decoders if light levels are measured.
  package init(
    _ file: ImageFile, named name: String, showsStructure: Bool = false, measuresLight: Bool = false
  ) throws(ImageError) {
    self.name = name
    (contents, raw) = try file.contentsWithRaw()
    if showsStructure { structure = try file.structure() }
    guard measuresLight else { return }
    (light, baselineLight) = try SourceImage.open(file).measuredLight(notices: &contents.notices)
    contents.notices += file.decodingNotices.all
  }
}
