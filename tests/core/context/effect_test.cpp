#include "context_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

}  // namespace

TEST_SUITE("Effect") {
    // EFF-3
    TEST_CASE_FIXTURE(ContextFixture, "is undone once, by hand or by the unload") {
        Effect by_hand;
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            by_hand = context.effect("by hand", undo_of([&] { note("by hand"); }));
            context.effect("by unload", undo_of([&] { note("by unload"); }));
        }));
        turn();
        CHECK(by_hand.is_active());
        CHECK(by_hand.label() == "by hand");

        await(by_hand.dispose());
        await(by_hand.dispose());
        CHECK(!by_hand.is_active());
        await(fiber->dispose());

        CHECK(trace == Lines{"by hand", "by unload"});
    }

    // EFF-6, EFF-7, FIB-48
    TEST_CASE_FIXTURE(
        ContextFixture, "DIF-2: everybody joins a disposal that runs, the unload too"
    ) {
        Completion gate{container.strand()};
        Effect slow;
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.effect("before", undo_of([&] { note("before"); }));
            slow = context.effect("slow", [gate] { return wait_for(gate); });
        }));
        turn();

        const auto first = start(slow.dispose());
        const auto second = start(slow.dispose());
        const auto disposal = start(fiber->dispose());
        turn();
        CHECK((!first->ended && !second->ended && !disposal->ended));
        CHECK(trace.empty());
        gate.complete();
        turn();

        CHECK((first->ended && second->ended && disposal->ended));
        CHECK(trace == Lines{"before"});
    }

    TEST_CASE_FIXTURE(
        ContextFixture, "a failing undo is told to whoever waits, and logged otherwise"
    ) {
        const auto make = [&] {
            return root.effect("broken", []() -> Task<> { throw std::runtime_error{"stuck"}; });
        };
        const Effect waited = make();
        const Effect requested = make();

        CHECK(failure_of([&] { await(waited.dispose()); }) == "stuck");
        CHECK(failure_of([&] { await(waited.dispose()); }) == "stuck");
        CHECK(errors().empty());
        requested.request_dispose();
        turn();

        CHECK(errors() == Lines{"root: the undo of 'broken' failed: stuck"});
    }

    TEST_CASE_FIXTURE(ContextFixture, "the end of a wait is not the end of the undo") {
        Completion gate{container.strand()};

        struct Body {
            static Task<> run(ContextFixture* test, Completion opened) {
                co_await opened.wait();
                test->note("undone");
            }
        };

        const Effect effect = root.effect("slow", [this, gate] { return Body::run(this, gate); });
        boost::asio::cancellation_signal cancel;
        bool has_ended = false;
        boost::asio::co_spawn(
            container.strand(),
            effect.dispose(),
            boost::asio::bind_cancellation_slot(
                cancel.slot(), [&](const std::exception_ptr&) { has_ended = true; }
            )
        );
        turn();

        cancel.emit(boost::asio::cancellation_type::terminal);
        turn();
        CHECK(has_ended);
        CHECK(trace.empty());
        gate.complete();
        turn();

        CHECK(trace == Lines{"undone"});
    }

    TEST_CASE_FIXTURE(ContextFixture, "lets go of what its undo captured") {
        const auto captured = std::make_shared<int>(1);
        const Effect effect = root.effect("e", [captured] { return undo_of([] {})(); });
        CHECK(captured.use_count() == 2);

        await(effect.dispose());

        CHECK(captured.use_count() == 1);
    }

    TEST_CASE("that stands for nothing can be disposed of") {
        ContextFixture test;
        const Effect effect;

        test.await(effect.dispose());
        effect.request_dispose();

        CHECK(!effect.is_active());
        CHECK(effect.label().empty());
    }
}
