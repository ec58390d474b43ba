#include "session.hpp"

#include "exit_code.hpp"
#include "json_output.hpp"
#include "policy.hpp"

#include <cordon/async/task_group.hpp>
#include <cordon/base/error.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

namespace cordon::cli {

namespace asio = boost::asio;

namespace {

void print_record(const LogRecord& record) {
    constexpr const char* kLabels[] = {"error", "warning", "info", "debug"};
    const std::string subject = record.name == "root" ? std::string{} : record.name + ": ";
    print_to(
        stderr,
        "cordon: {}: {}{}\n",
        kLabels[static_cast<std::size_t>(record.level)],
        subject,
        record.message
    );
}

/// The log of a session. Errors of a boot are left out: the boot fails with them, or the rows that
/// did not start are reported, both with their places.
class SessionLog {
public:
    void write(const LogRecord& record) const {
        if (!booting_ || record.level != LogLevel::error) {
            print_record(record);
        }
    }

    void end_boot() { booting_ = false; }

private:
    bool booting_ = true;
};

BootOptions boot_options(const GlobalOptions& options, std::shared_ptr<const SessionLog> log) {
    BootOptions boot;
    boot.composition = options.composition;
    boot.cwd = current_folder();
    boot.keep_going = options.keep_going;
    boot.log = [log = std::move(log)](const LogRecord& record) {
        log->write(record);
    };
    boot.log_level = options.log_level;
    return boot;
}

void report_rows_that_did_not_start(const Runtime& runtime) {
    for (const RowStatus& row : runtime.tree().rows()) {
        if (!row.problem.empty()) {
            print_to(
                stderr,
                "cordon: warning: {}: row '{}' ({}): {}\n",
                to_string(row.place),
                row.id,
                row.name,
                row.problem
            );
        }
    }
}

using Interrupt = std::function<void(int signal)>;

Task<int> start_and_run(
    const GlobalOptions& options, const SessionBody& body, Interrupt interrupt
) {
    const auto executor = co_await asio::this_coro::executor;
    const auto log = std::make_shared<SessionLog>();
    BootOptions boot = boot_options(options, log);
    const std::unique_ptr<Runtime> runtime = co_await Runtime::boot(executor, std::move(boot));
    int status = kFailure;
    std::exception_ptr failure;
    try {
        log->end_boot();
        report_rows_that_did_not_start(*runtime);
        const auto strand = runtime->context().executor();
        Session session{*runtime, std::move(interrupt)};
        Task<int> work = body(std::move(session));
        status = co_await asio::co_spawn(strand, std::move(work), asio::use_awaitable);
    } catch (...) {
        failure = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await runtime->shutdown();
    if (failure) {
        std::rethrow_exception(failure);
    }
    co_return status;
}

}  // namespace

int run_session(const GlobalOptions& options, const SessionBody& body) {
    // A reader of ours that goes away is an error of write(), not our death.
    std::signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c): cannot fail for a valid signal
    // A caller that ignores it would have the kernel throw away how our children ended.
    std::signal(SIGCHLD, SIG_DFL);  // NOLINT(cert-err33-c): cannot fail for a valid signal
    asio::io_context io{1};
    asio::cancellation_signal cancellation;
    asio::signal_set signals{io, SIGINT, SIGTERM, SIGHUP};
    int caught = 0;
    const Interrupt interrupt = [&](int signal) {
        caught = signal;
        signals.clear();  // the next one has its usual effect
        cancellation.emit(asio::cancellation_type::terminal);
    };
    signals.async_wait([&](const boost::system::error_code& error, int signal) {
        if (!error) {
            interrupt(signal);
        }
    });

    int status = kFailure;
    std::exception_ptr failure;
    auto on_end = [&](const std::exception_ptr& thrown, int ended_with) {
        failure = thrown;
        status = ended_with;
        signals.cancel();
    };
    asio::co_spawn(
        io,
        start_and_run(options, body, interrupt),
        asio::bind_cancellation_slot(cancellation.slot(), std::move(on_end))
    );
    io.run();
    if (failure && !(caught != 0 && is_cancellation(failure))) {
        std::rethrow_exception(failure);
    }
    return caught != 0 ? kSignalBase + caught : status;
}

void report_failure(const GlobalOptions& options, const std::exception_ptr& failure) {
    if (!options.json) {
        print_to(stderr, "cordon: {}\n", message_of(failure));
        return;
    }
    const std::shared_ptr<const Error> error = as_cause(failure);
    boost::json::object description{{"code", error->code()}, {"message", error->message()}};
    const boost::json::object document{{"error", std::move(description)}};
    print_document(document);
}

}  // namespace cordon::cli
