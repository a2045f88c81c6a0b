// SPDX-License-Identifier: Apache-2.0
// CShims calls libaom, whose controls are variadic functions. This module only carries its flags.
