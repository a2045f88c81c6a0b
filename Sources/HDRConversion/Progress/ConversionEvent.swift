// SPDX-License-Identifier: Apache-2.0
/// A stage of a conversion.
public enum ConversionStage: String, Hashable, Sendable, CaseIterable {
  /// The file is opened.
  case reading
  /// The headroom of the image is measured, which takes a pass of its own.
  case measuring
  /// Samples are decoded and converted; formats whose encoders accept rows are encoded as well.
  case converting
  /// The whole image is encoded and written.
  case encoding
}

/// A report of a conversion while it runs.
public enum ConversionEvent: Hashable, Sendable {
  /// The stages, with the seconds that each is expected to take.
  case planned([ConversionStage: Double])
  /// The stage that runs, and the share of it that is done, 0...1; 0 if the codec does not report
  /// any.
  case progress(ConversionStage, Double)
}
