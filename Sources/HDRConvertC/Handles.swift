internal import CHDRConvert
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
internal import ImageReports

// Objects that C programs hold by opaque pointers. They are immutable and retained once by the
// program; `hdr_..._destroy` releases them.

/// `hdr_image`: an opened file, or samples in memory.
final class ImageHandle: Sendable {
  let document: SourceImage
  /// Path of the file; `-` for a file in memory.
  let name: String
  /// Whether the image, with its gain map, extends above reference white.
  let isHighDynamicRange: Bool
  /// Name of the format.
  let format: CText

  init(_ document: SourceImage, name: String = "-", isHighDynamicRange: Bool? = nil) {
    self.document = document
    self.name = name
    self.isHighDynamicRange =
      isHighDynamicRange
      ?? (try? document.file?.contents().isHighDynamicRange) ?? document.isHighDynamicRange
    format = CText(document.format.rawValue)
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
