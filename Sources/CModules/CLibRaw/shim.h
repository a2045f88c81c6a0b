// SPDX-License-Identifier: Apache-2.0
// LibRaw's names differ from version to version: CShims calls it. This module only carries its flags.
