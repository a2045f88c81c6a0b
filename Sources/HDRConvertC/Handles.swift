// SPDX-License-Identifier: Apache-2.0
internal import CHDRConvert
internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
internal import ImageReports
internal import RAWDevelop

// Objects that C programs hold by opaque pointers. They are immutable and retained once by the
// program; `hdr_..._destroy` releases them.

/// `hdr_image`: an opened file, or samples in memory.
final class ImageHandle: Sendable {
  /// The file; `nil` for samples in memory.
  let file: ImageFile?
  /// Path of the file; `-` for a file in memory.
  let name: String
  /// Layout, color and light metadata of the image.
  let description: ImageDescription
  /// Whether the image, with its gain map, extends above reference white.
  let isHighDynamicRange: Bool
  /// Whether the file has a gain map that can be applied.
  let hasGainMap: Bool
  /// Name of the format; empty for samples in memory.
  let format: CText
  private let opened: Result<SourceImage, ImageError>

  /// The image to decode.
  ///
  /// - Throws: The error of a file that can be described, but not decoded.
  var document: SourceImage { get throws(ImageError) { try opened.get() } }

  /// Samples in memory.
  init(_ image: Image, isHighDynamicRange: Bool? = nil) {
    let document = SourceImage(image)
    (file, name, description, hasGainMap) = (nil, "-", image.description, false)
    self.isHighDynamicRange = isHighDynamicRange ?? document.isHighDynamicRange
    format = CText("")
    opened = .success(document)
  }

  /// A file; if it can be described but not decoded, `document` throws the error.
  init(_ file: ImageFile, name: String) throws(ImageError) {
    (self.file, self.name, format) = (file, name, CText(file.format.rawValue))
    let contents = try file.contents()
    isHighDynamicRange = contents.isHighDynamicRange
    hasGainMap = contents.gainMap?.isApplicable == true
    do throws(ImageError) {
      let document = try SourceImage.open(file, developing: RawDevelopment())
      (description, opened) = (document.image.description, .success(document))
    } catch {
      guard ![.limitExceeded, .cancelled].contains(error.category) else { throw error }
      (description, opened) = (contents.primary.description, .failure(error))
    }
  }
}

extension FileImage {
  /// Layout, color and light metadata as the file declares them.
  fileprivate var description: ImageDescription {
    let color = color?.encoding ?? ColorEncoding(primaries: .bt709, transfer: .srgb)
    var description = ImageDescription(layout: format, color: color, light: hdr)
    description.orientation = orientation
    return description
  }
}

/// `hdr_execution`: the conditions of a job.
final class ExecutionHandle: Sendable {
  let execution: Execution

  init(_ execution: Execution) { self.execution = execution }
}

/// `hdr_bytes`: a file or text, and the notices of the call that made it.
final class BytesHandle: Sendable {
  let bytes: CMemory
  let notices: CText

  init(_ bytes: [UInt8], notices: [Notice] = []) throws(ImageError) {
    self.bytes = CMemory(bytes)
    let reports = notices.map { NoticeReport($0, remedy: nil) }
    self.notices = CText(decoding: try reports.json())
  }
}

/// `hdr_error`.
final class ErrorHandle: Sendable {
  let error: ImageError
  let code: CText
  let message: CText
  let file: CText?
  let path: CText?

  init(_ error: ImageError) {
    self.error = error
    code = CText(error.code.id)
    message = CText(error.message)
    file = error.location.file.map(CText.init)
    let path = error.location.path
    self.path = path.isEmpty ? nil : CText(path.joined(separator: "/"))
  }
}

extension OpaquePointer {
  /// Makes a pointer that retains an object.
  init(retaining object: some AnyObject) {
    // SAFETY: `release(_:)` balances the retain.
    unsafe self.init(Unmanaged.passRetained(object).toOpaque())
  }

  /// The object of a pointer of the same type.
  func object<Object: AnyObject>(_ type: Object.Type) -> Object {
    // SAFETY: the header gives each type of object its own type of pointer.
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
  }

  /// Releases the object of a pointer of the same type.
  func release<Object: AnyObject>(_ type: Object.Type) {
    // SAFETY: the program destroys a handle once.
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).release()
  }
}
