// SPDX-License-Identifier: Apache-2.0
// CShims calls jxrlib, whose names are too general for a module. This module only carries its flags.
