#include <cordon/base/error.hpp>
#include <cordon/loader/import.hpp>
#include <cordon/loader/row.hpp>
#include <cordon/loader/row_scope.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>

namespace cordon {
namespace {

constexpr std::array<std::string_view, 3> kIncludeNames{
    "cordis:include", "@cordisjs/plugin-include", "@deepseek-ai/cordis-plugin-include"};

/// What the dialect knows and this loader does not is refused by name, never ignored.
void refuse_unsupported(const Entry& entry) {
    const auto refuse = [&](const Value& at, const std::string& what) {
        throw Error{
            fmt::format("{}: {} is not supported", to_string(at.place()), what), "UNSUPPORTED"};
    };
    if (const Value* intercept = entry.key("intercept")) {
        refuse(*intercept, "'intercept'");
    }
    const Value* inject = entry.key("inject");
    if (const Object* services = inject == nullptr ? nullptr : inject->as_object()) {
        for (const Member& service : *services) {
            const Object* settings = service.value.as_object();
            if (settings != nullptr && !settings->empty()) {
                refuse(service.value, fmt::format("'inject' with settings for '{}'", service.key));
            }
        }
    }
    const bool is_include =
        std::find(kIncludeNames.begin(), kIncludeNames.end(), entry.name) != kIncludeNames.end();
    if (is_include) {
        refuse(*entry.keys().find("name"), "including another file");
    }
    if (!entry.is_group && is_open_group(entry.keys())) {
        refuse(*entry.keys().find("group"), "'group' on anything but cordis:group");
    }
    if (!entry.is_group && entry.name.starts_with("cordis:")) {
        throw Error{
            fmt::format("there is no builtin '{}'; the only one is 'cordis:group'", entry.name),
            "PLUGIN_NOT_FOUND"};
    }
}

}  // namespace

void import_plugins(
    Entries& entries, ModuleResolver& modules, const std::filesystem::path& base_folder
) {
    for (Entry& entry : entries) {
        if (!entry.is_mountable() || entry.plugin) {
            continue;
        }
        try {
            refuse_unsupported(entry);
            if (!entry.is_group) {
                entry.plugin = modules.load(modules.resolve(entry.name, base_folder)).plugin;
            }
        } catch (...) {
            entry.fail("import", as_error(std::current_exception()));
            continue;
        }
        std::vector<Diagnostic> problems = check_config_expressions(entry);
        if (!problems.empty()) {
            entry.fail("apply", std::make_exception_ptr(DiagnosticError{std::move(problems)}));
        }
    }
}

}  // namespace cordon
