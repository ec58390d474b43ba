#include <cordon/base/error.hpp>
#include <cordon/loader/generation.hpp>
#include <cordon/loader/row.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace cordon {
namespace {

/// Eight hexadecimal digits that follow from the text (FNV-1a), so that they are the same at every
/// start.
std::string digits_for(std::string_view text) {
    std::uint32_t hash = 2166136261U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return fmt::format("{:08x}", hash);
}

Value::Array* children_of(Object& keys) {
    Value* config = keys.find("config");
    return config != nullptr && is_group(keys) ? config->as_array() : nullptr;
}

/// Gives an id to every row of one branch that has none.
class IdMaker {
public:
    void reserve(Value& row) {
        Object* keys = row.as_object();
        if (keys == nullptr) {
            return;
        }
        const std::string id = string_member(*keys, "id");
        if (!id.empty() && !taken_.insert(id).second) {
            throw Error{fmt::format("duplicate loader entry id: {}", id), "DUPLICATE_ID"};
        }
        if (Value::Array* children = children_of(*keys)) {
            for (Value& child : *children) {
                reserve(child);
            }
        }
    }

    void assign(Value& row) {
        Object* keys = row.as_object();
        if (keys == nullptr) {
            return;
        }
        if (string_member(*keys, "id").empty()) {
            keys->set("id", fresh_id(string_member(*keys, "name")));
        }
        if (Value::Array* children = children_of(*keys)) {
            for (Value& child : *children) {
                assign(child);
            }
        }
    }

private:
    std::string fresh_id(const std::string& name) {
        for (;;) {
            std::string id = digits_for(fmt::format("{} {}", name, ++numbers_[name]));
            if (taken_.insert(id).second) {
                return id;
            }
        }
    }

    std::set<std::string> taken_;
    std::map<std::string, int> numbers_;
};

class EntryMaker {
public:
    EntryMaker(Generation& generation, std::shared_ptr<const Branch> branch)
        : generation_(generation), branch_(std::move(branch)) {}

    Entry& make(const Value& row, Entry* owner) {
        const Object& keys = *row.as_object();
        Entry& entry = generation_.entries.emplace_back();
        entry.row = row;
        entry.branch = branch_;
        entry.owner = owner;
        entry.place = place_of(row);
        entry.name = string_member(keys, "name");
        entry.local_id = string_member(keys, "id");
        entry.id = branch_->prefix + entry.local_id;
        generation_.by_id.emplace(entry.id, &entry);
        entry.kind = is_group(keys)     ? RowKind::group
                     : is_include(keys) ? RowKind::include
                                        : RowKind::plugin;
        const Value* config = keys.find("config");
        const Value::Array* rows = config == nullptr ? nullptr : config->as_array();
        if (entry.kind == RowKind::group && rows != nullptr) {
            make_all(*rows, entry);
        }
        return entry;
    }

    void make_all(const Value::Array& rows, Entry& owner) {
        for (const Value& row : rows) {
            if (row.as_object() != nullptr) {  // else refused by compose(); nothing to mount
                owner.children.push_back(&make(row, &owner));
            }
        }
    }

private:
    Generation& generation_;
    std::shared_ptr<const Branch> branch_;
};

template <typename Pointer>
void collect(const std::vector<Entry*>& entries, std::vector<Pointer>& into) {
    for (Entry* entry : entries) {
        into.push_back(entry);
        collect(entry->children, into);
    }
}

}  // namespace

Entry* Generation::find(const std::string& id) {
    const auto found = by_id.find(id);
    return found == by_id.end() ? nullptr : found->second;
}

const Entry* Generation::find(const std::string& id) const {
    const auto found = by_id.find(id);
    return found == by_id.end() ? nullptr : found->second;
}

std::vector<Entry*> Generation::in_order() {
    std::vector<Entry*> all;
    collect(roots, all);
    return all;
}

std::vector<const Entry*> Generation::in_order() const {
    std::vector<const Entry*> all;
    collect(roots, all);
    return all;
}

GenerationPtr make_generation(Sources sources, std::shared_ptr<const Branch> root) {
    auto generation = std::make_shared<Generation>();
    IdMaker ids;
    for (ComposedRow& row : sources.rows) {
        ids.reserve(row.row);
    }
    for (ComposedRow& row : sources.rows) {
        ids.assign(row.row);
    }
    generation->sources = std::move(sources);
    EntryMaker maker{*generation, std::move(root)};
    for (const ComposedRow& row : generation->sources.rows) {
        if (row.row.as_object() != nullptr) {
            generation->roots.push_back(&maker.make(row.row, nullptr));
        }
    }
    return generation;
}

void give_ids(Value::Array& rows) {
    IdMaker ids;
    for (Value& row : rows) {
        ids.reserve(row);
    }
    for (Value& row : rows) {
        ids.assign(row);
    }
}

void attach_document(Generation& generation, Entry& include, std::shared_ptr<const Branch> branch) {
    Document& document = generation.sources.documents.at(include.id);
    give_ids(document.rows);
    include.file = document.file;
    EntryMaker{generation, std::move(branch)}.make_all(document.rows, include);
}

Entry& add_default(
    Generation& generation,
    const std::shared_ptr<const Branch>& root,
    const std::string& service,
    const std::string& plugin
) {
    Entry& entry = generation.entries.emplace_back();
    entry.id = "default:" + service;
    entry.local_id = entry.id;
    entry.name = plugin;
    entry.branch = root;
    entry.row = Value{Object{{"id", entry.id}, {"name", plugin}}};
    entry.is_default = true;
    generation.by_id.emplace(entry.id, &entry);
    generation.roots.push_back(&entry);
    return entry;
}

void inherit_mounts(Generation& next, const Generation& previous) {
    std::map<std::string, std::shared_ptr<Mount>> mounts;
    for (const Entry& entry : previous.entries) {
        mounts.emplace(entry.id, entry.mount);
    }
    for (Entry& entry : next.entries) {
        if (const auto found = mounts.find(entry.id); found != mounts.end()) {
            entry.mount = found->second;
        }
    }
}

}  // namespace cordon
