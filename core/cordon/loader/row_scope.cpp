#include <cordon/loader/entry.hpp>
#include <cordon/loader/row.hpp>
#include <cordon/loader/row_scope.hpp>

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

namespace cordon {
namespace {

void check(const Value& value, std::vector<Diagnostic>& found) {
    if (const Expression* expression = value.as_expression()) {
        for (Diagnostic& problem : check_expression(*expression, value.mark())) {
            found.push_back(std::move(problem));
        }
    } else if (const Value::Array* items = value.as_array()) {
        for (const Value& item : *items) {
            check(item, found);
        }
    } else if (const Object* members = value.as_object()) {
        for (const Member& member : *members) {
            check(member.value, found);
        }
    }
}

}  // namespace

std::string folder_url(const std::filesystem::path& folder) {
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~!$&'()*+,;=:@";
    std::string url = "file://";
    for (const char c : folder.string()) {
        if (kPlain.find(c) != std::string_view::npos) {
            url += c;
        } else {
            url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return url.ends_with('/') ? url : url + '/';
}

RowScope::RowScope(ExpressionScope scope, const std::filesystem::path& base_folder)
    : scope_(std::move(scope)) {
    scope_.names.try_emplace("baseUrl", folder_url(base_folder));
}

ExpressionScope RowScope::in(const Context& context) const {
    ExpressionScope scope = scope_;
    scope.service = [host = scope_.service, context](std::string_view name) {
        std::optional<Value> shown = host ? host(name) : std::nullopt;
        if (!shown && context.find(name)) {
            // There, but a C++ service shows no fields.
            shown = Value{Object{}};
        }
        return shown;
    };
    return scope;
}

std::shared_ptr<const RowScope> RowScope::beside(const std::filesystem::path& folder) const {
    ExpressionScope scope = scope_;
    scope.names.erase("baseUrl");
    return std::make_shared<RowScope>(std::move(scope), folder);
}

bool is_switched_off(const Entry& entry, const RowScope& scope, const Context& context) {
    const Value* disabled = entry.key("disabled");
    if (disabled == nullptr) {
        return false;
    }
    const Expression* expression = disabled->as_expression();
    if (expression == nullptr) {
        return is_truthy(*disabled);
    }
    const std::optional<Value> value = evaluate(*expression, disabled->mark(), scope.in(context));
    return value && is_truthy(*value);
}

std::vector<Diagnostic> check_config_expressions(const Entry& entry) {
    std::vector<Diagnostic> found;
    const Value* config = entry.key("config");
    if (config != nullptr && !entry.carries_rows()) {
        check(*config, found);
    }
    return found;
}

}  // namespace cordon
