internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Fails if the name of an output contradicts what it will hold.
///
/// Where nothing is coded again, pictures cannot move into a container of another codec.
func checkName(
  _ output: String, holdsPicturesOf input: String, in kind: FileFormat?
) throws(ImageError) {
  let suffix = (output as NSString).pathExtension
  guard let kind, let wanted = FileFormat(suffix: suffix), wanted != kind else { return }
  throw ImageError(
    .outputCodedDifferently, ["input": input, "coded": kind.title, "format": wanted.title])
}
