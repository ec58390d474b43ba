#pragma once

#include <cordon/async/completion.hpp>
#include <cordon/async/task.hpp>
#include <cordon/runtime/runtime.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <support/temporary_folder.hpp>

namespace cordon::testing {

/// A deployment that follows its files, and what it logged. Nothing here sleeps: whoever waits,
/// waits for a line of the log.
struct Following {
    explicit Following(const boost::asio::any_io_executor& executor);

    TemporaryFolder folder;
    BootOptions options;
    std::unique_ptr<Runtime> runtime;
    std::vector<std::string> log;

    /// Boots `cordis.yml` of the folder, if that has been written, and the patches of `options`.
    [[nodiscard]] Task<> boot();

    /// Waits for a line with this text after the last one that was waited for.
    [[nodiscard]] Task<> logged(std::string text);

    void forget_log() {
        log.clear();
        seen_ = 0;
    }

    [[nodiscard]] std::size_t count(std::string_view text) const;

    /// `id:active …` for all rows in order. On any executor, while nothing changes.
    [[nodiscard]] std::string states() const;

    /// Replaces a file in one step, as editors do.
    void replace(const std::string& name, std::string_view text) const;

private:
    boost::asio::any_io_executor executor_;
    Completion next_line_;
    std::size_t seen_ = 0;
};

using FollowingBody = Task<> (*)(Following& following);

/// Runs `body`, and shuts down what it booted.
[[nodiscard]] Task<> follow(FollowingBody body);

}  // namespace cordon::testing
