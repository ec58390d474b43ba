// The chain and its memory, with backends that the test invents.

#include <cordon/async/task_group.hpp>

#include <boost/asio/post.hpp>
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sandbox-local/local_provider.hpp>
#include <support/coroutine.hpp>

using cordon::ConfinedArgv;
using cordon::ConfinedSandboxMode;
using cordon::SandboxPolicy;
using cordon::SandboxUnavailableError;
using cordon::Task;
using cordon::TaskGroup;
using namespace cordon::sandbox_local;

namespace {

namespace asio = boost::asio;

Task<> turn() {
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
}

/// Says what it is told to say, and counts.
class Invented : public Backend {
public:
    explicit Invented(std::string name) : name_(std::move(name)) {}

    [[nodiscard]] std::string_view name() const override { return name_; }

    [[nodiscard]] std::optional<std::string> obstacle(const ConfinementRequest& /*request*/
    ) const override {
        return missing;
    }

    [[nodiscard]] ConfinedArgv wrap(
        const ConfinementRequest& /*request*/, const std::vector<std::string>& command
    ) const override {
        ConfinedArgv confined;
        confined.backend = name_;
        confined.argv = {name_, "--"};
        confined.argv.insert(confined.argv.end(), command.begin(), command.end());
        return confined;
    }

    [[nodiscard]] Task<Verdict> probe() override {
        ++probes;
        co_await turn();
        co_await turn();
        ++ended;
        co_return verdict;
    }

    [[nodiscard]] std::vector<std::string> facts() const override { return {"a fact"}; }

    [[nodiscard]] std::vector<std::string> open_effects() const override { return effects; }

    std::optional<std::string> missing;
    Verdict verdict{true, false, {}};
    std::vector<std::string> effects;
    int probes = 0;
    int ended = 0;

private:
    std::string name_;
};

using InventedPtr = std::shared_ptr<Invented>;

InventedPtr invent(std::string name) {
    return std::make_shared<Invented>(std::move(name));
}

struct Chain {
    Chain(const asio::any_io_executor& strand, const std::vector<InventedPtr>& backends)
        : provider(strand, {backends.begin(), backends.end()}, [](std::string_view) {}) {}

    Task<std::string> select() {
        SandboxPolicy policy{ConfinedSandboxMode::read_only, "/", std::nullopt};
        std::vector<std::string> argv{"true"};
        const ConfinedArgv confined = co_await provider.confine(std::move(argv), std::move(policy));
        co_return confined.backend;
    }

    Task<std::string> refusal() {
        try {
            co_return co_await select();
        } catch (const SandboxUnavailableError& error) {
            co_return error.message();
        }
    }

    LocalProvider provider;
};

Task<> select_into(Chain& chain, std::string& selected) {
    selected = co_await chain.select();
}

const TaskGroup::OnFailure kIgnore = [](const std::string&, const std::exception_ptr&) {
};

}  // namespace

TEST_SUITE("LocalProvider") {
    CO_TEST_CASE("a chain of one is not probed (LP-9)") {
        const auto backend = invent("one");
        const auto executor = co_await asio::this_coro::executor;
        Chain chain{executor, {backend}};
        const std::string selected = co_await chain.select();
        CHECK(selected == "one");
        CHECK(backend->probes == 0);
        co_await chain.provider.stop();
    }

    CO_TEST_CASE("the first usable backend wins and later ones are not probed (LP-10)") {
        const auto first = invent("first");
        const auto second = invent("second");
        const auto executor = co_await asio::this_coro::executor;
        Chain chain{executor, {first, second}};
        const std::string selected = co_await chain.select();
        CHECK(selected == "first");
        CHECK(first->probes == 1);
        CHECK(second->probes == 0);
        co_await chain.provider.stop();
    }

    CO_TEST_CASE("an unusable backend is passed over, a missing one is not even probed") {
        const auto missing = invent("missing");
        missing->missing = "";
        const auto broken = invent("broken");
        broken->verdict = Verdict{false, false, "does not work"};
        const auto last = invent("last");
        const auto executor = co_await asio::this_coro::executor;
        Chain chain{executor, {missing, broken, last}};
        const std::string selected = co_await chain.select();
        CHECK(selected == "last");
        CHECK(missing->probes == 0);
        co_await chain.provider.stop();
    }

    CO_TEST_CASE(
        "without any the call fails, with what is known as the detail (LP-12, SB-16, field-19)"
    ) {
        const auto missing = invent("missing");
        missing->missing = "";
        const auto executor = co_await asio::this_coro::executor;
        Chain silent{executor, {missing}};
        const std::string plain = co_await silent.refusal();
        CHECK(plain == SandboxUnavailableError{ConfinedSandboxMode::read_only}.message());

        const auto broken = invent("broken");
        broken->verdict = Verdict{false, false, "does not work"};
        const auto refused = invent("refused");
        refused->missing = "it is not trusted";
        Chain chain{executor, {broken, refused}};
        const std::string detailed = co_await chain.refusal();
        CHECK(
            detailed.find(" Runner failure: broken: does not work; it is not trusted") !=
            std::string::npos
        );
        co_await silent.provider.stop();
        co_await chain.provider.stop();
    }

    CO_TEST_CASE("a good verdict is kept, a bad one only if it is lasting (W-20)") {
        const auto flaky = invent("flaky");
        const auto other = invent("other");
        flaky->verdict = Verdict{false, false, "too busy"};
        const auto executor = co_await asio::this_coro::executor;
        Chain chain{executor, {flaky, other}};
        std::string selected = co_await chain.select();
        CHECK(selected == "other");
        flaky->verdict.usable = true;
        selected = co_await chain.select();
        CHECK(selected == "flaky");
        selected = co_await chain.select();
        CHECK(flaky->probes == 2);

        const auto gone = invent("gone");
        gone->verdict = Verdict{false, true, "not installed"};
        Chain lasting{executor, {gone, other}};
        selected = co_await lasting.select();
        selected = co_await lasting.select();
        CHECK(gone->probes == 1);
        co_await chain.provider.stop();
        co_await lasting.provider.stop();
    }

    CO_TEST_CASE("callers at the same time share one probe (LP-18)") {
        const auto strand = co_await asio::this_coro::executor;
        const auto backend = invent("one");
        Chain chain{strand, {backend, invent("two")}};
        TaskGroup callers{strand, kIgnore};
        std::string first;
        callers.spawn("first", select_into(chain, first));
        const std::string second = co_await chain.select();
        while (callers.size() > 0) {
            co_await turn();
        }
        CHECK(first == "one");
        CHECK(second == "one");
        CHECK(backend->probes == 1);
        co_await callers.stop();
        co_await chain.provider.stop();
    }

    CO_TEST_CASE("a caller that is cancelled leaves no verdict behind (field-32)") {
        const auto strand = co_await asio::this_coro::executor;
        const auto backend = invent("one");
        Chain chain{strand, {backend, invent("two")}};
        TaskGroup callers{strand, kIgnore};
        std::string cancelled;
        callers.spawn("cancelled", select_into(chain, cancelled));
        while (backend->probes == 0) {
            co_await turn();
        }
        co_await callers.stop();
        CHECK(cancelled.empty());

        const std::string selected = co_await chain.select();
        CHECK(selected == "one");
        co_await chain.provider.stop();
    }

    CO_TEST_CASE("inspect probes every backend now and says what each leaves open") {
        const auto first = invent("first");
        const auto second = invent("second");
        first->effects = {"something"};
        second->verdict = Verdict{false, false, "broken"};
        const auto executor = co_await asio::this_coro::executor;
        Chain chain{executor, {first, second}};
        auto reports = co_await chain.provider.inspect();
        reports = co_await chain.provider.inspect();
        REQUIRE(reports.size() == 2);
        CHECK(first->probes == 2);
        CHECK(reports[0].usable);
        CHECK(reports[0].enforcement == cordon::SandboxEnforcement::partial);
        CHECK(reports[0].reasons == std::vector<std::string>{"something"});
        CHECK_FALSE(reports[1].usable);
        CHECK(reports[1].why_not == "broken");
        CHECK(reports[1].enforcement == cordon::SandboxEnforcement::full);
        co_await chain.provider.stop();
    }
}
