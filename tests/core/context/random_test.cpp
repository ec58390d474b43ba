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
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace cordon;
using namespace cordon::testing;

namespace asio = boost::asio;

constexpr unsigned kPrograms = 1000;
constexpr int kOperations = 40;
constexpr unsigned kNames = 4;

/// A service that knows when nobody may have it any more.
class Tracked : public Service {
public:
    bool is_closed = false;
};

/// The undos that one load has registered and not yet done; the next must be the last.
using Stack = std::vector<int>;

Task<> pause(int turns) {
    for (int turn = 0; turn < turns; ++turn) {
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    }
}

struct StormEvent {
    static constexpr std::string_view name = "storm";
    using Signature = void();
    static constexpr Dispatch mode = Dispatch::emit;
};

/// What all programs together have done.
struct Tally {
    int registered = 0;
    int undone = 0;
    int out_of_order = 0;
    int activated = 0;
    int listened = 0;
    int used = 0;
    int used_when_closed = 0;
    int left_behind = 0;
};

/// Fibers that need, provide, listen, mount, fail and take their time at random, and a random hand
/// that disturbs them. The same seed does the same.
class Storm : public ContextFixture {
public:
    Storm(unsigned seed, Tally& tally) : random_(seed), tally_(tally) {}

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
            REQUIRE(fiber->effect_tree().empty());
        }
        REQUIRE(root.fiber()->effect_tree().empty());
        const int listened = tally_.listened;
        root.emit<StormEvent>();
        REQUIRE(tally_.listened == listened);
        tally_.left_behind += static_cast<int>(std::count_if(
            provided_.begin(),
            provided_.end(),
            [](const auto& service) { return !service.expired(); }
        ));
        tally_.left_behind +=
            static_cast<int>(std::count_if(stacks_.begin(), stacks_.end(), [](const auto& stack) {
                return !stack->empty();
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
            services_.push_back(provide(root, service));
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
            fibers_
                .push_back(context.plugin(plugin_of_task("p", needs, [this, needs](Context inner) {
                    return body(this, std::move(inner), needs);
                })));
        } catch (const Error& error) {
            REQUIRE(error.code() == "INACTIVE_EFFECT");
        }
    }

    /// Provides what is closed once it has been withdrawn and everybody who had it has ended.
    Effect provide(const Context& context, const std::string& service) {
        const auto tracked = std::make_shared<Tracked>();
        const Effect effect = context.effect("provision", [&](EffectSetup& setup) {
            setup.add([tracked] { tracked->is_closed = true; });
            setup.add(context.provide(service, tracked));
        });
        provided_.push_back(tracked);
        return effect;
    }

    static Task<> body(Storm* storm, Context context, std::vector<std::string> needs) {
        const auto stack = std::make_shared<Stack>();
        storm->stacks_.push_back(stack);
        storm->use(context, needs);
        context.on<StormEvent>([storm] { ++storm->tally_.listened; });
        context.effect("look", [storm, context, needs] { storm->use(context, needs); });
        storm->add_undo(context, stack);
        if (storm->pick(2) == 0) {
            storm->provide(context, storm->name());
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
        storm->use(context, needs);
        ++storm->tally_.activated;
    }

    /// A load has what it needs to the end of its unload, and never what is closed.
    void use(const Context& context, const std::vector<std::string>& needs) {
        for (const std::string& need : needs) {
            const ServiceHandle<Service> handle = context.find(need);
            if (handle) {
                ++tally_.used;
                tally_.used_when_closed += static_cast<const Tracked&>(*handle).is_closed ? 1 : 0;
            }
        }
    }

    void add_undo(const Context& context, const std::shared_ptr<Stack>& stack) {
        const int number = tally_.registered;
        context.effect("undo", [this, stack, number] { return undo(this, stack, number); });
        stack->push_back(number);
        ++tally_.registered;
    }

    static Task<> undo(Storm* storm, std::shared_ptr<Stack> stack, int number) {
        if (stack->empty() || stack->back() != number) {
            ++storm->tally_.out_of_order;
        }
        co_await pause(static_cast<int>(storm->pick(3)));
        std::erase(*stack, number);
        ++storm->tally_.undone;
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
    Tally& tally_;
    std::vector<FiberPtr> fibers_;
    std::vector<Effect> services_;
    std::vector<std::shared_ptr<Stack>> stacks_;
    std::vector<std::weak_ptr<Tracked>> provided_;
};

TEST_SUITE("Container: anything in any order") {
    // FIB-22, INJ-6, EFF-3, DIF-3, DIF-17
    TEST_CASE(
        "no fiber is active without its services, no withdrawn service is in use, every undo "
        "happens once and in order, and nothing is left"
    ) {
        Tally tally;
        for (unsigned seed = 0; seed < kPrograms; ++seed) {
            CAPTURE(seed);
            Storm storm{seed, tally};
            storm.run();
        }
        CHECK(tally.undone == tally.registered);
        CHECK(tally.out_of_order == 0);
        CHECK(tally.used_when_closed == 0);
        CHECK(tally.left_behind == 0);
        // The programs did something.
        const int operations = static_cast<int>(kPrograms) * kOperations;
        CHECK(tally.registered > operations / 4);
        CHECK(tally.activated > operations / 10);
        CHECK(tally.used > operations / 20);
    }
}

}  // namespace
