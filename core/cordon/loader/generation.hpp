#pragma once

#include <cordon/loader/entry.hpp>
#include <cordon/loader/sources.hpp>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace cordon {

/// All rows of a tree as they should be at one time. What runs for them is shared with the
/// generation before and after it. Private to the room.
struct Generation {
    Sources sources;
    Entries entries;
    /// Rows of the top level, then providers by default.
    std::vector<Entry*> roots;
    std::unordered_map<std::string, Entry*> by_id;

    /// Null where there is none.
    [[nodiscard]] Entry* find(const std::string& id);
    [[nodiscard]] const Entry* find(const std::string& id) const;

    /// Depth first, in file order.
    [[nodiscard]] std::vector<Entry*> in_order();
    [[nodiscard]] std::vector<const Entry*> in_order() const;
};

using GenerationPtr = std::shared_ptr<Generation>;

/// The rows of a composition with an id each, which those without one get by their name and their
/// number: eight hexadecimal digits (spec LDR-4). Rows of included files are not there yet.
///
/// Errors: `duplicate loader entry id: ID` (spec LDR-37).
[[nodiscard]] GenerationPtr make_generation(Sources sources, std::shared_ptr<const Branch> root);

/// Gives an id to each row of one list, and of the groups in it, that has none; always the same
/// ones to the same rows.
///
/// Errors: as above.
void give_ids(Value::Array& rows);

/// Adds the rows of the document that was read for `include`.
///
/// Errors: as above.
void attach_document(Generation& generation, Entry& include, std::shared_ptr<const Branch> branch);

/// Adds the row that mounts `plugin` because some row needs `service`.
Entry& add_default(
    Generation& generation,
    const std::shared_ptr<const Branch>& root,
    const std::string& service,
    const std::string& plugin
);

/// Has each entry take over what runs for the row of that id in `previous`.
void inherit_mounts(Generation& next, const Generation& previous);

}  // namespace cordon
