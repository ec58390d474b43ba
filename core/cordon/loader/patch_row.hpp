#pragma once

#include <cordon/config/value.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cordon {

struct PatchRow;
using PatchRowPtr = std::shared_ptr<PatchRow>;
using PatchRows = std::vector<PatchRowPtr>;

/// One row while patches are applied. Where it is an open group its rows live in `children`, and
/// its `config` is an empty list that keeps their place among the keys. Private to the room.
struct PatchRow {
    Value row;
    PatchRow* parent = nullptr;
    std::optional<PatchRows> children;
    /// No longer in any list, because the config of its group was replaced.
    bool detached = false;
    /// Number of the layer that brought it in; 0 for the base.
    std::size_t layer = 0;
    std::string origin;
    std::vector<std::string> patched_by;

    /// Precondition: it is a mapping, as every row in the index is.
    [[nodiscard]] Object& members() { return *row.as_object(); }

    /// The row of the top level around it; itself where it stands there.
    [[nodiscard]] const PatchRow& top() const;

    /// The row as one value, with its children.
    [[nodiscard]] Value assemble() const;

    void detach();
};

}  // namespace cordon
