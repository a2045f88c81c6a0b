// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageFiles

extension ImageFile {
  /// The contents of a file of any format, and the inspection of a raw file.
  ///
  /// - Returns: The contents, and the inspection of a raw file, `nil` for other files; contents
  ///   have a notice if the file cannot be developed.
  /// - Throws: Errors of `contents()`; of a file without readable headers and previews, the error
  ///   of its raw image; as `RawInspection.inspect(_:)` for raw files whose headers only LibRaw
  ///   reads.
  public func contentsWithRaw() throws(ImageError) -> (file: FileContents, raw: RawInspection?) {
    guard !format.traits.hasOpaqueHeaders else {
      guard let raw = try RawInspection.inspect(self) else {
        throw ImageError(.notOfFormat, ["format": "raw"])
      }
      if raw.previews.isEmpty, let error = raw.readingError { throw error }
      return (FileContents(raw, source), raw)
    }
    var contents = try contents()
    do throws(ImageError) {
      let raw = try RawInspection.inspect(self)
      for notice in raw?.notices ?? [] where !contents.notices.contains(notice) {
        contents.notices.append(notice)
      }
      return (contents, raw)
    } catch {
      guard !error.endsJob else { throw error }
      contents.notices.append(Notice(.rawNotDevelopable, ["cause": error], at: error.location))
      return (contents, nil)
    }
  }
}

extension FileContents {
  /// Contents of a camera raw file whose headers only LibRaw reads.
  fileprivate init(_ raw: RawInspection, _ source: ByteSource) {
    let area = raw.recipe?.activeArea
    // Of these formats, all but Sigma's store mosaics.
    let isMosaic = raw.rawType.map { $0 == .bayer || $0 == .mosaic } ?? true
    let image = FileImage(
      name: "raw", role: .primary,
      layout: ImageLayout(
        width: area?.width ?? 0, height: area?.height ?? 0,
        components: isMosaic ? .gray : .rgb, samples: .integer(bits: 16)),
      orientation: raw.recipe?.orientation ?? .upright,
      coding: CodecConfiguration("camera raw"),
      interpretation: isMosaic ? "Color Filter Array" : "Linear Raw")
    self.init(format: .raw, source: source, images: [image], notices: raw.notices)
  }
}

/// Raw formats that this build supports.
public enum RawSupport {
  /// Names of the libraries that decode JPEG XL in DNG files, with their versions; empty if this
  /// build does not include one.
  ///
  /// Lossy JPEG in DNG files requires libjpeg; other samples are decoded by the toolkit.
  public static var dngLibraries: [String] { CodecRegistry.current.jpegXL.map { [$0.name] } ?? [] }

  /// Name of the library that decodes camera raw files other than DNG; `nil` if this build does not
  /// include one.
  public static var cameraRawLibrary: String? { CodecRegistry.current.cameraRaw?.name }

  /// Cameras in the list of that library, which a newer one extends; empty without the library.
  public static var cameras: [String] { CodecRegistry.current.cameraRaw?.cameras ?? [] }
}
