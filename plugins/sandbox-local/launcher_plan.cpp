#include "launcher_plan.hpp"

#include <cordon/base/error.hpp>
#include <cordon/sandbox/roots.hpp>

#include <algorithm>
#include <utility>

namespace cordon::sandbox_local {
namespace {

bool writes(const ConfinementRequest& request) {
    return request.mode == ConfinedSandboxMode::workspace_write;
}

void add_once(std::vector<std::string>& list, std::string path) {
    if (std::find(list.begin(), list.end(), path) == list.end()) {
        list.push_back(std::move(path));
    }
}

/// Shorter paths first, so that what lies in another comes after it and on top.
void sort_outer_first(std::vector<std::string>& paths) {
    std::stable_sort(paths.begin(), paths.end(), [](const auto& left, const auto& right) {
        return left.size() < right.size();
    });
}

/// The folders between a writable root and `path`, without both: mounted on themselves they cannot
/// be renamed, so that no other folder can take the place of one that must not be written.
void pin_folders_above(const std::string& path, std::vector<std::string>& writable) {
    const std::vector<std::string> roots = writable;
    for (const std::string& root : roots) {
        if (!is_within(path, root) || path == root) {
            continue;
        }
        for (std::size_t slash = path.find('/', root.size() + 1); slash != std::string::npos;
             slash = path.find('/', slash + 1)) {
            add_once(writable, path.substr(0, slash));
        }
    }
}

bool is_hidden(const std::string& path, const LauncherPlan& plan) {
    const auto covers = [&](const std::string& folder) {
        return is_within(path, folder);
    };
    return std::any_of(plan.private_folders.begin(), plan.private_folders.end(), covers) &&
           std::none_of(plan.writable.begin(), plan.writable.end(), covers);
}

void add_private_folders(
    LauncherPlan& plan, const ConfinementRequest& request, const HostFacts& facts
) {
    if (has_private_tmp(request, facts)) {
        plan.private_folders.emplace_back(kTemporaryFolder);
        plan.temporary_source = request.temporary;
    }
    if (facts.has_shared_memory && !is_within(kSharedMemory, request.workspace)) {
        plan.private_folders.emplace_back(kSharedMemory);
    }
    plan.temporary = facts.has_tmp ? kTemporaryFolder : kSharedMemory;
}

template <std::size_t Capacity>
void copy(const std::vector<std::string>& from, launch::PathList<Capacity>& to) {
    for (const std::string& path : from) {
        if (!to.add(path.c_str())) {
            throw Error{
                "sandbox-local: expected at most " + std::to_string(Capacity) +
                    " paths of one kind, found more: " + path,
                "INVALID_POLICY"};
        }
    }
}

void append(
    std::vector<std::string>& words, const char* option, const std::vector<std::string>& paths
) {
    for (const std::string& path : paths) {
        words.emplace_back(option);
        words.push_back(path);
    }
}

void append_valued(std::vector<std::string>& words, const char* option, const std::string& value) {
    if (!value.empty()) {
        words.emplace_back(option);
        words.push_back(value);
    }
}

void append_if(std::vector<std::string>& words, bool wanted, const char* flag) {
    if (wanted) {
        words.emplace_back(flag);
    }
}

}  // namespace

std::vector<std::string> writable_places(const ConfinementRequest& request) {
    std::vector<std::string> places{request.workspace};
    for (const std::string& root : request.writable_roots) {
        add_once(places, root);
    }
    for (const std::string& path : request.read_only_paths) {
        pin_folders_above(path, places);
    }
    sort_outer_first(places);
    return places;
}

bool has_private_tmp(const ConfinementRequest& request, const HostFacts& facts) {
    return facts.has_tmp && !is_within(kTemporaryFolder, request.workspace);
}

LauncherPlan plan_inside_bwrap(const ConfinementRequest& request, const HostFacts& facts) {
    LauncherPlan plan;
    plan.mode = request.mode;
    plan.landlock_abi = facts.landlock_abi;
    plan.own_mounts = facts.is_root;
    if (writes(request)) {
        plan.writable = writable_places(request);
        if (has_private_tmp(request, facts)) {
            plan.writable.emplace_back(kTemporaryFolder);
        }
        plan.writable.emplace_back(kSharedMemory);
        plan.temporary = facts.has_tmp ? kTemporaryFolder : kSharedMemory;
    }
    return plan;
}

LauncherPlan plan_native(
    const ConfinementRequest& request,
    const HostFacts& facts,
    const Containment& containment,
    const std::vector<std::string>& programs
) {
    LauncherPlan plan;
    plan.mode = request.mode;
    plan.landlock_abi = facts.landlock_abi;
    plan.view = true;
    plan.user_namespace = !facts.may_mount;
    plan.process_namespace = containment.processes;
    plan.network = containment.network;
    if (!writes(request)) {
        return plan;
    }
    plan.writable = writable_places(request);
    add_private_folders(plan, request, facts);
    plan.read_only = request.read_only_paths;
    sort_outer_first(plan.read_only);
    for (const std::string& program : programs) {
        if (is_hidden(program, plan)) {
            plan.kept.push_back(program);
        }
    }
    return plan;
}

LauncherPlan plan_landlock_alone(
    const ConfinementRequest& request, const HostFacts& facts, const Containment& containment
) {
    LauncherPlan plan;
    plan.mode = request.mode;
    plan.landlock_abi = facts.landlock_abi;
    plan.network = containment.network;
    if (!writes(request)) {
        return plan;
    }
    plan.writable = writable_places(request);
    if (facts.has_tmp) {
        add_once(plan.writable, kTemporaryFolder);
        plan.temporary = kTemporaryFolder;
    }
    plan.supervise = facts.can_supervise;
    return plan;
}

std::vector<std::string> launcher_words(const LauncherPlan& plan) {
    std::vector<std::string> words{
        "--mode",
        std::string{to_string(plan.mode)},
        "--landlock-abi",
        std::to_string(plan.landlock_abi)};
    append_if(words, plan.own_mounts, "--own-mounts");
    append_if(words, plan.view, "--view");
    append_if(words, plan.user_namespace, "--user-namespace");
    append_if(words, plan.process_namespace, "--process-namespace");
    append_if(words, plan.supervise, "--supervise");
    append_if(words, !plan.network, "--no-network");
    append(words, "--private", plan.private_folders);
    append(words, "--writable", plan.writable);
    append(words, "--read-only", plan.read_only);
    append(words, "--keep", plan.kept);
    append_valued(words, "--temp-source", plan.temporary_source);
    append_valued(words, "--temp", plan.temporary);
    return words;
}

launch::Options launcher_options(const LauncherPlan& plan) {
    launch::Options options;
    options.workspace_write = plan.mode == ConfinedSandboxMode::workspace_write;
    options.landlock_abi = plan.landlock_abi;
    copy(plan.writable, options.writable);
    copy(plan.private_folders, options.private_folders);
    copy(plan.read_only, options.read_only);
    copy(plan.kept, options.kept);
    options.own_mounts = plan.own_mounts;
    options.view = plan.view;
    options.temporary_source =
        plan.temporary_source.empty() ? nullptr : plan.temporary_source.c_str();
    options.user_namespace = plan.user_namespace;
    options.process_namespace = plan.process_namespace;
    options.supervise = plan.supervise;
    options.network = plan.network;
    options.temporary = plan.temporary.empty() ? nullptr : plan.temporary.c_str();
    return options;
}

}  // namespace cordon::sandbox_local
