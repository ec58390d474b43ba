#include "context_fixture.hpp"

#include <cordon/context/movable_context.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// Notes with which service each load of a consumer works.
class MovingFixture : public ContextFixture {
public:
    PluginPtr consumer(const std::string& name) {
        return plugin_of(name, {"number"}, [this, name](const Context& context) {
            note("{} with {}", name, context.use<Number>()->value);
            context.effect("end", undo_of([this, name] { note("{} ends", name); }));
        });
    }

    PluginPtr provider(const std::string& name, int value) {
        return plugin_of(name, {}, [this, name, value](const Context& context) {
            note("{} starts", name);
            context.provide(std::make_shared<Number>(value));
        });
    }

    static ScopeOverrides isolated(std::optional<std::string> label = std::nullopt) {
        return ScopeOverrides{{{"number", std::move(label)}}, {}};
    }
};

}  // namespace

TEST_SUITE("MovableContext") {
    // ISO-4, CTX-7
    TEST_CASE_FIXTURE(MovingFixture, "restarts a consumer only where its service is another one") {
        root.provide(std::make_shared<Number>(1));
        MovableContext row{root, {}};
        row.context().plugin(consumer("c"));
        turn();
        take_trace();

        row.move(root, ScopeOverrides{{{"other", std::nullopt}}, {}});
        turn();
        CHECK(take_trace().empty());

        row.move(root, isolated());
        turn();
        CHECK(take_trace() == Lines{"c ends"});

        row.move(root, {});
        turn();
        CHECK(take_trace() == Lines{"c with 1"});
    }

    // ISO-5
    TEST_CASE_FIXTURE(MovingFixture, "moves a service to its new slot without a restart") {
        MovableContext row{root, {}};
        row.context().plugin(provider("p", 1));
        root.plugin(consumer("outside"));
        root.isolate("number", "realm").plugin(consumer("inside"));
        turn();
        CHECK(take_trace() == Lines{"p starts", "outside with 1"});

        row.move(root, isolated("realm"));
        turn();
        CHECK(take_trace() == Lines{"outside ends", "inside with 1"});

        row.move(root, {});
        turn();
        CHECK(take_trace() == Lines{"inside ends", "outside with 1"});
    }

    // ISO-6
    TEST_CASE_FIXTURE(MovingFixture, "consumer and provider that move together notice nothing") {
        MovableContext row{root, isolated()};
        row.context().plugin(provider("p", 1));
        const FiberPtr user = row.context().plugin(consumer("c"));
        turn();
        CHECK(take_trace() == Lines{"p starts", "c with 1"});

        row.move(root, isolated("realm"));
        turn();
        CHECK(take_trace().empty());
        CHECK(user->context().use<Number>()->value == 1);

        await(user->dispose());
        CHECK(take_trace() == Lines{"c ends"});
    }

    // ISO-1: the private slot stays the same one
    TEST_CASE_FIXTURE(MovingFixture, "finds its private slot again") {
        MovableContext row{root, isolated()};
        row.context().provide(std::make_shared<Number>(1));
        row.move(root, isolated("realm"));
        row.move(root, isolated());
        CHECK(row.context().get<Number>()->value == 1);
        CHECK(!root.get<Number>());
        CHECK(!root.isolate("number", "realm").get<Number>());
    }

    // DIF-L8
    TEST_CASE_FIXTURE(
        MovingFixture, "a slot that is taken refuses, and leaves everything as it was"
    ) {
        root.provide(std::make_shared<Number>(1));
        MovableContext row{root, isolated()};
        row.context().plugin(provider("p", 2));
        row.context().plugin(consumer("c"));
        turn();
        take_trace();

        CHECK(failure_of([&] {
                  row.move(root, {});
              }) == "service \"number\" has been registered at <root>");
        turn();

        CHECK(row.context().get<Number>()->value == 2);
        CHECK(root.get<Number>()->value == 1);
        CHECK(take_trace().empty());
    }

    // LDR-55, ISO-8
    TEST_CASE_FIXTURE(MovingFixture, "what runs in it becomes a child of the new parent") {
        Context first = root;
        Context second = root;
        const FiberPtr one =
            root.plugin(plugin_of("one", {}, [&](const Context& context) { first = context; }));
        const FiberPtr two =
            root.plugin(plugin_of("two", {}, [&](const Context& context) { second = context; }));
        turn();
        MovableContext row{first, {}};
        const FiberPtr fiber = row.context().plugin(provider("p", 1));
        turn();

        row.move(second, {});
        await(one->dispose());
        CHECK(fiber->state() == FiberState::active);
        CHECK(row.context().fiber() == two);
        CHECK(root.get<Number>()->value == 1);

        await(two->dispose());
        CHECK(fiber->state() == FiberState::disposed);
        CHECK(trace == Lines{"p starts"});
    }

    TEST_CASE_FIXTURE(MovingFixture, "it cannot come to lie beneath itself") {
        MovableContext row{root, {}};
        Context inside = root;
        row.context().plugin(plugin_of("p", {}, [&](const Context& context) { inside = context; }));
        turn();

        CHECK(code_of([&] { row.move(row.context().isolate("number"), {}); }) == "SCOPE_CYCLE");
        CHECK(code_of([&] { row.move(inside, {}); }) == "SCOPE_CYCLE");
        CHECK(row.context().fiber() == root.fiber());
    }

    TEST_CASE_FIXTURE(MovingFixture, "a parent that unloads takes nobody") {
        Context ended = root;
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {}, [&](const Context& context) { ended = context; }));
        turn();
        await(fiber->dispose());
        MovableContext row{root, {}};

        CHECK(code_of([&] { row.move(ended, {}); }) == "INACTIVE_EFFECT");
    }
}
