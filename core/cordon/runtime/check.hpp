#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/diagnostic.hpp>
#include <cordon/base/export.hpp>
#include <cordon/runtime/runtime.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <vector>

namespace cordon {

/// Everything that can be wrong with a composition without starting it, warnings too: its files,
/// else its rows (loader/check.hpp). Of `options`, what a boot would use before rows mount.
///
/// Errors: none for what is wrong with the composition; `prepare`'s.
[[nodiscard]] CORDON_API Task<std::vector<Diagnostic>> check_deployment(
    boost::asio::any_io_executor executor, BootOptions options
);

}  // namespace cordon
