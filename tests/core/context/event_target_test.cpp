#include "context_fixture.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// Reaches the listeners of one plugin.
struct Session {
    std::string id;
    std::string listener;

    [[nodiscard]] bool accepts_listener(const Context& context) const {
        return context.fiber()->name() == listener;
    }
};

struct Plain {};

struct Emitted {
    static constexpr std::string_view name = "target-test/emitted";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(int number);
    using Subject = Session;
};

struct Bailed {
    static constexpr std::string_view name = "target-test/bailed";
    static constexpr Dispatch mode = Dispatch::bail;
    using Signature = std::optional<std::string>();
};

struct Parallel {
    static constexpr std::string_view name = "target-test/parallel";
    static constexpr Dispatch mode = Dispatch::parallel;
    using Signature = Task<>();
};

struct Serial {
    static constexpr std::string_view name = "target-test/serial";
    static constexpr Dispatch mode = Dispatch::serial;
    using Signature = Task<bool>();
    using Subject = Session;
};

struct Folded {
    static constexpr std::string_view name = "target-test/folded";
    static constexpr Dispatch mode = Dispatch::waterfall;
    using Signature = std::string();
    using Subject = Session;
};

Task<> done() {
    co_return;
}

Task<bool> nothing_to_say() {
    co_return false;
}

Task<> drop(Task<bool> task) {
    [[maybe_unused]] const bool said = co_await std::move(task);
}

/// One plugin `near`, one `far`, and a global listener at the root.
class TargetFixture : public ContextFixture {
public:
    TargetFixture() {
        for (const char* name : {"near", "far"}) {
            root.plugin(plugin_of(name, {}, [this, name](const Context& context) {
                listen(context, name, ListenerOptions{});
            }));
        }
        turn();
        listen(root, "global", ListenerOptions{false, /*global=*/true});
    }

    void listen(const Context& context, const std::string& name, ListenerOptions options) {
        using SessionRef = const std::shared_ptr<Session>&;
        context.on<Emitted>(
            [this, name](SessionRef to, int number) {
                note("{} {} {}", name, to ? to->id : "-", number);
            },
            options
        );
        context.on<Bailed>(
            [this, name]() -> std::optional<std::string> {
                note("{}", name);
                return std::nullopt;
            },
            options
        );
        context.on<Parallel>(
            [this, name] {
                note("{}", name);
                return done();
            },
            options
        );
        context.on<Serial>(
            [this, name](SessionRef to) {
                note("{} {}", name, to->id);
                return nothing_to_say();
            },
            options
        );
        context.on<Folded>(
            [name](SessionRef to, const Next<std::string>& next) {
                return name + " " + to->id + " " + next();
            },
            options
        );
    }

    std::shared_ptr<Session> session = std::make_shared<Session>(Session{"s1", "near"});
};

}  // namespace

TEST_SUITE("Context::targeting()") {
    // EVT-10, EVT-11, EVT-13
    TEST_CASE_FIXTURE(TargetFixture, "reaches whom the target accepts, and global listeners") {
        root.targeting(session).emit<Emitted>(1);
        CHECK(take_trace() == Lines{"near s1 1", "global s1 1"});

        root.targeting(session).bail<Bailed>();
        CHECK(take_trace() == Lines{"near", "global"});

        await(root.targeting(session).parallel<Parallel>());
        CHECK(take_trace() == Lines{"near", "global"});

        await(drop(root.targeting(session).serial<Serial>()));
        CHECK(take_trace() == Lines{"near s1", "global s1"});

        CHECK(root.targeting(session).waterfall<Folded>([] {
            return "end";
        }) == "near s1 global s1 end");
    }

    // EVT-10
    TEST_CASE_FIXTURE(TargetFixture, "a target without a filter reaches all") {
        root.targeting(std::make_shared<Plain>()).emit<Emitted>(1);

        CHECK(trace == Lines{"near - 1", "far - 1", "global - 1"});
    }

    // EVT-12
    TEST_CASE_FIXTURE(TargetFixture, "without a target all are called, from whatever context") {
        root.isolate("number").emit<Emitted>(1);

        CHECK(trace == Lines{"near - 1", "far - 1", "global - 1"});
    }

    // SVC-47
    TEST_CASE_FIXTURE(
        ContextFixture, "as a service it reaches those who mean the same slot by it"
    ) {
        const Context inside = root.isolate("number");
        root.on<Emitted>([&](const auto&, int) { note("outside"); });
        inside.on<Emitted>([&](const auto&, int) { note("inside"); });
        inside.isolate("other").on<Emitted>([&](const auto&, int) { note("below"); });
        root.on<Emitted>([&](const auto&, int) { note("global"); }, ListenerOptions{false, true});

        inside.as_service<Number>().emit<Emitted>(1);
        CHECK(take_trace() == Lines{"inside", "below", "global"});

        root.as_service<Number>().emit<Emitted>(1);
        CHECK(take_trace() == Lines{"outside", "global"});
    }
}
