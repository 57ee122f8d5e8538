// SPDX-License-Identifier: MIT
module example.org/diagnose

go 1.19
