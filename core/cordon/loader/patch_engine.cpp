#include <cordon/base/text.hpp>
#include <cordon/loader/patch_engine.hpp>
#include <cordon/loader/row.hpp>
#include <cordon/loader/row_check.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon {

PatchEngine::PatchEngine(const Layer& base) : label_(base.label) {
    for (const Value& row : base.entries) {
        roots_.push_back(make_node(row, nullptr, /*into_index=*/true));
    }
}

PatchEngine::~PatchEngine() = default;

PatchRowPtr PatchEngine::make_node(const Value& row, PatchRow* parent, bool into_index) {
    check_row_shape(row, found_);
    auto node = std::make_shared<PatchRow>();
    node->row = row;
    node->parent = parent;
    node->layer = layer_;
    node->origin = label_;
    const Object* members = row.as_object();
    if (members == nullptr) {
        return node;
    }
    const std::string id = string_member(*members, "id");
    if (into_index && !id.empty()) {
        index_[id] = node;
    }
    if (const Value* config = members->find("config")) {
        if (is_open_group(*members)) {
            open(*node, into_index);
        } else {
            check_config(*members, *config);
        }
    }
    return node;
}

/// Turns the rows in the config of a group into nodes, where it is a list of rows.
void PatchEngine::open(PatchRow& group, bool into_index) {
    Value* config = group.members().find("config");
    Value::Array* rows = config == nullptr ? nullptr : config->as_array();
    if (rows == nullptr) {
        if (config != nullptr) {
            check_config(group.members(), *config);
        }
        return;
    }
    group.children.emplace();
    for (const Value& row : *rows) {
        group.children->push_back(make_node(row, &group, into_index));
    }
    rows->clear();
}

/// Checks a config that is no list of addressable rows: only groups hold a list, and theirs holds
/// rows.
void PatchEngine::check_config(const Object& row, const Value& config) {
    const Value::Array* items = config.as_array();
    const bool group = is_group(row) || is_open_group(row);
    if (group && items != nullptr) {
        for (const Value& item : *items) {
            check_row_shape(item, found_);
            const Object* members = item.as_object();
            const Value* nested = members == nullptr ? nullptr : members->find("config");
            if (nested != nullptr) {
                check_config(*members, *nested);
            }
        }
    } else if (group != (items != nullptr) && !config.is_null()) {
        found_.push_back(Diagnostic{
            Severity::error,
            config.place(),
            subject_of(row) + ": config",
            fmt::format(
                "expected {}, found {}",
                group ? "a list of rows, as for every group" : "a mapping",
                in_words(config)
            ),
            ""});
    }
}

void PatchEngine::apply(const Layer& layer) {
    label_ = layer.label;
    ++layer_;
    untouched_.clear();
    for (const Value& entry : layer.entries) {
        apply_entry(entry);
    }
    for (const PatchRowPtr& row : roots_) {
        const auto before = untouched_.find(row.get());
        if (before != untouched_.end() && before->second != row->assemble()) {
            row->patched_by.push_back(label_);
        }
    }
}

void PatchEngine::apply_entry(const Value& entry) {
    const Object* patch = entry.as_object();
    if (patch == nullptr) {
        return;  // refused by make_layer; a layer made by a program may hold anything
    }
    check_keys(*patch, EntryKind::patch, found_);
    const Value* inserted = patch->find("insert");
    if (inserted != nullptr && !inserted->is_null()) {
        if (const Value::Array* rows = inserted->as_array()) {
            insert(*patch, *rows);
        }
        return;
    }
    const Value* id = patch->find("id");
    if (id == nullptr) {
        const bool looks_like_row = patch->find("name") != nullptr;
        warn(
            entry,
            "patch: id is required for non-insert patches",
            looks_like_row ? "To add a row, write it below `insert:`" : ""
        );
        return;
    }
    if (const std::string* text = id->as_string(); text != nullptr && !text->empty()) {
        override_row(*patch, *text);
    }
}

void PatchEngine::insert(const Object& patch, const Value::Array& rows) {
    for (const Member& member : patch) {
        if (member.key != "insert" && member.key != "id") {
            warn(
                member.value,
                fmt::format("patch insert: key '{}' is ignored beside insert", member.key),
                "Put it into the inserted rows, or into a patch of its own"
            );
        }
    }
    const Value* id = patch.find("id");
    if (id == nullptr) {
        for (const Value& row : rows) {
            roots_.push_back(make_node(row, nullptr, /*into_index=*/true));
        }
        return;
    }
    const std::string target = string_member(patch, "id");
    if (target.empty()) {
        return;  // reported by check_keys
    }
    PatchRow* group = find(target);
    if (group == nullptr) {
        warn(
            *id,
            fmt::format("patch insert: entry \"{}\" not found", target),
            hint_for_missing(patch, target)
        );
    } else if (!is_open_group(group->members())) {
        warn(
            *id,
            fmt::format("patch insert: entry \"{}\" is not a group", target),
            is_group(group->members()) ? "Add `group: true` to the row of the group" : ""
        );
    } else {
        warn_where_detached(*group, *id);
        insert_into(*group, rows);
    }
}

void PatchEngine::insert_into(PatchRow& group, const Value::Array& rows) {
    remember(group);
    if (!group.children) {
        // Rows that came with a replaced config stay out of the index (spec composition.md 5).
        open(group, /*into_index=*/false);
    }
    if (!group.children) {
        group.children.emplace();
        group.members().set("config", Value::Array{});
    }
    for (const Value& row : rows) {
        group.children->push_back(make_node(row, &group, /*into_index=*/true));
    }
}

void PatchEngine::override_row(const Object& patch, const std::string& id) {
    const Value& at = *patch.find("id");
    PatchRow* row = find(id);
    if (row == nullptr) {
        warn(at, fmt::format("patch: entry \"{}\" not found", id), hint_for_missing(patch, id));
        return;
    }
    const std::string expected = string_member(row->members(), "name");
    const Value* guard = patch.find("name");
    if (guard != nullptr && string_member(patch, "name") != expected) {
        warn(
            *guard,
            fmt::format(
                "patch: name mismatch for \"{}\" (expected \"{}\", got \"{}\"), skipping",
                id,
                expected,
                string_member(patch, "name")
            ),
            "A patch cannot give a row another plugin: disable the row and insert one under a new "
            "id"
        );
        return;
    }
    warn_where_detached(*row, at);
    remember(*row);
    for (const Member& member : patch) {
        if (member.key == "config") {
            replace_config(*row, member.value);
        } else if (member.key != "id" && member.key != "name" && member.key != "insert") {
            row->members().set(member.key, member.value, member.key_mark);
        }
    }
}

void PatchEngine::replace_config(PatchRow& row, const Value& config) {
    warn_of_lost_keys(row, config);
    if (row.children) {
        for (const PatchRowPtr& child : *row.children) {
            child->detach();
        }
        row.children.reset();
    }
    check_config(row.members(), config);
    row.members().set("config", config);
}

/// A patch replaces the whole config, which people forget who mean to change one key.
void PatchEngine::warn_of_lost_keys(PatchRow& row, const Value& config) {
    const Value* before = row.members().find("config");
    const Object* old_keys = before == nullptr ? nullptr : before->as_object();
    const Object* new_keys = config.as_object();
    if (old_keys == nullptr || new_keys == nullptr || new_keys->empty()) {
        return;
    }
    std::vector<std::string> lost;
    for (const Member& member : *old_keys) {
        if (!member.value.is_null() && new_keys->find(member.key) == nullptr) {
            lost.push_back(member.key);
        }
    }
    if (!lost.empty()) {
        warn(
            config,
            fmt::format(
                "config of row '{}' is replaced as a whole and loses: {} (set at {})",
                string_member(row.members(), "id"),
                join(lost),
                to_string(before->place())
            ),
            "Repeat those keys, or set them to null if their defaults are meant"
        );
    }
}

/// Keeps what a row of the list was before this layer, so that only real changes count as patched.
void PatchEngine::remember(const PatchRow& row) {
    const PatchRow& top = row.top();
    if (!top.detached && top.layer != layer_ && !untouched_.contains(&top)) {
        untouched_.emplace(&top, top.assemble());
    }
}

void PatchEngine::warn_where_detached(const PatchRow& row, const Value& at) {
    if (row.detached) {
        warn(
            at,
            fmt::format(
                "patch: entry \"{}\" is no longer there, the patch changes nothing",
                string_member(*row.row.as_object(), "id")
            ),
            "The config of its group was replaced; change the row where that was done"
        );
    }
}

PatchRow* PatchEngine::find(const std::string& id) const {
    const auto found = index_.find(id);
    return found == index_.end() ? nullptr : found->second.get();
}

void PatchEngine::warn(const Value& at, std::string problem, std::string hint) {
    Place place = at.place();
    std::string subject = place.file == label_ ? "" : fmt::format("[{}]", label_);
    found_.push_back(Diagnostic{
        Severity::warning,
        std::move(place),
        std::move(subject),
        std::move(problem),
        std::move(hint)});
}

std::string PatchEngine::hint_for_missing(const Object& patch, const std::string& id) const {
    const std::string name = string_member(patch, "name");
    if (!name.empty() && patch.find("insert") == nullptr) {
        // Field-122: eight rows written like this loaded nothing at all.
        return fmt::format(
            "To add a row instead of changing one, write it below `insert:`: "
            "`- insert: [{{id: {}, name: '{}'}}]`",
            id,
            name
        );
    }
    std::vector<std::string> ids;
    for (const auto& [known, node] : index_) {
        ids.push_back(known);
        const std::string plugin = string_member(node->members(), "name");
        const bool is_its_plugin =
            plugin == id || plugin.ends_with("/" + id) || plugin.ends_with("-" + id);
        if (is_its_plugin) {
            return fmt::format("'{}' is the plugin of row '{}'; patch that id", id, known);
        }
    }
    const auto nearest = nearest_name(id, ids);
    return nearest ? fmt::format("Perhaps row '{}' is meant", *nearest) : "";
}

Composition PatchEngine::take() {
    Composition composition;
    for (const PatchRowPtr& row : roots_) {
        composition.rows.push_back(ComposedRow{
            row->assemble(), std::move(row->origin), std::move(row->patched_by)});
    }
    composition.warnings = std::move(found_);
    return composition;
}

}  // namespace cordon
