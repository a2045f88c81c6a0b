// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// Light levels of an image, measured off the caller's executor; cancelling the task ends the work.
func lightLevels(of photo: Data) async throws -> LightLevels {
  let image = try SourceImage.open(ByteSource(photo)).image
  let execution = Execution()
  return try await execution.run { try image.lightLevels() }
}
