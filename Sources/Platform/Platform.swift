// SPDX-License-Identifier: Apache-2.0
/// Exports the system's interfaces that all modules use: the C library and the essentials of
/// Foundation.
///
/// On Linux, the whole of Foundation would link ICU with its tables of languages and regions (47 MB as
/// a static library), which no module needs, and would load them each time a program starts.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif
