#include <cordon/loader/entry.hpp>
#include <cordon/loader/row.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <utility>

namespace cordon {
namespace {

/// Eight hexadecimal digits that follow from where the row stands, so that they are the same at
/// every start (FNV-1a).
std::string digits_for(std::string_view text) {
    std::uint32_t hash = 2166136261U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return fmt::format("{:08x}", hash);
}

class EntryMaker {
public:
    explicit EntryMaker(Entries& entries) : entries_(entries) {}

    void reserve_ids(const Value& row) {
        const Object* keys = row.as_object();
        if (keys == nullptr) {
            return;
        }
        taken_.insert(string_member(*keys, "id"));
        for (const Value& child : children_of(*keys)) {
            reserve_ids(child);
        }
    }

    Entry* make(const Value& row, Entry* group) {
        const Object* keys = row.as_object();
        if (keys == nullptr) {
            return nullptr;  // refused by compose(); nothing to mount
        }
        Entry& entry = entries_.emplace_back();
        entry.row = row;
        entry.group = group;
        entry.place = place_of(row);
        entry.name = string_member(*keys, "name");
        entry.id = string_member(*keys, "id");
        if (entry.id.empty()) {
            entry.id = fresh_id(entry);
        }
        entry.is_group = is_group(*keys);
        for (const Value& child : children_of(*keys)) {
            if (Entry* made = make(child, &entry)) {
                entry.children.push_back(made);
            }
        }
        return &entry;
    }

private:
    static Value::Array children_of(const Object& keys) {
        const Value* config = keys.find("config");
        const Value::Array* rows = config == nullptr ? nullptr : config->as_array();
        return rows != nullptr && is_group(keys) ? *rows : Value::Array{};
    }

    std::string fresh_id(const Entry& entry) {
        const std::string seed = entry.name + " " + to_string(entry.place);
        std::string id = digits_for(seed);
        for (int attempt = 1; !taken_.insert(id).second; ++attempt) {
            id = digits_for(fmt::format("{} {}", seed, attempt));
        }
        return id;
    }

    Entries& entries_;
    std::set<std::string> taken_;
};

}  // namespace

const Value* Entry::key(std::string_view wanted) const {
    const Value* value = keys().find(wanted);
    return value == nullptr || value->is_null() ? nullptr : value;
}

bool Entry::is_mountable() const {
    return !disabled && !failure && (group == nullptr || group->is_mountable());
}

bool Entry::is_off() const {
    return disabled || (group != nullptr && group->is_off());
}

bool Entry::isolates(std::string_view service) const {
    const Value* isolate = key("isolate");
    const Object* services = isolate == nullptr ? nullptr : isolate->as_object();
    const bool is_own = services != nullptr && services->find(service) != nullptr;
    return is_own || (group != nullptr && group->isolates(service));
}

Entries make_entries(const Composition& composition) {
    Entries entries;
    EntryMaker maker{entries};
    for (const ComposedRow& row : composition.rows) {
        maker.reserve_ids(row.row);
    }
    for (const ComposedRow& row : composition.rows) {
        maker.make(row.row, nullptr);
    }
    return entries;
}

Entry& add_default(Entries& entries, const std::string& service, const std::string& plugin) {
    Entry& entry = entries.emplace_back();
    entry.id = "default:" + service;
    entry.name = plugin;
    entry.row = Value{Object{{"id", entry.id}, {"name", plugin}}};
    entry.is_default = true;
    return entry;
}

std::vector<std::string> added_services(const Entry& entry) {
    std::vector<std::string> services;
    const Value* inject = entry.key("inject");
    if (inject == nullptr) {
        return services;
    }
    if (const Value::Array* names = inject->as_array()) {
        for (const Value& name : *names) {
            services.push_back(*name.as_string());
        }
    } else if (const Object* table = inject->as_object()) {
        for (const Member& member : *table) {
            services.push_back(member.key);
        }
    }
    return services;
}

}  // namespace cordon
