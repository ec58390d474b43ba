#include "live.hpp"

#include <cordon/base/text.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>

#include <fixtures/plugins/greeting.hpp>

namespace cordon::testing {

namespace asio = boost::asio;

namespace {

Composition compose_rows(const Live& live, std::string text) {
    const std::string word = "FOLDER";
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
        text.replace(at, word.size(), live.folder.path().string());
    }
    return compose(layer("rows.yml", text), {});
}

Task<> run_body(Live& live, std::string rows, MountOptions options, LiveBody body) {
    options.base_folder = live.folder.path();
    Composition composition = compose_rows(live, std::move(rows));
    live.tree = co_await EntryTree::mount(
        live.root(), std::move(composition), live.modules, std::move(options)
    );
    live.log.clear();
    co_await body(live);
}

}  // namespace

Live::Live(const asio::any_io_executor& executor)
    : modules({{"@other/*", "*"}}, {CORDON_FIXTURE_PLUGINS}), container(executor) {
    container.set_log([this](const LogRecord& record) { log.push_back(record.message); });
}

std::string Live::take_log() {
    std::string text = join(log, "; ");
    log.clear();
    return text;
}

std::string Live::states() const {
    std::vector<std::string> texts;
    for (const RowStatus& status : tree->rows()) {
        const std::string state =
            status.fiber ? to_lower(to_string(status.fiber->state())) : "none";
        texts.push_back(status.id + ":" + (status.disabled ? "disabled" : state));
    }
    return join(texts, " ");
}

RowStatus Live::row(const std::string& id) const {
    for (RowStatus& status : tree->rows()) {
        if (status.id == id) {
            return status;
        }
    }
    throw Error{"there is no row " + id};
}

std::string Live::greeting() const {
    const auto service = root().get<fixtures::Greeting>();
    return service ? service->text() : "nobody";
}

Task<> Live::replace(std::string rows) {
    return tree->replace(compose_rows(*this, std::move(rows)));
}

Task<> with_rows(
    std::string rows, MountOptions options, void (*prepare)(Live& live), LiveBody body
) {
    const auto executor = co_await asio::this_coro::executor;
    Live live{executor};
    if (prepare != nullptr) {
        prepare(live);
    }
    std::exception_ptr failure;
    try {
        Task<> work = run_body(live, std::move(rows), std::move(options), body);
        co_await asio::co_spawn(live.container.strand(), std::move(work), asio::use_awaitable);
    } catch (...) {
        failure = std::current_exception();
    }
    co_await live.container.shutdown();
    if (failure) {
        std::rethrow_exception(failure);
    }
}

Task<> with_rows(std::string rows, void (*prepare)(Live& live), LiveBody body) {
    MountOptions options;
    co_await with_rows(std::move(rows), std::move(options), prepare, body);
}

Task<> with_rows(std::string rows, LiveBody body) {
    co_await with_rows(std::move(rows), nullptr, body);
}

Task<std::string> failure_of(Task<> work) {
    try {
        co_await std::move(work);
    } catch (const std::exception& error) {
        co_return error.what();
    }
    co_return "";
}

Value row(std::string_view text) {
    return parse_yaml(text, "row.yml").value();
}

Object keys(std::string_view text) {
    return *row(text).as_object();
}

}  // namespace cordon::testing
