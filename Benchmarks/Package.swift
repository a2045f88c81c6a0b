// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "hdrconvert", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "PixelKernels", package: "hdrconvert"),
        .product(name: "HDRCore", package: "hdrconvert"),
        .product(name: "GainMap", package: "hdrconvert"),
        .product(name: "ImageFiles", package: "hdrconvert"),
        .product(name: "HDRConversion", package: "hdrconvert"),
        .product(name: "RAWDevelop", package: "hdrconvert"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
