#include <cordon/sandbox/runner_argv.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cordon {
namespace {

struct Insertion {
    std::size_t position;
    std::string option;
    std::string value;
};

}  // namespace

std::vector<std::string> runner_argv(const ConfinedArgv& confined, const RunnerCall& call) {
    std::vector<Insertion> insertions;
    if (confined.status && call.status_fd) {
        insertions.push_back(
            {confined.status->position, confined.status->option, std::to_string(*call.status_fd)}
        );
    }
    if (confined.workdir && call.workdir) {
        insertions.push_back({confined.workdir->position, confined.workdir->option, *call.workdir});
    }
    // From the back, so that no insertion moves the place of another.
    std::sort(insertions.begin(), insertions.end(), [](const Insertion& a, const Insertion& b) {
        return a.position > b.position;
    });
    std::vector<std::string> argv = confined.argv;
    for (const Insertion& insertion : insertions) {
        const auto at = argv.begin() + static_cast<std::ptrdiff_t>(insertion.position);
        argv.insert(at, {insertion.option, insertion.value});
    }
    return argv;
}

}  // namespace cordon
