// swift-tools-version: 6.2
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
    .target(
      name: "Targets",
      dependencies: [
        .product(name: "HDRCore", package: "hdrconvert"),
        .product(name: "ImageContainers", package: "hdrconvert"),
        .product(name: "GainMap", package: "hdrconvert"),
        .product(name: "ImageCodecs", package: "hdrconvert"),
        .product(name: "RAWDevelop", package: "hdrconvert"),
        .product(name: "Conformance", package: "hdrconvert"),
      ],
      path: "Targets", swiftSettings: strict),
    .target(name: "CLibFuzzer", path: "CLibFuzzer"),
    .executableTarget(
      name: "fuzz", dependencies: ["Targets", "CLibFuzzer"], path: "Runner",
      swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ]
)
