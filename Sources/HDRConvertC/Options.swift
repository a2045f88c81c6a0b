// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import HDRCore

// Structures start with their size, so that later versions can append fields.

extension hdr_execution_options {
  /// The size and the defaults of this version.
  fileprivate static var defaults: Self {
    var value = unsafe Self()
    unsafe value.size = MemoryLayout<Self>.size
    unsafe value.memory_limit = UInt64(Execution.Budget.defaultMemory)
    unsafe value.pixel_limit = UInt64(ImageLimits().pixels)
    unsafe value.thread_count = Int32(clamping: Execution().threads)
    return unsafe value
  }

  /// Reads the options of a caller, which may have more fields; `nil` gives the defaults.
  ///
  /// - Throws: `.invalidArgument` for a size without all fields of the first version.
  init(reading options: UnsafePointer<Self>?) throws(ImageError) {
    unsafe self = .defaults
    guard let options = unsafe options else { return }
    let given = unsafe UnsafeRawPointer(options).load(as: Int.self)
    // Those that were added later may be missing.
    let last = unsafe MemoryLayout<Self>.offset(of: \.progress_context) ?? 0
    guard unsafe given >= last + MemoryLayout<UnsafeMutableRawPointer?>.size else {
      throw ImageError(.optionInvalid, ["option": "size", "value": given])
    }
    // SAFETY: the structure starts with its size, and has at least as many bytes.
    unsafe withUnsafeMutableBytes(of: &self) { fields in
      let count = min(given, fields.count)
      unsafe fields.copyMemory(from: UnsafeRawBufferPointer(start: options, count: count))
    }
  }
}

extension hdr_image_info {
  /// Writes the fields that the structure of a caller has; its size is unchanged.
  ///
  /// - Throws: `.invalidArgument` for a size without any field.
  func write(to structure: UnsafeMutablePointer<Self>) throws(ImageError) {
    let target = UnsafeMutableRawPointer(structure)
    let (size, given) = (MemoryLayout<Int>.size, unsafe target.load(as: Int.self))
    guard given > size else {
      throw ImageError(.optionInvalid, ["option": "size", "value": given])
    }
    // SAFETY: the structure starts with its size, and has at least as many bytes.
    unsafe withUnsafeBytes(of: self) { fields in
      let count = min(given, fields.count) - size
      guard let source = fields.baseAddress else { return }
      unsafe (target + size).copyMemory(from: source + size, byteCount: count)
    }
  }
}

@c @implementation
public func hdr_execution_options_init(_ options: UnsafeMutablePointer<hdr_execution_options>?) {
  unsafe options?.initialize(to: .defaults)
}
