#include "following.hpp"

#include <cordon/base/text.hpp>

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

namespace cordon::testing {

namespace asio = boost::asio;

Following::Following(const asio::any_io_executor& executor)
    : executor_(executor), next_line_(executor) {
    options.cwd = folder.path();
    options.composition.plugin_path = {CORDON_FIXTURE_PLUGINS};
    options.watch = WatchOptions{std::chrono::milliseconds{2}, {}};
    options.log_level = LogLevel::info;
    options.log = [this](const LogRecord& record) {
        log.push_back(record.message);
        std::exchange(next_line_, Completion{executor_}).complete();
    };
}

Task<> Following::boot() {
    if (std::filesystem::exists(folder.path() / "cordis.yml")) {
        options.composition.config = folder.path() / "cordis.yml";
    }
    BootOptions copy = options;
    runtime = co_await Runtime::boot(executor_, std::move(copy));
    seen_ = log.size();
}

Task<> Following::logged(std::string text) {
    for (;;) {
        while (seen_ < log.size()) {
            if (log[seen_++].find(text) != std::string::npos) {
                co_return;
            }
        }
        const Completion line = next_line_;
        co_await line.wait();
    }
}

std::size_t Following::count(std::string_view text) const {
    return static_cast<std::size_t>(std::count_if(
        log.begin(),
        log.end(),
        [&](const std::string& line) { return line.find(text) != std::string::npos; }
    ));
}

std::string Following::states() const {
    std::vector<std::string> texts;
    const Runtime& running = *runtime;
    for (const RowStatus& status : running.tree().rows()) {
        const std::string state =
            status.fiber ? to_lower(to_string(status.fiber->state())) : "none";
        texts.push_back(status.id + ":" + (status.disabled ? "disabled" : state));
    }
    return join(texts, " ");
}

void Following::replace(const std::string& name, std::string_view text) const {
    const std::filesystem::path made = folder.write(name + ".new", text);
    std::filesystem::rename(made, folder.path() / name);
}

Task<> follow(FollowingBody body) {
    const auto executor = co_await asio::this_coro::executor;
    Following following{executor};
    std::exception_ptr failure;
    try {
        co_await body(following);
    } catch (...) {
        failure = std::current_exception();
    }
    if (following.runtime) {
        co_await following.runtime->shutdown();
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace cordon::testing
