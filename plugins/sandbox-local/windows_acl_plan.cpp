#include "windows_acl_plan.hpp"

#include <cordon/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace cordon::sandbox_local {
namespace {

char folded(char character) {
    if (character == '/') {
        return '\\';
    }
    const bool is_upper = character >= 'A' && character <= 'Z';
    return is_upper ? static_cast<char>(character - 'A' + 'a') : character;
}

bool is_inside(std::string_view path, std::string_view folder) {
    while (!folder.empty() && folded(folder.back()) == '\\') {
        folder.remove_suffix(1);
    }
    const bool begins = path.size() >= folder.size() &&
                        std::equal(folder.begin(), folder.end(), path.begin(), [](char a, char b) {
                            return folded(a) == folded(b);
                        });
    return begins && (path.size() == folder.size() || folded(path[folder.size()]) == '\\');
}

}  // namespace

std::vector<std::string> plan_windows_acl(
    const std::vector<std::string>& runner,
    const AclCall& call,
    const std::vector<std::string>& command
) {
    const bool writes = call.mode == ConfinedSandboxMode::workspace_write && call.grants;
    if (writes && is_inside(call.temporary, call.workspace)) {
        throw Error{
            fmt::format(
                "Windows ACL temp root must be outside the workspace: workspace={}; temp={}",
                call.workspace,
                call.temporary
            ),
            "INVALID_POLICY"};
    }
    std::vector<std::string> argv = runner;
    argv.insert(
        argv.end(),
        {"--workspace",
         call.workspace,
         "--temp",
         call.temporary,
         "--mode",
         std::string{to_string(call.mode)}}
    );
    if (writes) {
        argv.insert(
            argv.end(),
            {"--write-sid",
             call.grants->write_sid,
             "--temp-write-sid",
             call.grants->temporary_write_sid}
        );
    }
    argv.emplace_back("--");
    argv.insert(argv.end(), command.begin(), command.end());
    return argv;
}

}  // namespace cordon::sandbox_local
