#pragma once

#include <doctest/doctest.h>

#include <cstdio>

/// Ends the test case as skipped: ctest counts it so, and the reason stands in the log.
#define CORDON_SKIP(reason)                     \
    do {                                        \
        std::printf("SKIPPED: %s\n", (reason)); \
        return;                                 \
    } while (false)
