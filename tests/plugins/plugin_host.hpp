#pragma once

#include <cordon/async/task.hpp>
#include <cordon/context/container.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/plugin.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <dlfcn.h>

namespace cordon::testing {

/// A plugin of this build, opened from where it will be installed. CORDON_TEST_PLUGINS is the
/// folder.
inline PluginPtr open_plugin(const std::string& name) {
    const std::string path = std::string{CORDON_TEST_PLUGINS} + "/" + name + ".so";
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw std::runtime_error{::dlerror()};
    }
    const auto* plugin = static_cast<const PluginExport*>(::dlsym(library, "cordon_plugin"));
    if (plugin == nullptr) {
        throw std::runtime_error{path + " exports no plugin"};
    }
    return plugin->describe();
}

/// A container with plugins of this build, on a loop of its own.
class PluginHost {
public:
    PluginHost() {
        container_.set_log([this](const LogRecord& record) { log.push_back(record.message); });
    }

    ~PluginHost() { run(container_.shutdown()); }

    PluginHost(const PluginHost&) = delete;
    PluginHost& operator=(const PluginHost&) = delete;

    [[nodiscard]] Context context() const { return container_.root(); }

    /// Applies the plugin and waits until it runs. Rethrows why it does not.
    FiberPtr apply(const std::string& name, Value config = {}) {
        FiberPtr fiber;
        run(start(open_plugin(name), std::move(config), fiber));
        return fiber;
    }

    /// Runs `task` on the strand to its end and rethrows what it threw.
    void run(Task<> task) {
        std::exception_ptr failure;
        bool ended = false;
        boost::asio::co_spawn(
            container_.strand(),
            std::move(task),
            [&](const std::exception_ptr& thrown) {
                failure = thrown;
                ended = true;
            }
        );
        io_.restart();
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds{60};
        while (!ended && io_.run_one_until(limit) > 0) {}
        if (failure) {
            std::rethrow_exception(failure);
        }
        if (!ended) {
            throw std::runtime_error{"the task did not end in time"};
        }
    }

    std::vector<std::string> log;

private:
    Task<> start(PluginPtr plugin, Value config, FiberPtr& fiber) {
        fiber = container_.root().plugin(std::move(plugin), std::move(config));
        co_await fiber->settled();
    }

    boost::asio::io_context io_;
    Container container_{io_.get_executor()};
};

}  // namespace cordon::testing
