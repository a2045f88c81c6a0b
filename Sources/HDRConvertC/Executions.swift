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
