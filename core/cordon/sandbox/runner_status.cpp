#include <cordon/sandbox/runner_status.hpp>

#include <charconv>
#include <system_error>

namespace cordon {
namespace {

constexpr std::string_view kConfined = "confined\n";
constexpr std::string_view kFailed = "failed ";

/// The whole of `text` is `STEP ERRNO` and a newline.
bool parse_failure(std::string_view text, RunnerReport& report) {
    const std::size_t blank = text.find(' ');
    if (blank == 0 || blank == std::string_view::npos || !text.ends_with('\n')) {
        return false;
    }
    const std::string_view number = text.substr(blank + 1, text.size() - blank - 2);
    const char* const end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, report.error);
    if (error != std::errc{} || stop != end || report.error <= 0) {
        return false;
    }
    report.failed_step = text.substr(0, blank);
    return true;
}

}  // namespace

RunnerReport parse_runner_report(std::string_view bytes) {
    RunnerReport report;
    if (bytes.starts_with(kConfined)) {
        report.confined = true;
        bytes.remove_prefix(kConfined.size());
    }
    if (bytes.empty()) {
        return report;
    }
    if (!bytes.starts_with(kFailed) || !parse_failure(bytes.substr(kFailed.size()), report)) {
        return RunnerReport{};
    }
    return report;
}

}  // namespace cordon
