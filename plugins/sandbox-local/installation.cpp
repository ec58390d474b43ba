#include "installation.hpp"

#include <cordon/sandbox/loader_variables.hpp>
#include <cordon/sandbox/roots.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <dlfcn.h>
#include <stdlib.h>

namespace cordon::sandbox_local {
namespace {

constexpr const char* kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

/// Our own programs are installed beside libcordon: `lib/libcordon.so` and `lib/cordon/bin`.
ProgramSearch look_for_helper(const char* name) {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(&runner_environment), &info) == 0) {
        return {};
    }
    const std::string library = canonical_path(info.dli_fname);
    const std::string folder = library.substr(0, library.rfind('/'));
    return examine_own_program(folder + "/cordon/bin/" + name, library);
}

}  // namespace

Installation look_for_programs(const std::optional<std::string>& configured) {
    Installation installation;
    installation.facts = look_at_host();
    const char* path = ::getenv("PATH");
    installation.bwrap = configured ? examine_program(*configured)
                                    : find_program("bwrap", path != nullptr ? path : kDefaultPath);
    installation.launcher = look_for_helper("cordon-launch");
    installation.init = look_for_helper("cordon-init");
    return installation;
}

const TrustedProgram* choose(const ProgramSearch& search, const std::string& workspace) {
    const auto found = std::find_if(
        search.trusted.begin(),
        search.trusted.end(),
        [&](const TrustedProgram& program) {
            return !program.replaceable || workspace == "/" || !is_within(program.path, workspace);
        }
    );
    return found == search.trusted.end() ? nullptr : &*found;
}

std::string mistrust_of(const ProgramSearch& search, std::string_view program) {
    if (!search.trusted.empty()) {
        return fmt::format(
            "{} is not used from the workspace, where commands could replace it: {}",
            program,
            search.trusted.front().path
        );
    }
    if (!search.refused.empty()) {
        return fmt::format("{} is not trusted: {}", program, search.refused.front().reason);
    }
    return {};
}

void describe_programs(
    const ProgramSearch& search, std::string_view program, std::vector<std::string>& facts
) {
    for (const TrustedProgram& found : search.trusted) {
        facts.push_back(fmt::format("{}: {}", program, found.path));
    }
    for (const RefusedProgram& found : search.refused) {
        facts.push_back(fmt::format("{}: {} not used: {}", program, found.path, found.reason));
    }
    if (search.trusted.empty() && search.refused.empty()) {
        facts.push_back(fmt::format("{}: not found on PATH", program));
    }
}

}  // namespace cordon::sandbox_local
