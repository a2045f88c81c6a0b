internal import Dispatch
package import HDRCore
internal import ImageFiles
internal import Synchronization

/// The results of `body` for 0..<count, in this order, computed on several threads.
///
/// Each thread takes the next index when it is done with one, so that none waits for another that
/// is slower, or that other work on the machine holds up. Of several errors that of the smallest index
/// is thrown, so that it does not depend on the threads.
package func concurrentMap<Result: Sendable>(
  _ count: Int, threads: Int, _ body: @Sendable (_ index: Int) throws(ImageError) -> Result
) throws(ImageError) -> [Result] {
  let results = Mutex<[Swift.Result<Result, ImageError>?]>(Array(repeating: nil, count: count))
  let next = Atomic(0)
  DispatchQueue.concurrentPerform(iterations: min(max(threads, 1), count)) { _ in
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < count else { return }
      let result: Swift.Result<Result, ImageError>
      do throws(ImageError) {
        result = .success(try body(index))
      } catch {
        result = .failure(error)
      }
      results.withLock { $0[index] = result }
    }
  }
  var values: [Result] = []
  values.reserveCapacity(count)
  for result in results.withLock({ $0 }) {
    if let result { values.append(try result.get()) }
  }
  return values
}
