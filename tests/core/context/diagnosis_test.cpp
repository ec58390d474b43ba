#include "context_fixture.hpp"

#include <cordon/context/diagnosis.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

PluginPtr provider_of(std::string name, std::string service, std::vector<std::string> inject = {}) {
    PluginDescriptor descriptor = *plugin_of(std::move(name), std::move(inject));
    descriptor.provides = {std::move(service)};
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

std::vector<std::string> lines_of(const std::vector<WaitingFiber>& waiting) {
    std::vector<std::string> lines;
    for (const WaitingFiber& entry : waiting) {
        lines.push_back(to_string(entry));
    }
    return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_SUITE("waiting_fibers()") {
    // field-137
    TEST_CASE_FIXTURE(ContextFixture, "names the provider that failed, and why it did") {
        PluginDescriptor broken = *plugin_of("broken", {}, [](const Context&) {
            throw std::runtime_error{"no such file"};
        });
        broken.provides = {"sandbox"};
        root.plugin(std::make_shared<const PluginDescriptor>(broken));
        root.plugin(plugin_of("first", {"sandbox"}));
        root.plugin(plugin_of("second", {"sandbox", "shell"}));
        turn();

        CHECK(
            lines_of(waiting_fibers(root)) ==
            Lines{
                "first: pending (waiting for service: sandbox); sandbox is provided by 'broken', "
                "which failed: no such file",
                "second: pending (waiting for services: sandbox, shell); sandbox is provided by "
                "'broken', which failed: no such file; nobody provides shell",
            }
        );
    }

    // field-137
    TEST_CASE_FIXTURE(ContextFixture, "suggests the service that was meant") {
        root.plugin(provider_of("words", "language"));
        root.plugin(plugin_of("reader", {"langauge"}));
        turn();

        CHECK(
            lines_of(waiting_fibers(root)) ==
            Lines{"reader: pending (waiting for service: langauge); nobody provides langauge, did "
                  "you mean 'language'?"}
        );
    }

    // field-139, INJ-11
    TEST_CASE_FIXTURE(ContextFixture, "shows fibers that wait for each other") {
        root.plugin(provider_of("a", "sa", {"sb"}));
        root.plugin(provider_of("b", "sb", {"sa"}));
        root.plugin(provider_of("self", "own", {"own"}));
        turn();

        const auto waiting = waiting_fibers(root);

        REQUIRE(waiting.size() == 3);
        CHECK(
            to_string(waiting[0]) ==
            "a: pending (waiting for service: sb); sb is provided by 'b', which is waiting itself; "
            "they wait for each other: a -> b -> a"
        );
        CHECK(waiting[2].cycle.size() == 2);
        CHECK(waiting[2].cycle.front() == waiting[2].fiber);
    }

    // field-149
    TEST_CASE_FIXTURE(ContextFixture, "says that a service exists in another scope only") {
        const Context inner = root.isolate("number");
        inner.plugin(provider_of("inside", "number"));
        root.plugin(plugin_of("outside", {"number"}));
        turn();

        CHECK(
            lines_of(waiting_fibers(root)) ==
            Lines{"outside: pending (waiting for service: number); number is provided in another "
                  "scope, by 'inside'"}
        );
    }

    // DIF-27
    TEST_CASE_FIXTURE(ContextFixture, "says who keeps a service from whom") {
        root.provide(std::make_shared<Number>(1), {[](const Context&) {
                         return false;
                     }});
        root.plugin(plugin_of("refused", {"number"}));
        turn();

        CHECK(
            lines_of(waiting_fibers(root)) ==
            Lines{"refused: pending (waiting for service: number); number is provided by 'root', "
                  "which does not let this one have it now"}
        );
    }

    TEST_CASE_FIXTURE(ContextFixture, "has nothing to say while everybody runs") {
        root.provide(std::make_shared<Number>(1));
        root.plugin(plugin_of("p", {"number"}));
        turn();

        CHECK(waiting_fibers(root).empty());
    }
}
