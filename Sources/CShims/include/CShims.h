#pragma once
#include "exr_shim.h"
