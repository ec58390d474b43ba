#pragma once

#include <cordon/context/context.hpp>
#include <cordon/loader/generation.hpp>

#include <map>
#include <string>
#include <vector>

namespace cordon {

/// One row that is not what it should be. Private to the room.
struct RowProblem {
    const Entry* entry = nullptr;
    /// `failed to apply loader entry …`, `pending (waiting for service: …)`.
    std::string text;
    /// Root causes have the lowest.
    int rank = 0;
};

/// Every enabled row that is not active, root causes first (spec BOOT-6..BOOT-11, field-137,
/// field-139). `context` is any context of the container.
[[nodiscard]] std::vector<RowProblem> audit(const Generation& generation, const Context& context);

/// `FILE:LINE:COL: row 'ID' (NAME): TEXT`.
[[nodiscard]] std::string to_string(const RowProblem& problem);

}  // namespace cordon
