#include <cordon/base/text.hpp>
#include <cordon/loader/row.hpp>
#include <cordon/loader/row_check.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace cordon {
namespace {

constexpr std::string_view kWhereExpressions =
    "`!!js` is evaluated only inside config and in disabled; write the value itself";

/// What one key may hold, checked one key at a time.
class KeyCheck {
public:
    KeyCheck(std::string subject, std::vector<Diagnostic>& found)
        : subject_(std::move(subject)), found_(found) {}

    void check(const Member& member, EntryKind kind);
    void unknown(const Member& member, EntryKind kind);

private:
    void text(const Member& member);
    void flag(const Member& member);
    void inject(const Member& member);
    void isolate(const Member& member);
    void container(const Member& member, Value::Kind expected);
    void no_expression(const std::string& path, const Value& value);
    void wrong(const Value& at, const std::string& key, std::string problem, std::string hint = {});
    void mistyped(const Member& member, std::string_view expected, std::string hint = {});

    std::string subject_;
    std::vector<Diagnostic>& found_;
};

void KeyCheck::wrong(
    const Value& at, const std::string& key, std::string problem, std::string hint
) {
    found_.push_back(Diagnostic{
        Severity::error, at.place(), subject_ + ": " + key, std::move(problem), std::move(hint)});
}

void KeyCheck::mistyped(const Member& member, std::string_view expected, std::string hint) {
    if (member.value.as_expression() != nullptr) {
        hint = kWhereExpressions;
    }
    wrong(
        member.value,
        member.key,
        fmt::format("expected {}, found {}", expected, in_words(member.value)),
        std::move(hint)
    );
}

void KeyCheck::text(const Member& member) {
    const std::string* text = member.value.as_string();
    if (text == nullptr) {
        const double* number = member.value.as_number();
        mistyped(
            member,
            "a string",
            number == nullptr ? "" : fmt::format("Quote it: `{}: '{}'`", member.key, *number)
        );
    } else if (text->empty()) {
        wrong(member.value, member.key, "is empty");
    }
}

void KeyCheck::flag(const Member& member) {
    const Value& value = member.value;
    if (value.is_null() || value.as_boolean() != nullptr) {
        return;
    }
    const bool takes_expression = member.key == "disabled";
    if (takes_expression && value.as_expression() != nullptr) {
        return;
    }
    std::string hint;
    if (const std::string* text = value.as_string()) {
        const std::string word = to_lower(*text);
        if (word == "false" || word == "no" || word == "off") {
            hint = fmt::format("Write `{}: false`", member.key);
        } else if (word == "true" || word == "yes" || word == "on") {
            hint = fmt::format("Write `{}: true`", member.key);
        }
    }
    mistyped(
        member,
        takes_expression ? "true, false or a `!!js` expression" : "true or false",
        std::move(hint)
    );
}

void KeyCheck::container(const Member& member, Value::Kind expected) {
    if (member.value.is_null()) {
        return;
    }
    if (member.value.kind() != expected) {
        mistyped(member, fmt::format("a {}", kind_name(expected)));
        return;
    }
    if (member.key != "insert") {
        no_expression(member.key, member.value);
    }
}

void KeyCheck::no_expression(const std::string& path, const Value& value) {
    if (value.as_expression() != nullptr) {
        wrong(
            value, path, "an expression here would not be evaluated", std::string{kWhereExpressions}
        );
    } else if (const Value::Array* items = value.as_array()) {
        for (std::size_t i = 0; i < items->size(); ++i) {
            no_expression(fmt::format("{}[{}]", path, i), (*items)[i]);
        }
    } else if (const Object* members = value.as_object()) {
        for (const Member& member : *members) {
            no_expression(path + "." + member.key, member.value);
        }
    }
}

void KeyCheck::inject(const Member& member) {
    if (const Value::Array* names = member.value.as_array()) {
        for (std::size_t i = 0; i < names->size(); ++i) {
            const std::string* name = (*names)[i].as_string();
            if (name == nullptr || name->empty()) {
                wrong(
                    (*names)[i],
                    fmt::format("inject[{}]", i),
                    "expected the name of a service, found " + in_words((*names)[i])
                );
            }
        }
        return;
    }
    if (member.value.as_object() == nullptr) {
        if (!member.value.is_null()) {
            mistyped(member, "a list of service names");
        }
        return;
    }
    for (const Member& service : *member.value.as_object()) {
        const bool* wanted = service.value.as_boolean();
        const bool acceptable = service.value.is_null() || service.value.as_object() != nullptr ||
                                (wanted != nullptr && *wanted);
        if (!acceptable) {
            // Spec INJ-2: the reference takes this for services called `required` and `optional`.
            wrong(
                service.value,
                "inject." + service.key,
                "expected null or the service's settings, found " + in_words(service.value),
                "Every service named here is required; leave out those that are optional"
            );
        }
    }
    no_expression("inject", member.value);
}

void KeyCheck::isolate(const Member& member) {
    const Object* services = member.value.as_object();
    if (services == nullptr) {
        container(member, Value::Kind::object);
        return;
    }
    for (const Member& service : *services) {
        const bool* alone = service.value.as_boolean();
        const std::string* label = service.value.as_string();
        if ((alone == nullptr || !*alone) && (label == nullptr || label->empty())) {
            wrong(
                service.value,
                "isolate." + service.key,
                "expected true or a label, found " + in_words(service.value)
            );
        }
    }
}

void KeyCheck::check(const Member& member, EntryKind kind) {
    if (member.key == "id" || member.key == "name") {
        text(member);
    } else if (member.key == "disabled" || member.key == "group") {
        flag(member);
    } else if (member.key == "inject") {
        inject(member);
    } else if (member.key == "isolate") {
        isolate(member);
    } else if (member.key == "intercept") {
        container(member, Value::Kind::object);
    } else if (member.key == "insert" && kind == EntryKind::patch) {
        container(member, Value::Kind::array);
    } else if (member.key == "config") {
        const Value::Kind found = member.value.kind();
        if (found == Value::Kind::boolean || found == Value::Kind::number ||
            found == Value::Kind::string) {
            mistyped(member, "a mapping");
        }
    } else {
        unknown(member, kind);
    }
}

void KeyCheck::unknown(const Member& member, EntryKind kind) {
    std::vector<std::string> known{
        "id", "name", "config", "group", "disabled", "inject", "isolate", "intercept"};
    if (kind == EntryKind::patch) {
        known.emplace_back("insert");
    }
    std::string hint;
    if (kind == EntryKind::row && member.key == "insert") {
        hint = "`insert` belongs to patches; give the file as a patch, not as a list of rows";
    } else if (const auto nearest = nearest_name(member.key, known)) {
        hint = fmt::format("Perhaps `{}` is meant", *nearest);
    }
    const Place key_place = member.key_mark.place();
    found_.push_back(Diagnostic{
        Severity::warning,
        key_place.line > 0 ? key_place : member.value.place(),
        subject_,
        fmt::format("unknown key '{}' has no effect", member.key),
        std::move(hint)});
}

}  // namespace

void check_keys(const Object& entry, EntryKind kind, std::vector<Diagnostic>& found) {
    KeyCheck check{subject_of(entry), found};
    for (const Member& member : entry) {
        check.check(member, kind);
    }
}

void check_row_shape(const Value& row, std::vector<Diagnostic>& found) {
    const Object* members = row.as_object();
    if (members == nullptr) {
        found.push_back(Diagnostic{
            Severity::error, row.place(), "", "expected a row, found " + in_words(row), ""});
        return;
    }
    check_keys(*members, EntryKind::row, found);
    if (members->find("name") == nullptr) {
        const bool is_patch = members->find("insert") != nullptr;
        found.push_back(Diagnostic{
            Severity::error,
            place_of(row),
            subject_of(*members),
            "has no name, so no plugin",
            is_patch ? "Give this file as a patch, or move the inserted rows to the top level"
                     : "Add `name:` with the plugin to mount"});
    }
}

}  // namespace cordon
