// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore
internal import ImageFiles

/// Fails if the suffix of an output names another format than it will have.
///
/// Without re-encoding, images cannot move into a container of another codec.
func checkName(
  _ output: String, storesImagesOf input: String, in format: FileFormat?
) throws(ImageError) {
  let suffix = output.fileSuffix
  guard let format, let wanted = FileFormat(suffix: suffix), wanted != format else { return }
  throw ImageError(
    .outputCodedDifferently, ["input": input, "coded": format.title, "format": wanted.title])
}
