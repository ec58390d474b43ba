#include <cordon/base/error.hpp>
#include <cordon/loader/import.hpp>
#include <cordon/loader/row.hpp>
#include <cordon/loader/row_scope.hpp>

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <vector>

namespace cordon {
namespace {

/// What the dialect knows and this loader does not is refused by name, never ignored.
void refuse_unsupported(const Entry& entry) {
    if (!entry.carries_rows() && is_open_group(entry.keys())) {
        throw Error{
            fmt::format(
                "{}: 'group' on anything but cordis:group is not supported",
                to_string(entry.keys().find("group")->place())
            ),
            "UNSUPPORTED"};
    }
    if (!entry.carries_rows() && entry.name.starts_with("cordis:")) {
        throw Error{
            fmt::format(
                "there is no builtin '{}'; there are 'cordis:group' and 'cordis:include'",
                entry.name
            ),
            "PLUGIN_NOT_FOUND"};
    }
}

}  // namespace

void import_plugins(Entries& entries, ModuleResolver& modules) {
    for (Entry& entry : entries) {
        if (!entry.is_wanted() || entry.plugin) {
            continue;
        }
        try {
            refuse_unsupported(entry);
            if (!entry.carries_rows()) {
                const auto file = modules.resolve(entry.name, entry.branch->base_folder);
                entry.plugin = modules.load(file).plugin;
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
