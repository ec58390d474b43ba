#include "context_fixture.hpp"

#include <cordon/context/inspection.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cordon;
using namespace cordon::testing;

using Uids = std::vector<std::uint64_t>;
using Lines = std::vector<std::string>;

PluginPtr declaring(std::string name, std::string service, std::function<void(Context)> body) {
    PluginDescriptor descriptor = *plugin_of(std::move(name), {}, std::move(body));
    descriptor.provides = {std::move(service)};
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

TEST_SUITE("inspect()") {
    // CTX-1
    TEST_CASE_FIXTURE(ContextFixture, "an empty container has an active root and nothing else") {
        const Inspection all = inspect(root);

        REQUIRE(all.fibers.size() == 1);
        CHECK(all.fibers[0].uid == 0);
        CHECK(!all.fibers[0].parent);
        CHECK(all.fibers[0].name == "root");
        CHECK(all.fibers[0].plugin.empty());
        CHECK(all.fibers[0].state == FiberState::active);
        CHECK(all.fibers[0].provides.empty());
        CHECK(all.services.empty());
    }

    // CTX-2
    TEST_CASE_FIXTURE(ContextFixture, "what is built in is none of the root's own effects") {
        int heard = 0;
        const auto works = [&] {
            heard = 0;
            const Effect listener =
                root.on<ServiceEvent>([&](const std::string&, Service*) { ++heard; });
            const Effect service = root.provide(std::make_shared<Number>(1));
            root.log(LogLevel::warn, "still here");
            const bool is_logged = !logs.empty() && logs.back().message == "still here";
            const bool is_found = bool(root.get<Number>());
            const FiberPtr fiber = root.plugin(plugin_of("p", {"number"}));
            turn();
            return is_logged && is_found && heard == 1 && fiber->state() == FiberState::active;
        };
        CHECK(works());

        await(root.fiber()->restart());
        const Inspection all = inspect(root);
        CHECK(all.fibers.size() == 1);
        CHECK(all.services.empty());
        logs.clear();
        CHECK(works());

        await(container.shutdown());
        logs.clear();
        root.log(LogLevel::warn, "after the end");
        CHECK(logs.size() == 1);
        CHECK(root.recent_log().back().message == "after the end");
        CHECK(!root.get<Number>());
    }

    TEST_CASE_FIXTURE(ContextFixture, "shows fibers with parents, states and errors") {
        root.plugin(plugin_of("parent", {}, [](const Context& context) {
            context.plugin(plugin_of("child", {"missing"}));
        }));
        root.plugin(
            plugin_of(
                "broken", {}, [](const Context&) { throw std::runtime_error{"no such file"}; }
            ),
            {},
            {{}, nullptr, "mine"}
        );
        const FiberPtr gone = root.plugin(plugin_of("gone"));
        turn();
        gone->request_dispose();

        const Inspection all = inspect(root);

        REQUIRE(all.fibers.size() == 4);
        CHECK(all.fibers[1].name == "parent");
        CHECK(all.fibers[1].parent == 0);
        CHECK(all.fibers[1].state == FiberState::active);
        CHECK(all.fibers[2].name == "mine");
        CHECK(all.fibers[2].plugin == "broken");
        CHECK(all.fibers[2].state == FiberState::failed);
        CHECK(all.fibers[2].error == "no such file");
        CHECK(all.fibers[3].name == "child");
        CHECK(all.fibers[3].parent == all.fibers[1].uid);
        CHECK(all.fibers[3].state == FiberState::pending);
        REQUIRE(all.fibers[3].needs.size() == 1);
        CHECK(all.fibers[3].needs[0].service == "missing");
        CHECK(!all.fibers[3].needs[0].is_available);
        CHECK(all.fibers[3].needs[0].providers.empty());
    }

    TEST_CASE_FIXTURE(ContextFixture, "shows who uses whose service, in which scope") {
        const Context inner = root.isolate("number", "realm");
        const FiberPtr outside = root.plugin(plugin_of("outside", {}, [](const Context& context) {
            context.provide(std::make_shared<Number>(1));
        }));
        const FiberPtr inside = inner.plugin(plugin_of("inside", {}, [](const Context& context) {
            context.provide(std::make_shared<Number>(2));
            context.provide("other", nullptr);
        }));
        const FiberPtr one = inner.plugin(plugin_of("one", {"number", "other"}));
        const FiberPtr two = inner.plugin(plugin_of("two", {"number"}));
        turn();
        const ServiceHandle<Number> handle = two->context().use<Number>();

        const Inspection all = inspect(inner);

        REQUIRE(all.services.size() == 3);
        CHECK(all.services[0].name == "number");
        CHECK(all.services[0].scope.empty());
        CHECK(all.services[0].provider == outside->uid());
        CHECK(all.services[0].users.empty());
        CHECK(all.services[1].scope == "@realm");
        CHECK(all.services[1].provider == inside->uid());
        CHECK(all.services[1].is_visible);
        CHECK((all.services[1].users == Uids{*one->uid(), *two->uid()}));
        CHECK(all.services[1].holders == Lines{"two"});
        CHECK(all.services[2].name == "other");
        CHECK((all.services[2].users == Uids{*one->uid()}));
        CHECK(all.services[2].holders.empty());

        CHECK(all.fibers[2].provides == Lines{"number", "other"});
        REQUIRE(all.fibers[3].needs.size() == 2);
        CHECK(all.fibers[3].needs[0].is_available);
        CHECK((all.fibers[3].needs[0].providers == Uids{*inside->uid()}));
    }

    // DIF-27
    TEST_CASE_FIXTURE(ContextFixture, "DIF-27: shows who keeps whom waiting") {
        Completion gate{container.strand()};

        struct Body {
            static Task<> run(Context context, Completion opened) {
                context.provide(std::make_shared<Number>(1));
                co_await opened.wait();
            }
        };

        const FiberPtr slow = root.plugin(plugin_of_task("slow", {}, [gate](Context context) {
            return Body::run(std::move(context), gate);
        }));
        const FiberPtr broken = root.plugin(declaring("broken", "other", [](const Context&) {
            throw std::runtime_error{"boom"};
        }));
        root.plugin(plugin_of("waiting", {"number", "other"}));
        root.provide("third", nullptr, ProvideOptions{[](const Context&) {
                         return false;
                     }});
        root.plugin(plugin_of("refused", {"third"}));
        turn();

        const Inspection all = inspect(root);
        const std::vector<ServiceNeed>& needs = all.fibers[3].needs;
        REQUIRE(needs.size() == 2);
        CHECK(!needs[0].is_available);
        CHECK((needs[0].providers == Uids{*slow->uid()}));
        CHECK((needs[1].providers == Uids{*broken->uid()}));
        CHECK(!all.fibers[4].needs[0].is_available);
        CHECK((all.fibers[4].needs[0].providers == Uids{0}));
        CHECK(!all.services[0].is_visible);
        CHECK(all.services[1].provider == 0);

        gate.complete();
        turn();
        CHECK(inspect(root).services[0].is_visible);
    }
}

}  // namespace
