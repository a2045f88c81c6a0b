// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "hdrconvert", path: "..")],
  targets: [
    .target(name: "CLibFuzzer", path: "CLibFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [.product(name: "FuzzTargets", package: "hdrconvert"), "CLibFuzzer"],
      path: "Runner",
      swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ]
)
