// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import Synchronization

/// Runs the parallel work of libjxl on the threads of `Execution.current`, to its end: libjxl 0.7 ends the process if
/// work fails that it has prepared.
///
/// - Returns: 0, or another value if libjxl cannot prepare.
func runJPEGXLTasks(
  runner: UnsafeMutableRawPointer?, work: UnsafeMutableRawPointer?, prepare: JxlParallelRunInit?,
  task: JxlParallelRunFunction?, start: UInt32, end: UInt32
) -> JxlParallelRetCode {
  guard start < end else { return 0 }
  let workers = min(Execution.current.threads, Int(end - start))
  // SAFETY: libjxl passes its own work, which its functions may use on several threads as long as
  // this call lasts; each thread has a number below the one that was prepared for.
  guard let prepare = unsafe prepare, let task = unsafe task, unsafe prepare(work, workers) == 0
  else { return JxlParallelRetCode(JXL_PARALLEL_RET_RUNNER_ERROR) }
  let next = Atomic(start)
  let shared = unsafe JPEGXLTask(work: work, function: task)
  WorkerThreads.perform(workers) { worker in
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < end, index >= start else { return }
      shared.run(index, on: worker)
    }
  }
  return 0
}

/// A function of libjxl with its context, for use on several threads.
@safe private struct JPEGXLTask: @unchecked Sendable {
  private let work: UnsafeMutableRawPointer?
  private let function: JxlParallelRunFunction

  @unsafe init(work: UnsafeMutableRawPointer?, function: @escaping JxlParallelRunFunction) {
    // SAFETY: the caller guarantees that both are valid as long as this value exists.
    unsafe (self.work, self.function) = (work, function)
  }

  func run(_ index: UInt32, on worker: Int) {
    // SAFETY: as in `init`; libjxl expects calls on several threads.
    unsafe function(work, index, worker)
  }
}
#endif
