// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import CPlatform
internal import HDRCore

/// The function of a program that receives progress, with its context.
@safe private struct ProgressReceiver: @unchecked Sendable {
  // SAFETY: `Execution` calls it on the thread of the call; the program provides for calls on
  // several threads.
  let function: hdr_progress
  let context: UnsafeMutableRawPointer?

  func receive(_ share: Double) -> Bool { unsafe function(context, share) }
}

@c @implementation
public func hdr_execution_create(
  _ options: UnsafePointer<hdr_execution_options>?,
  _ execution: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error) { () throws(ImageError) in
    let execution = try unsafe execution.required("execution")
    let made = try unsafe Execution(hdr_execution_options(reading: options))
    unsafe execution.pointee = OpaquePointer(retaining: ExecutionHandle(made))
  }
}

extension Execution {
  fileprivate init(_ options: hdr_execution_options) throws(ImageError) {
    let threads = unsafe Int(options.thread_count)
    guard threads > 0 else {
      throw ImageError(.optionInvalid, ["option": "thread_count", "value": threads])
    }
    let memory = unsafe Int(clamping: options.memory_limit)
    let limits = unsafe ImageLimits(pixels: Int(clamping: options.pixel_limit), memory: memory)
    self.init(threads: threads, limits: limits, budget: Budget(memory: memory))
    guard let function = unsafe options.progress else { return }
    let receiver = unsafe ProgressReceiver(function: function, context: options.progress_context)
    progress = { receiver.receive($0) }
  }
}

@c @implementation
public func hdr_receive_messages(_ receive: hdr_message?, _ context: UnsafeMutableRawPointer?) {
  unsafe platform_receive_messages(receive, context)
}

@c @implementation
public func hdr_execution_cancel(_ execution: OpaquePointer?) {
  unsafe execution?.object(ExecutionHandle.self).execution.cancel()
}

@c @implementation
public func hdr_execution_destroy(_ execution: OpaquePointer?) {
  unsafe execution?.release(ExecutionHandle.self)
}

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
