#include "context_fixture.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cordon;
using namespace cordon::testing;

namespace asio = boost::asio;

constexpr int kOperations = 1000;
constexpr unsigned kNames = 6;

/// The undos that one load has registered and not yet done; the next must be the last.
using Stack = std::vector<int>;

Task<> pause(int turns) {
    for (int turn = 0; turn < turns; ++turn) {
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    }
}

/// Fibers that need, provide, mount, fail and take their time at random, and a random hand that
/// disturbs them. The same seed does the same.
class Storm : public ContextFixture {
public:
    explicit Storm(unsigned seed) : random_(seed) {}

    void run() {
        for (int operation = 0; operation < kOperations; ++operation) {
            if (pick(2) == 0) {
                asio::post(container.strand(), [this] { act(); });
            } else {
                act();
            }
            advance();
            check();
        }
        await(container.shutdown());
        for (const FiberPtr& fiber : fibers_) {
            REQUIRE(fiber->state() == FiberState::disposed);
        }
        CHECK(registered_ > kOperations / 4);
        CHECK(undone_ == registered_);
        CHECK(out_of_order_ == 0);
        CHECK(activated_ > kOperations / 10);
        CHECK(std::all_of(stacks_.begin(), stacks_.end(), [](const auto& stack) {
            return stack->empty();
        }));
    }

private:
    unsigned pick(unsigned below) { return static_cast<unsigned>(random_()) % below; }

    std::string name() { return fmt::format("s{}", pick(kNames)); }

    void act() {
        switch (pick(6)) {
            case 0:
            case 1:
                mount(pick(3) == 0 ? root.isolate(name(), "realm") : root);
                break;
            case 2:
                with_fiber([](const FiberPtr& fiber) { fiber->request_dispose(); });
                break;
            case 3:
                with_fiber([this](const FiberPtr& fiber) { start(fiber->restart()); });
                break;
            case 4:
                with_fiber([this](const FiberPtr& fiber) { start(fiber->update(1)); });
                break;
            default:
                toggle_service();
                break;
        }
    }

    void advance() {
        if (pick(6) == 0) {
            turn();
            return;
        }
        io.restart();
        for (unsigned steps = pick(4); steps > 0; --steps) {
            io.poll_one();
        }
    }

    void with_fiber(const std::function<void(const FiberPtr&)>& action) {
        if (!fibers_.empty()) {
            // Mostly the younger ones, which are still there.
            const std::size_t recent = std::min<std::size_t>(fibers_.size(), 12);
            action(fibers_[fibers_.size() - 1 - pick(static_cast<unsigned>(recent))]);
        }
    }

    void toggle_service() {
        const std::string service = name();
        for (const Effect& effect : services_) {
            if (effect.is_active() && pick(2) == 0) {
                effect.request_dispose();
                return;
            }
        }
        try {
            services_.push_back(root.provide(service, std::make_shared<Number>(1)));
        } catch (const Error& error) {
            REQUIRE(error.code() == "SERVICE_EXISTS");
        }
    }

    void mount(const Context& context) {
        std::vector<std::string> needs;
        for (unsigned count = pick(3); count > 0; --count) {
            needs.push_back(name());
        }
        try {
            fibers_.push_back(context.plugin(plugin_of_task("p", needs, [this](Context inner) {
                return body(this, std::move(inner));
            })));
        } catch (const Error& error) {
            REQUIRE(error.code() == "INACTIVE_EFFECT");
        }
    }

    static Task<> body(Storm* storm, Context context) {
        const auto stack = std::make_shared<Stack>();
        storm->stacks_.push_back(stack);
        storm->add_undo(context, stack);
        if (storm->pick(2) == 0) {
            context.provide(storm->name(), std::make_shared<Number>(1));
        }
        co_await pause(static_cast<int>(storm->pick(3)));
        storm->add_undo(context, stack);
        if (storm->pick(4) == 0) {
            storm->mount(context);
        }
        storm->add_undo(context, stack);
        if (storm->pick(8) == 0) {
            throw std::runtime_error{"bad luck"};
        }
        ++storm->activated_;
    }

    void add_undo(const Context& context, const std::shared_ptr<Stack>& stack) {
        const int number = registered_;
        context.effect("undo", [this, stack, number] { return undo(this, stack, number); });
        stack->push_back(number);
        ++registered_;
    }

    static Task<> undo(Storm* storm, std::shared_ptr<Stack> stack, int number) {
        if (stack->empty() || stack->back() != number) {
            ++storm->out_of_order_;
        }
        co_await pause(static_cast<int>(storm->pick(3)));
        std::erase(*stack, number);
        ++storm->undone_;
    }

    void check() {
        const bool is_sound = std::all_of(fibers_.begin(), fibers_.end(), [](const auto& fiber) {
            const bool has_failed = fiber->state() == FiberState::failed;
            const bool has_services =
                fiber->state() != FiberState::active || fiber->missing().empty();
            return has_services && has_failed == (fiber->error() != nullptr);
        });
        REQUIRE(is_sound);
    }

    std::mt19937 random_;
    std::vector<FiberPtr> fibers_;
    std::vector<Effect> services_;
    std::vector<std::shared_ptr<Stack>> stacks_;
    int registered_ = 0;
    int undone_ = 0;
    int out_of_order_ = 0;
    int activated_ = 0;
};

TEST_SUITE("Container: anything in any order") {
    // FIB-22, INJ-6, EFF-3, DIF-3
    TEST_CASE("no fiber is active without its services, and every undo happens once and in order") {
        for (const unsigned seed : {1U, 2U, 3U}) {
            CAPTURE(seed);
            Storm storm{seed};
            storm.run();
        }
    }
}

}  // namespace
