// SPDX-License-Identifier: Apache-2.0
/// Version of the command and of the libraries.
package let toolVersion = "0.1.0"
