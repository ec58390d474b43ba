#pragma once

/// Marks what libcordon shows to plugins and hosts. Everything else is hidden.
#define CORDON_API __attribute__((visibility("default")))
