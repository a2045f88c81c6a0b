// SPDX-License-Identifier: Apache-2.0
internal import Command
internal import ImageCodecs

// Processes of jobs inherit what libraries load, and cannot load anything themselves.
CodecLibraries.prepare()
Program.serveIfStartedByCommand()
Program.run()
