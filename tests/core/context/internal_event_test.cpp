#include "context_fixture.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

struct Told {
    static constexpr std::string_view name = "internal-event-test/told";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const std::string& text, int number);
};

struct WarmedNumber {
    static constexpr std::string_view name = "internal-event-test/warmed";
    static constexpr Dispatch mode = Dispatch::parallel;
    using Signature = Task<>(int number);
};

struct FoldedNumber {
    static constexpr std::string_view name = "internal-event-test/folded";
    static constexpr Dispatch mode = Dispatch::waterfall;
    using Signature = int(int number);
};

struct Subject {
    std::string id;
};

Task<> finished() {
    co_return;
}

class InternalEventFixture : public ContextFixture {
public:
    void observe_dispatches() {
        root.on<DispatchEvent>([this](
                                   Dispatch mode,
                                   std::string_view name,
                                   const EventArguments& arguments,
                                   const EventTarget& target
                               ) {
            const auto subject = target.subject<Subject>();
            note(
                "{} {} {} {}",
                to_string(mode),
                name,
                arguments.size(),
                subject ? subject->id : "everybody"
            );
        });
    }
};

}  // namespace

TEST_SUITE("internal/dispatch") {
    // IEV-9
    TEST_CASE_FIXTURE(
        InternalEventFixture, "tells of every dispatch, heard or not, before it happens"
    ) {
        observe_dispatches();
        root.emit<Told>("hi", 1);
        root.on<Told>([&](const std::string& text, int) { note("{}", text); });
        root.targeting(std::make_shared<Subject>(Subject{"s1"})).emit<Told>("hi", 1);
        await(root.parallel<WarmedNumber>(1));
        root.waterfall<FoldedNumber>(1, [] { return 2; });

        CHECK(
            trace ==
            Lines{
                "emit internal-event-test/told 2 everybody",
                "emit internal-event-test/told 2 s1",
                "hi",
                "parallel internal-event-test/warmed 1 everybody",
                "waterfall internal-event-test/folded 1 everybody",
            }
        );
    }

    // IEV-9
    TEST_CASE_FIXTURE(InternalEventFixture, "shows the arguments by their types") {
        root.on<DispatchEvent>(
            [&](Dispatch, std::string_view, const EventArguments& arguments, const EventTarget&) {
                REQUIRE(arguments.size() == 2);
                const auto* text = arguments.get<std::string>(0);
                const auto* number = arguments.get<int>(1);
                REQUIRE(text != nullptr);
                REQUIRE(number != nullptr);
                CHECK(arguments.get<std::string>(1) == nullptr);
                note("{} {}", *text, *number);
            }
        );
        root.emit<Told>("hi", 7);

        CHECK(trace == Lines{"hi 7"});
    }

    // IEV-10
    TEST_CASE_FIXTURE(InternalEventFixture, "says nothing of internal events") {
        observe_dispatches();
        root.provide(std::make_shared<Number>(1));
        await(root.plugin(plugin_of("p"))->dispose());

        CHECK(trace.empty());
    }

    // DIF-7
    TEST_CASE_FIXTURE(InternalEventFixture, "an observer that fails does not stop the dispatch") {
        root.on<DispatchEvent>(
            [](Dispatch, std::string_view, const EventArguments&, const EventTarget&) {
                throw std::runtime_error{"broken"};
            }
        );
        root.on<Told>([&](const std::string& text, int) { note("{}", text); });
        root.emit<Told>("hi", 1);

        CHECK(trace == Lines{"hi"});
        CHECK(errors() == Lines{"root: an observer of 'internal/dispatch' failed: broken"});
    }
}

TEST_SUITE("internal/listener") {
    // IEV-8
    TEST_CASE_FIXTURE(
        InternalEventFixture, "an effect in return takes the place of the registration"
    ) {
        std::shared_ptr<detail::ListenerFor<Told>> routed;
        root.on<ListenerEvent>(
            [&](const ListenerRegistration& registration) -> std::optional<Effect> {
                note("{} {}", registration.event, registration.options.prepend);
                auto listener = registration.listener_of<Told>();
                if (!listener) {
                    return std::nullopt;
                }
                routed = std::move(listener);
                return registration.context.effect("routed", [&]() -> Task<> {
                    routed = nullptr;
                    return finished();
                });
            }
        );
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            const Effect effect = context.on<Told>(
                [&](const std::string& text, int) { note("{}", text); }, ListenerOptions{true}
            );
            CHECK(effect.label() == "routed");
            context.on<FoldedNumber>([](int, const Next<int>& next) { return next(); });
        }));
        turn();

        root.emit<Told>("nobody hears", 1);
        REQUIRE(routed != nullptr);
        routed->call("by hand", 1);
        await(fiber->dispose());

        CHECK(routed == nullptr);
        CHECK(
            trace ==
            Lines{
                "internal-event-test/told true",
                "internal-event-test/folded false",
                "by hand",
            }
        );
    }

    // IEV-8
    TEST_CASE_FIXTURE(InternalEventFixture, "a failure of it reaches whoever registers") {
        const Effect refusal =
            root.on<ListenerEvent>([](const ListenerRegistration&) -> std::optional<Effect> {
                throw std::runtime_error{"not here"};
            });
        CHECK(failure_of([&] { root.on<Told>([](const std::string&, int) {}); }) == "not here");

        refusal.request_dispose();
        root.on<Told>([&](const std::string& text, int) { note("{}", text); });
        root.emit<Told>("hi", 1);
        CHECK(trace == Lines{"hi"});
    }
}

TEST_SUITE("internal/service") {
    // IEV-4
    TEST_CASE_FIXTURE(
        InternalEventFixture, "shows what is in the slot, whatever its provider's state"
    ) {
        root.on<ServiceEvent>([&](const std::string& name, Service* value) {
            const auto* number = dynamic_cast<Number*>(value);
            note("{}={}", name, number == nullptr ? "absent" : std::to_string(number->value));
        });
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.provide(std::make_shared<Number>(7));
            note("provided");
        }));
        turn();
        await(fiber->dispose());

        // IEV-5, IEV-6: once when active, then on leaving that state, and when withdrawn
        CHECK(trace == Lines{"provided", "number=7", "number=7", "number=absent"});
    }

    // IEV-5
    TEST_CASE_FIXTURE(InternalEventFixture, "tells at once what an active fiber provides") {
        observe();
        const Effect effect = root.provide(std::make_shared<Number>(1));
        CHECK(take_trace() == Lines{"service(number=value)"});

        effect.request_dispose();
        CHECK(take_trace() == Lines{"service(number=absent)"});
    }

    // IEV-7
    TEST_CASE_FIXTURE(InternalEventFixture, "comes after the dependents have been re-evaluated") {
        const FiberPtr dependent = root.plugin(plugin_of("dependent", {"number"}));
        observe();
        root.provide(std::make_shared<Number>(1));

        CHECK(trace == Lines{"dependent:PENDING->LOADING", "service(number=value)"});
    }
}

TEST_SUITE("internal/plugin and internal/status") {
    // IEV-1
    TEST_CASE_FIXTURE(InternalEventFixture, "a creation is told with a uid, a disposal without") {
        observe();
        const FiberPtr fiber = root.plugin(plugin_of("p", {"number"}));
        CHECK(take_trace() == Lines{"plugin(p uid=1 PENDING)"});

        fiber->request_dispose();
        CHECK(take_trace() == Lines{"plugin(p uid=none PENDING)", "p:PENDING->UNLOADING"});
    }
}
