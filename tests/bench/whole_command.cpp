// What one confined command costs as a whole process, beside the same command bare and under
// bubblewrap alone. The variants run in turn, so a drift of the machine meets all of them alike.
//
//   whole_command [ROUNDS] [CORDON]     default: 60 rounds, the `cordon` on PATH

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char** environ;  // NOLINT(readability-redundant-declaration): not declared by every libc

namespace {

using Clock = std::chrono::steady_clock;

struct Variant {
    std::string name;
    std::vector<std::string> argv;
    std::vector<double> milliseconds;
    long peak_kib = 0;
};

posix_spawn_file_actions_t quiet_streams() {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    return actions;
}

void run_once(Variant& variant) {
    static const posix_spawn_file_actions_t kActions = quiet_streams();
    std::vector<char*> words;
    for (std::string& word : variant.argv) {
        words.push_back(word.data());
    }
    words.push_back(nullptr);

    const Clock::time_point start = Clock::now();
    pid_t child = 0;
    int status = 0;
    rusage usage{};
    if (posix_spawnp(&child, words[0], &kActions, nullptr, words.data(), environ) != 0 ||
        ::wait4(child, &status, 0, &usage) != child || status != 0) {
        throw std::runtime_error{variant.name + " did not succeed"};
    }
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    variant.milliseconds.push_back(took.count());
    variant.peak_kib = std::max(variant.peak_kib, usage.ru_maxrss);
}

double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

void print(const Variant& variant, double baseline) {
    const double median = quantile(variant.milliseconds, 0.5);
    fmt::print(
        "{:<34} median {:6.2f} ms  p10 {:6.2f}  p90 {:6.2f}  ratio {:5.2f}  +{:5.2f} ms  peak "
        "{:5.1f} MiB\n",
        variant.name,
        median,
        quantile(variant.milliseconds, 0.1),
        quantile(variant.milliseconds, 0.9),
        median / baseline,
        median - baseline,
        static_cast<double>(variant.peak_kib) / 1024
    );
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 60;
    const std::string cordon = argc > 2 ? argv[2] : "cordon";
    std::vector<Variant> variants{
        {"bash -c true", {"bash", "-c", "true"}, {}, 0},
        {"bwrap --ro-bind / / bash -c true",
         {"bwrap",
          "--ro-bind",
          "/",
          "/",
          "--dev",
          "/dev",
          "--unshare-pid",
          "--proc",
          "/proc",
          "--die-with-parent",
          "--",
          "bash",
          "-c",
          "true"},
         {},
         0},
        {"cordon run -- true", {cordon, "run", "--", "true"}, {}, 0},
        {"cordon run, read-only", {cordon, "run", "--mode", "read-only", "--", "true"}, {}, 0}};
    for (int round = 0; round < rounds; ++round) {
        for (Variant& variant : variants) {
            run_once(variant);
        }
    }
    const double baseline = quantile(variants.front().milliseconds, 0.5);
    for (const Variant& variant : variants) {
        print(variant, baseline);
    }
}
