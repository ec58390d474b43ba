#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

/// Ends the test case as skipped: ctest counts it so, and the reason stands in the log.
#define CORDON_SKIP(reason)                     \
    do {                                        \
        std::printf("SKIPPED: %s\n", (reason)); \
        return;                                 \
    } while (false)

/// The same where confinement does not work. A machine on which it is known to work says so with
/// CORDON_MUST_CONFINE, and a broken sandbox cannot hide behind skipped tests there.
#define CORDON_SKIP_UNCONFINED(reason)                       \
    do {                                                     \
        if (std::getenv("CORDON_MUST_CONFINE") != nullptr) { \
            FAIL((reason));                                  \
        }                                                    \
        CORDON_SKIP((reason));                               \
    } while (false)
