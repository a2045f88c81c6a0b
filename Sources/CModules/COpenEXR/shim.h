// SPDX-License-Identifier: Apache-2.0
// OpenEXR is C++: CShims calls it. This module only carries its compiler and linker flags.
