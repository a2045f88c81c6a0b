// SPDX-License-Identifier: Apache-2.0
// `import HDRConversion` alone is enough to open, convert and write images.

@_exported public import GainMap
@_exported public import HDRCore
@_exported public import ImageFiles
@_exported public import RAWDevelop
