// SPDX-License-Identifier: Apache-2.0
internal import Conformance
internal import HDRCore

extension Fix {
  /// The options of `hdrconvert tag` that make the change; `nil` if only `validate --fix` does.
  var arguments: [String]? {
    switch self {
    case .correctStructure, .dropGainMap: nil
    case .measureLightLevel: ["--clli", "auto"]
    case .measureColorVolume: ["--cclv", "auto"]
    case .setDiffuseWhite(let luminance): ["--ndwt", luminance.formattedShort]
    case .setCICP(let cicp): ["--cicp", cicp.description]
    case .dropMasteringDisplay: ["--mdcv", "none"]
    case .dropAmbientEnvironment: ["--amve", "none"]
    case .dropReferenceEnvironment: ["--reve", "none"]
    case .dropProfile: ["--icc", "drop"]
    }
  }
}
