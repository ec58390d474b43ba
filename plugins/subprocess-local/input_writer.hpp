#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/unique_fd.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <string>

namespace cordon::subprocess_local {

/// Writes `bytes` to the pipe and closes it. Completes early, without an error, where the reader
/// goes away (spec SU-8); the host never gets SIGPIPE.
[[nodiscard]] Task<> write_input(UniqueFd pipe, std::string bytes);

}  // namespace cordon::subprocess_local
