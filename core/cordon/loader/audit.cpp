#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/context/diagnosis.hpp>
#include <cordon/loader/audit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace cordon {
namespace {

enum Rank { failed = 0, lacks_provider = 1, waits_for_row = 2, inside_group = 3 };

/// More switched-off rows than this say nothing about a service.
constexpr std::size_t kMostNamed = 4;

/// Letters and digits in lower case: `sandboxPolicy` and `sandbox-policy` are one word.
std::string folded(std::string_view name) {
    std::string text;
    for (const char c : to_lower(name)) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            text += c;
        }
    }
    return text;
}

class Audit {
public:
    Audit(const Generation& generation, const Context& context) : entries_(generation.in_order()) {
        for (const Entry* entry : entries_) {
            if (entry->fiber()) {
                rows_.emplace(entry->fiber().get(), entry);
            }
        }
        for (WaitingFiber& waiting : waiting_fibers(context)) {
            const Fiber* fiber = waiting.fiber.get();
            waiting_.emplace(fiber, std::move(waiting));
        }
    }

    [[nodiscard]] std::optional<RowProblem> problem_of(const Entry& entry) const;

private:
    [[nodiscard]] static std::optional<RowProblem> unstarted(const Entry& entry);
    [[nodiscard]] RowProblem pending(const Entry& entry) const;
    [[nodiscard]] std::string reason(const MissingService& missing) const;
    [[nodiscard]] std::string nobody(const MissingService& missing) const;
    [[nodiscard]] std::string circle(const std::vector<FiberPtr>& fibers) const;
    [[nodiscard]] std::string row_of(const Fiber& fiber) const;

    const std::vector<const Entry*> entries_;
    std::map<const Fiber*, const Entry*> rows_;
    std::map<const Fiber*, WaitingFiber> waiting_;
};

std::optional<RowProblem> Audit::problem_of(const Entry& entry) const {
    if (entry.is_off()) {
        return std::nullopt;
    }
    const std::exception_ptr failure =
        entry.fiber() && !entry.failure ? entry.fiber()->error() : entry.failure;
    if (failure) {
        const std::string_view stage = entry.failure ? entry.stage : "apply";
        return RowProblem{
            &entry,
            fmt::format(
                "failed to {} loader entry {}: {}", stage, entry.title(), message_of(failure)
            ),
            Rank::failed};
    }
    if (!entry.fiber()) {
        return unstarted(entry);
    }
    switch (entry.fiber()->state()) {
        case FiberState::active:
            return std::nullopt;
        case FiberState::pending:
            return pending(entry);
        default:
            return RowProblem{
                &entry,
                fmt::format("fiber state {}", static_cast<int>(entry.fiber()->state())),
                Rank::failed};
    }
}

/// Of rows that were never applied, those of a group that did not start are a problem; the others
/// only share the fate of a tree that is not started at all.
std::optional<RowProblem> Audit::unstarted(const Entry& entry) {
    const Entry* group = entry.owner;
    if (group == nullptr || (!group->fiber() && group->is_wanted())) {
        return std::nullopt;
    }
    return RowProblem{
        &entry,
        fmt::format("was not started, because its group '{}' was not", group->id),
        Rank::inside_group};
}

RowProblem Audit::pending(const Entry& entry) const {
    const auto found = waiting_.find(entry.fiber().get());
    if (found == waiting_.end() || found->second.missing.empty()) {
        return RowProblem{&entry, "pending (waiting for service: unknown)", Rank::waits_for_row};
    }
    const WaitingFiber& waiting = found->second;
    std::vector<std::string> names;
    std::vector<std::string> reasons;
    int rank = waiting.cycle.empty() ? Rank::waits_for_row : Rank::lacks_provider;
    for (const MissingService& missing : waiting.missing) {
        names.push_back(missing.name);
        const std::string prefix = waiting.missing.size() == 1 ? "" : missing.name + ": ";
        reasons.push_back(prefix + reason(missing));
        rank = missing.providers.empty() ? Rank::lacks_provider : rank;
    }
    if (!waiting.cycle.empty()) {
        reasons.push_back("these rows wait for each other: " + circle(waiting.cycle));
    }
    return RowProblem{
        &entry,
        fmt::format(
            "pending (waiting for service{}: {}): {}",
            names.size() == 1 ? "" : "s",
            join(names),
            join(reasons, "; ")
        ),
        rank};
}

std::string Audit::row_of(const Fiber& fiber) const {
    const auto row = rows_.find(&fiber);
    return row == rows_.end() ? fmt::format("plugin '{}'", fiber.name())
                              : fmt::format("row '{}'", row->second->id);
}

std::string Audit::reason(const MissingService& missing) const {
    std::vector<std::string> reasons;
    for (const FiberPtr& provider : missing.providers) {
        const std::string row = row_of(*provider);
        switch (provider->state()) {
            case FiberState::failed:
                reasons.push_back(fmt::format("its provider {} failed", row));
                break;
            case FiberState::pending:
                reasons.push_back(fmt::format("its provider {} is waiting itself", row));
                break;
            case FiberState::active:
                reasons.push_back(fmt::format("{} is active but has not provided it", row));
                break;
            default:
                reasons.push_back(fmt::format(
                    "its provider {} is {}", row, to_lower(to_string(provider->state()))
                ));
        }
    }
    for (const FiberPtr& provider : missing.elsewhere) {
        reasons.push_back(
            fmt::format("{} provides it in another scope (see its isolate)", row_of(*provider))
        );
    }
    return reasons.empty() ? nobody(missing) : join(reasons, ", ");
}

/// Nothing is known of what a switched-off row or one that could not be loaded would provide, so
/// its names have to do.
std::string Audit::nobody(const MissingService& missing) const {
    std::vector<std::string> absent;
    for (const Entry* candidate : entries_) {
        const Entry& entry = *candidate;
        const bool is_off = entry.is_off();
        if (!is_off && !entry.failure) {
            continue;
        }
        const char* state = is_off ? "is disabled" : "failed";
        const bool is_namesake = folded(entry.id) == folded(missing.name) ||
                                 folded(entry.name) == folded(missing.name) ||
                                 folded(entry.name).starts_with(folded(missing.name));
        if (is_namesake) {
            return fmt::format("nobody provides it; row '{}' {}", entry.id, state);
        }
        absent.push_back(fmt::format("row '{}' {}", entry.id, state));
    }
    std::string text = "nobody provides it";
    if (missing.near_name) {
        text += fmt::format("; perhaps '{}' is meant", *missing.near_name);
    } else if (!absent.empty() && absent.size() <= kMostNamed) {
        text += fmt::format(" ({})", join(absent));
    }
    return text;
}

/// `row 'a' -> farewell -> row 'b' -> greeting -> row 'a'`.
std::string Audit::circle(const std::vector<FiberPtr>& fibers) const {
    std::string text = row_of(*fibers.front());
    for (std::size_t i = 0; i + 1 < fibers.size(); ++i) {
        const auto waiting = waiting_.find(fibers[i].get());
        if (waiting != waiting_.end()) {
            for (const MissingService& missing : waiting->second.missing) {
                const auto& providers = missing.providers;
                if (std::find(providers.begin(), providers.end(), fibers[i + 1]) !=
                    providers.end()) {
                    text += " -> " + missing.name;
                    break;
                }
            }
        }
        text += " -> " + row_of(*fibers[i + 1]);
    }
    return text;
}

}  // namespace

std::vector<RowProblem> audit(const Generation& generation, const Context& context) {
    const Audit audit{generation, context};
    std::vector<RowProblem> problems;
    for (const Entry* entry : generation.in_order()) {
        if (auto problem = audit.problem_of(*entry)) {
            problems.push_back(std::move(*problem));
        }
    }
    std::stable_sort(problems.begin(), problems.end(), [](const auto& left, const auto& right) {
        return left.rank < right.rank;
    });
    return problems;
}

std::string to_string(const RowProblem& problem) {
    const std::string place = to_string(problem.entry->place);
    const std::string origin =
        problem.entry->is_default
            ? fmt::format("mounted by default, '{}' ({})", problem.entry->id, problem.entry->name)
            : fmt::format("row '{}' ({})", problem.entry->id, problem.entry->name);
    return fmt::format("{}{}{}: {}", place, place.empty() ? "" : ": ", origin, problem.text);
}

}  // namespace cordon
