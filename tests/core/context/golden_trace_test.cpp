#include "context_fixture.hpp"

#include <cordon/async/completion.hpp>
#include <cordon/base/error.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Trace = std::vector<std::string>;

}  // namespace

TEST_SUITE("Fiber: golden traces") {
    TEST_CASE_FIXTURE(ContextFixture, "TRC-1: a plugin is started, then disposed of") {
        observe();
        const auto plugin = plugin_of("p", {}, [&](const Context& context) {
            note("apply");
            context.effect("undo", undo_of([&] { note("disposer"); }));
        });

        const FiberPtr fiber = root.plugin(plugin);
        note("[{} {}]", "plugin() returned", to_string(fiber->state()));
        await(fiber->settled());
        note("[done]");
        fiber->request_dispose();
        note("[dispose() returned {} {}]", fiber->uid().has_value(), to_string(fiber->state()));
        await(fiber->dispose());
        note("[dispose done]");

        CHECK(
            take_trace() ==
            Trace{
                "plugin(p uid=1 PENDING)",
                "p:PENDING->LOADING",
                "[plugin() returned LOADING]",
                "apply",
                "p:LOADING->ACTIVE",
                "[done]",
                "plugin(p uid=none ACTIVE)",
                "p:ACTIVE->UNLOADING",
                "[dispose() returned false UNLOADING]",
                "disposer",
                "p:UNLOADING->DISPOSED",
                "[dispose done]",
            }
        );
    }

    TEST_CASE_FIXTURE(ContextFixture, "TRC-2: a plugin fails, then is disposed of") {
        observe();
        const auto plugin = plugin_of("p", {}, [&](const Context& context) {
            context.effect("undo", undo_of([&] { note("rollback"); }));
            throw std::runtime_error{"boom"};
        });

        const FiberPtr fiber = root.plugin(plugin);
        turn();
        CHECK(failure_of([&] { await(fiber->settled()); }) == "boom");
        CHECK(failure_of([&] { await(fiber->settled()); }) == "boom");
        CHECK(fiber->error() != nullptr);
        await(fiber->dispose());
        await(fiber->settled());

        CHECK(
            take_trace() ==
            Trace{
                "plugin(p uid=1 PENDING)",
                "p:PENDING->LOADING",
                "p:LOADING->UNLOADING",
                "rollback",
                "p:UNLOADING->FAILED",
                "plugin(p uid=none FAILED)",
                "p:FAILED->UNLOADING",
                "p:UNLOADING->DISPOSED",
            }
        );
        CHECK(errors() == Trace{"p: boom"});
    }

    TEST_CASE_FIXTURE(ContextFixture, "TRC-3: a disposal before the body's turn means no body") {
        observe();
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {}, [&](const Context&) { note("body"); }));

        fiber->request_dispose();
        turn();

        CHECK(
            take_trace() ==
            Trace{
                "plugin(p uid=1 PENDING)",
                "p:PENDING->LOADING",
                "plugin(p uid=none LOADING)",
                "p:LOADING->UNLOADING",
                "p:UNLOADING->DISPOSED",
            }
        );
    }

    // field-144
    TEST_CASE_FIXTURE(
        ContextFixture, "TRC-4, DIF-3: a dependent's cleanup ends before any undo of the provider"
    ) {
        Completion gate{container.strand()};
        const FiberPtr provider = root.plugin(plugin_of("prov", {}, [&](const Context& context) {
            context.effect("first", undo_of([&] { note("first undo"); }));
            context.provide(std::make_shared<Number>(1));
            context.effect("last", undo_of([&] { note("last undo"); }));
        }));
        root.plugin(plugin_of("dep", {"number"}, [&](const Context& context) {
            context.effect("cleanup", [this, context, gate]() -> Task<> {
                note("cleanup starts, get {}", context.get<Number>() ? "works" : "is empty");
                return wait_for(gate);
            });
            context.effect("probe", undo_of([this, context] {
                               note("number is {}", context.use<Number>()->value);
                           }));
        }));
        turn();
        observe();

        const auto disposal = start(provider->dispose());
        turn();
        note("[gate opens]");
        CHECK(!disposal->ended);
        gate.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(
            take_trace() ==
            Trace{
                "plugin(prov uid=none ACTIVE)",
                "prov:ACTIVE->UNLOADING",
                "dep:ACTIVE->UNLOADING",
                "service(number=value)",
                "number is 1",
                "service(number=absent)",
                "cleanup starts, get is empty",
                "[gate opens]",
                "dep:UNLOADING->PENDING",
                "last undo",
                "first undo",
                "prov:UNLOADING->DISPOSED",
            }
        );
    }

    TEST_CASE_FIXTURE(
        ContextFixture, "TRC-5: a cascade goes down at once and settles from its end"
    ) {
        const FiberPtr a = root.plugin(plugin_of("A", {}, [](const Context& context) {
            context.provide("a", std::make_shared<Number>(1));
        }));
        root.plugin(plugin_of("B", {"a"}, [](const Context& context) {
            context.provide("b", std::make_shared<Number>(2));
        }));
        root.plugin(plugin_of("C", {"b"}));
        turn();
        observe();

        a->request_dispose();
        CHECK(
            take_trace() ==
            Trace{
                "plugin(A uid=none ACTIVE)",
                "A:ACTIVE->UNLOADING",
                "B:ACTIVE->UNLOADING",
                "C:ACTIVE->UNLOADING",
                "service(b=value)",
                "service(a=value)",
            }
        );
        turn();

        CHECK(
            take_trace() ==
            Trace{
                "service(b=absent)",
                "service(a=absent)",
                "C:UNLOADING->PENDING",
                "B:UNLOADING->PENDING",
                "A:UNLOADING->DISPOSED",
            }
        );
    }

    TEST_CASE_FIXTURE(ContextFixture, "TRC-6: a replacement within one turn is one reload") {
        const Effect first = root.provide(std::make_shared<Number>(1));
        root.plugin(plugin_of("dep", {"number"}, [&](const Context& context) {
            note("apply number={}", context.use<Number>()->value);
            context.effect("cleanup", undo_of([&] { note("cleanup"); }));
        }));
        turn();
        take_trace();
        observe();

        first.request_dispose();
        root.provide(std::make_shared<Number>(2));
        turn();

        CHECK(
            take_trace() ==
            Trace{
                "dep:ACTIVE->UNLOADING",
                "service(number=absent)",
                "service(number=value)",
                "cleanup",
                "dep:UNLOADING->LOADING",
                "apply number=2",
                "dep:LOADING->ACTIVE",
            }
        );
    }

    // field-141
    TEST_CASE_FIXTURE(
        ContextFixture, "TRC-7: what is under way ends before the next change is looked at"
    ) {
        Completion body{container.strand()};
        Completion cleanup{container.strand()};
        bool is_slow = true;
        const Effect service = root.provide(std::make_shared<Number>(1));
        root.plugin(plugin_of_task("p", {"number"}, [&](const Context& context) {
            if (is_slow) {
                context.effect("cleanup", [cleanup] { return wait_for(cleanup); });
            }
            return wait_for(body);
        }));
        observe();
        turn();

        note("[service lost]");
        service.request_dispose();
        turn();
        note("[load ends]");
        body.complete();
        turn();
        note("[service back]");
        root.provide(std::make_shared<Number>(2));
        turn();
        note("[cleanup ends]");
        is_slow = false;
        cleanup.complete();
        turn();

        CHECK(
            take_trace() ==
            Trace{
                "[service lost]",
                "service(number=absent)",
                "[load ends]",
                "p:LOADING->UNLOADING",
                "[service back]",
                "service(number=value)",
                "[cleanup ends]",
                "p:UNLOADING->LOADING",
                "p:LOADING->ACTIVE",
            }
        );
    }

    TEST_CASE_FIXTURE(
        ContextFixture,
        "TRC-8, DIF-28: a failed fiber is tried again for a new service or on request"
    ) {
        int attempts = 0;
        Effect service = root.provide(std::make_shared<Number>(1));
        const FiberPtr fiber = root.plugin(plugin_of("p", {"number"}, [&](const Context&) {
            note("apply");
            if (++attempts < 3) {
                throw std::runtime_error{"boom"};
            }
        }));
        turn();
        CHECK(fiber->state() == FiberState::failed);
        observe();
        take_trace();

        service.request_dispose();
        turn();
        CHECK(fiber->state() == FiberState::failed);
        service = root.provide(std::make_shared<Number>(1));
        turn();
        CHECK(fiber->state() == FiberState::failed);
        await(fiber->restart());

        CHECK(fiber->error() == nullptr);
        CHECK(
            take_trace() ==
            Trace{
                "service(number=absent)",
                "p:FAILED->LOADING",
                "service(number=value)",
                "apply",
                "p:LOADING->UNLOADING",
                "p:UNLOADING->FAILED",
                "p:FAILED->LOADING",
                "apply",
                "p:LOADING->ACTIVE",
            }
        );
    }

    TEST_CASE_FIXTURE(ContextFixture, "TRC-9: a parent's restart makes a new child") {
        const FiberPtr parent = root.plugin(plugin_of("parent", {}, [](const Context& context) {
            context.plugin(plugin_of("child"));
        }));
        turn();
        observe();

        await(parent->restart());
        turn();

        CHECK(
            take_trace() ==
            Trace{
                "parent:ACTIVE->UNLOADING",
                "plugin(child uid=none ACTIVE)",
                "child:ACTIVE->UNLOADING",
                "child:UNLOADING->DISPOSED",
                "parent:UNLOADING->LOADING",
                "plugin(child uid=3 PENDING)",
                "child:PENDING->LOADING",
                "parent:LOADING->ACTIVE",
                "child:LOADING->ACTIVE",
            }
        );
        CHECK(parent->uid() == 1);
    }
}
