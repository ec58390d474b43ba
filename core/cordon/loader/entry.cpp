#include <cordon/base/error.hpp>
#include <cordon/loader/entry.hpp>
#include <cordon/loader/row.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon {

const Value* Entry::key(std::string_view wanted) const {
    const Value* value = keys().find(wanted);
    return value == nullptr || value->is_null() ? nullptr : value;
}

Value Entry::value_of(std::string_view wanted) const {
    const Value* value = key(wanted);
    return value == nullptr ? Value{} : *value;
}

bool Entry::is_open() const {
    return carries_rows() && is_open_group(keys());
}

bool Entry::is_off() const {
    return disabled || (owner != nullptr && owner->is_off());
}

bool Entry::is_wanted() const {
    const bool has_place = owner == nullptr || owner->is_wanted();
    return !failure && has_place && (is_open() || !is_off());
}

bool Entry::isolates(std::string_view service) const {
    const Value* isolate = key("isolate");
    const Object* services = isolate == nullptr ? nullptr : isolate->as_object();
    const bool is_own = services != nullptr && services->find(service) != nullptr;
    return is_own || (owner != nullptr && owner->isolates(service));
}

Value Entry::config() const {
    const Value* config = carries_rows() ? nullptr : keys().find("config");
    return config == nullptr ? Value{} : *config;
}

Identity Entry::identity() const {
    return Identity{name, plugin, value_of("inject"), is_open(), file};
}

ScopeOverrides scope_overrides(const Entry& entry) {
    ScopeOverrides overrides;
    const Value* isolate = entry.key("isolate");
    if (const Object* services = isolate == nullptr ? nullptr : isolate->as_object()) {
        for (const Member& service : *services) {
            if (const std::string* label = service.value.as_string()) {
                overrides.isolate.emplace(service.key, *label);
            } else if (is_truthy(service.value)) {
                overrides.isolate.emplace(service.key, std::nullopt);
            }
        }
    }
    const Value* intercept = entry.key("intercept");
    if (const Object* services = intercept == nullptr ? nullptr : intercept->as_object()) {
        for (const Member& service : *services) {
            if (const Object* layer = service.value.as_object()) {
                overrides.intercept.emplace(service.key, *layer);
            }
        }
    }
    return overrides;
}

Inject added_services(const Entry& entry) {
    Inject services;
    const Value* inject = entry.key("inject");
    if (inject == nullptr) {
        return services;
    }
    if (const Value::Array* names = inject->as_array()) {
        for (const Value& name : *names) {
            services.add(Injection{*name.as_string()});
        }
    } else if (const Object* table = inject->as_object()) {
        for (const Member& member : *table) {
            const Object* settings = member.value.as_object();
            services.add(
                settings == nullptr ? Injection{member.key} : Injection{member.key, *settings}
            );
        }
    }
    return services;
}

Error entry_error(const Entry& entry, std::string_view stage, const std::exception_ptr& why) {
    std::string text =
        fmt::format("failed to {} loader entry {}: {}", stage, entry.title(), message_of(why));
    for (const Entry* owner = entry.owner; owner != nullptr; owner = owner->owner) {
        text = fmt::format("failed to apply loader entry {}: {}", owner->title(), text);
    }
    return Error{std::move(text), "ENTRY_FAILED", as_cause(why)};
}

}  // namespace cordon
