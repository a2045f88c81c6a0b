// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// An Ultra HDR JPEG of a photo in memory, with its progress; cancelling the task ends the work.
func ultraHDR(of photo: Data, show: (Double) -> Void) async throws -> [UInt8] {
  let request = ConversionRequest(format: .jpeg)
  for try await update in try ImageFile(parsing: ByteSource(photo)).conversion(request) {
    switch update {
    case .progress(let progress): show(progress.share)
    case .finished(let bytes, _): return bytes
    }
  }
  throw CancellationError()
}
