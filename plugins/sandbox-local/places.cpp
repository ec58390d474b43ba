#include "places.hpp"

#include "git_worktree.hpp"
#include "workspace.hpp"

#include <cordon/sandbox/roots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <stdlib.h>

namespace cordon::sandbox_local {
namespace {

/// Adds a root unless another one holds it already.
void add_root(ConfinementRequest& request, std::string root) {
    std::vector<std::string>& roots = request.writable_roots;
    const bool is_held = is_within(root, request.workspace) ||
                         std::any_of(roots.begin(), roots.end(), [&](const std::string& other) {
                             return is_within(root, other);
                         });
    if (!is_held) {
        roots.push_back(std::move(root));
    }
}

bool is_writable(const ConfinementRequest& request, const std::string& path) {
    const auto holds = [&](const std::string& root) {
        return is_within(path, root) && path != root;
    };
    return holds(request.workspace) ||
           std::any_of(request.writable_roots.begin(), request.writable_roots.end(), holds);
}

void add_read_only(ResolvedPlaces& resolved, const std::string& spelled) {
    ConfinementRequest& request = resolved.request;
    const std::string path = spelled.starts_with('/') ? spelled : request.workspace + '/' + spelled;
    std::error_code missing;
    const std::filesystem::path canonical = std::filesystem::canonical(path, missing);
    if (missing) {
        resolved.shortcomings.push_back(fmt::format(
            "read-only-missing: '{}' does not exist, so nothing keeps commands from making it", path
        ));
        return;
    }
    // What is not writable needs no protection.
    if (is_writable(request, canonical.string())) {
        request.read_only_paths.push_back(canonical.string());
    }
}

}  // namespace

ResolvedPlaces resolve_places(const SandboxPolicy& policy, const Places& places) {
    ResolvedPlaces resolved;
    ConfinementRequest& request = resolved.request;
    request.mode = policy.mode;
    request.workspace = resolve_workspace(policy);
    if (policy.mode != ConfinedSandboxMode::workspace_write) {
        return resolved;
    }
    const char* home = ::getenv("HOME");
    resolved.warning = workspace_warning(request.workspace, home != nullptr ? home : "");
    for (const std::string& root : places.writable_roots) {
        add_root(request, resolve_workspace({policy.mode, root, policy.session_id}));
    }
    std::vector<std::string> read_only = places.read_only_paths;
    if (places.git_worktrees) {
        if (auto worktree = find_linked_worktree(request.workspace)) {
            add_root(request, std::move(worktree->repository));
            // What the host's git executes is not the command's to write.
            read_only.insert(read_only.end(), worktree->executed.begin(), worktree->executed.end());
        }
    }
    for (const std::string& path : read_only) {
        add_read_only(resolved, path);
    }
    return resolved;
}

}  // namespace cordon::sandbox_local
