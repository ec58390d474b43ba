#pragma once

#include <cordon/async/completion.hpp>
#include <cordon/context/container.hpp>
#include <cordon/context/internal_events.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Traces are shown line by line where they differ.
template <>
struct doctest::StringMaker<std::vector<std::string>> {
    static String convert(const std::vector<std::string>& lines) {
        return fmt::format("\n  {}\n", fmt::join(lines, "\n  ")).c_str();
    }
};

namespace cordon::testing {

/// A service that tells one provider from another.
class Number : public Service {
public:
    static constexpr std::string_view service_name = "number";

    explicit Number(int number) : value(number) {}

    int value;
};

/// A container on a loop that the test turns by hand, and a record of everything it said.
class ContextFixture {
public:
    ContextFixture() {
        container.set_log(
            [this](const LogRecord& record) { logs.push_back(record); }, LogLevel::debug
        );
    }

    ~ContextFixture() {
        boost::asio::co_spawn(container.strand(), container.shutdown(), [](std::exception_ptr) {});
        turn();
    }

    ContextFixture(const ContextFixture&) = delete;
    ContextFixture& operator=(const ContextFixture&) = delete;

    /// Runs until nothing can go on by itself.
    void turn() {
        io.restart();
        io.poll();
    }

    /// Runs `task` on the strand to its end and rethrows what it threw.
    void await(Task<> task) {
        const auto result = start(std::move(task));
        turn();
        if (!result->ended) {
            throw std::runtime_error{"the task did not end"};
        }
        if (result->failure) {
            std::rethrow_exception(result->failure);
        }
    }

    struct Result {
        bool ended = false;
        std::exception_ptr failure;
    };

    /// Begins `task`; it goes on with the next `turn()`.
    std::shared_ptr<Result> start(Task<> task) {
        const auto result = std::make_shared<Result>();
        const auto on_end = [result](const std::exception_ptr& thrown) {
            *result = Result{true, thrown};
        };
        boost::asio::co_spawn(container.strand(), std::move(task), on_end);
        return result;
    }

    /// Runs `task` to its end and returns what it returned.
    template <typename T>
    T result_of(Task<T> task) {
        std::optional<T> result;
        await(stored(std::move(task), &result));
        return std::move(*result);
    }

    template <typename T>
    static Task<> stored(Task<T> task, std::optional<T>* result) {
        *result = co_await std::move(task);
    }

    /// The same for a task whose result does not matter.
    void await(Task<bool> task) { await(dropped(std::move(task))); }

    std::shared_ptr<Result> start(Task<bool> task) { return start(dropped(std::move(task))); }

    static Task<> dropped(Task<bool> task) {
        [[maybe_unused]] const bool result = co_await std::move(task);
    }

    /// Records the internal events from now on, in the notation of the golden traces.
    void observe() {
        root.on<PluginEvent>([this](const FiberPtr& fiber) {
            const auto uid = fiber->uid();
            note(
                "plugin({} uid={} {})",
                fiber->name(),
                uid ? std::to_string(*uid) : "none",
                to_string(fiber->state())
            );
        });
        root.on<StatusEvent>([this](const FiberPtr& fiber, FiberState old) {
            note("{}:{}->{}", fiber->name(), to_string(old), to_string(fiber->state()));
        });
        root.on<ServiceEvent>([this](const std::string& service, const Service* value) {
            note("service({}={})", service, value != nullptr ? "value" : "absent");
        });
    }

    template <typename... Arguments>
    void note(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        trace.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
    }

    std::vector<std::string> take_trace() { return std::exchange(trace, {}); }

    [[nodiscard]] std::vector<std::string> errors() const {
        std::vector<std::string> messages;
        for (const LogRecord& record : logs) {
            if (record.level == LogLevel::error) {
                messages.push_back(record.name + ": " + record.message);
            }
        }
        return messages;
    }

    /// Text of the exception that `action` throws; empty where it throws none.
    static std::string failure_of(const std::function<void()>& action) {
        try {
            action();
        } catch (const std::exception& error) {
            return error.what();
        }
        return {};
    }

    static std::string code_of(const std::function<void()>& action) {
        try {
            action();
        } catch (const Error& error) {
            return error.code();
        }
        return {};
    }

    boost::asio::io_context io;
    std::vector<std::string> trace;
    std::vector<LogRecord> logs;
    Container container{io.get_executor()};
    Context root = container.root();
};

/// A plugin whose body is an ordinary function.
inline PluginPtr plugin_of(
    std::string name, Inject inject = {}, std::function<void(Context)> body = [](const Context&) {}
) {
    struct Body {
        static Task<> run(std::function<void(Context)> function, Context context) {
            function(std::move(context));
            co_return;
        }
    };

    PluginDescriptor descriptor;
    descriptor.name = std::move(name);
    descriptor.inject = std::move(inject);
    descriptor.apply = [body = std::move(body)](Context context, const Value& /*config*/) {
        return Body::run(body, std::move(context));
    };
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

/// A plugin whose body is a coroutine.
inline PluginPtr plugin_of_task(
    std::string name, Inject inject, std::function<Task<>(Context)> body
) {
    PluginDescriptor descriptor;
    descriptor.name = std::move(name);
    descriptor.inject = std::move(inject);
    descriptor.apply = [body = std::move(body)](Context context, const Value& /*config*/) {
        return body(std::move(context));
    };
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

/// An undo that does `action`.
inline Undo undo_of(std::function<void()> action) {
    struct Body {
        static Task<> run(std::function<void()> function) {
            function();
            co_return;
        }
    };

    return [action = std::move(action)] {
        return Body::run(action);
    };
}

/// Waits until the test opens it.
inline Task<> wait_for(Completion gate) {
    co_await gate.wait();
}

}  // namespace cordon::testing
