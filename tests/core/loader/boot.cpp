#include "boot.hpp"

#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/loader/module.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

namespace cordon::testing {
namespace {

namespace asio = boost::asio;

std::string states_of(const std::vector<RowStatus>& rows) {
    std::vector<std::string> texts;
    for (const RowStatus& row : rows) {
        const std::string state = row.fiber ? to_lower(to_string(row.fiber->state())) : "none";
        texts.push_back(row.id + ":" + (row.disabled ? "disabled" : state));
    }
    return join(texts, " ");
}

Composition compose_strings(const std::vector<std::string>& texts) {
    return compose_texts({texts.begin(), texts.end()});
}

Task<Outcome> boot_in(Container& container, Setup setup) {
    Outcome outcome;
    ModuleResolver modules{{{"@other/*", "*"}}, {CORDON_FIXTURE_PLUGINS}};
    std::shared_ptr<EntryTree> tree;
    Composition composition = compose_strings(setup.texts);
    const Context root = container.root();
    if (setup.prepare) {
        setup.prepare(root);
    }
    try {
        tree = co_await EntryTree::mount(
            root, std::move(composition), modules, std::move(setup.options)
        );
    } catch (const Error& error) {
        outcome.failure = error.message();
        outcome.code = error.code();
        outcome.deepest = error.deepest().message();
    }
    if (tree) {
        outcome.rows = tree->rows();
        outcome.states = states_of(outcome.rows);
        if (setup.inspect) {
            setup.inspect(root, *tree);
        }
    }
    co_return outcome;
}

}  // namespace

Task<Outcome> boot(Setup setup) {
    const auto executor = co_await asio::this_coro::executor;
    Container container{executor};
    std::string log;
    container.set_log([&log](const LogRecord& record) {
        log += record.name + ": " + record.message + "\n";
    });
    Task<Outcome> work = boot_in(container, std::move(setup));
    Outcome outcome =
        co_await asio::co_spawn(container.strand(), std::move(work), asio::use_awaitable);
    outcome.log_of_mount = log;
    co_await container.shutdown();
    outcome.log = log;
    co_return outcome;
}

Task<Outcome> boot(std::string text) {
    Setup setup;
    setup.texts.push_back(std::move(text));
    co_return co_await boot(std::move(setup));
}

std::string line_of(const std::string& failure, const std::string& row_id) {
    std::istringstream lines{failure};
    for (std::string line; std::getline(lines, line);) {
        if (contains(line, "row '" + row_id + "' (")) {
            return line;
        }
    }
    return {};
}

}  // namespace cordon::testing
