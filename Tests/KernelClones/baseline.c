#define CLONE(kernel) baseline_##kernel
#include "kernels.h"
