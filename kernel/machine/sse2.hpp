// Whether there is SSE2, which each compiler says in its own way. -DBLEUET_SCALAR=1 leaves it out.
#pragma once

#if !defined(BLEUET_SCALAR) && (defined(__SSE2__) || (defined(_M_X64) && !defined(_M_ARM64EC)) || \
                                (defined(_M_IX86_FP) && _M_IX86_FP >= 2))
#define BLEUET_SSE2 1
#include <emmintrin.h>
#endif
