// SPDX-License-Identifier: Apache-2.0
/// One of several outputs of an input: its format, and the length of its longer side.
struct OutputVariant: Codable, Hashable, Sendable {
  /// The format as `--to` names it.
  var format: String?
  /// Length in pixels, which does not enlarge; `nil` for the size of a single output.
  var longSide: Int?
}
