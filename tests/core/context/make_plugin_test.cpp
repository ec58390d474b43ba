#include "context_fixture.hpp"

#include <cordon/context/make_plugin.hpp>

#include <boost/describe.hpp>
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cordon;
using namespace cordon::testing;

struct Greeting {
    std::string text = "hello";
    int times = 1;
};

BOOST_DESCRIBE_STRUCT(Greeting, (), (text, times))

std::vector<std::string> greetings;

Task<> greet(Context context, Greeting config) {
    greetings.push_back(context.fiber()->name());
    greetings.insert(greetings.end(), static_cast<std::size_t>(config.times), config.text);
    co_return;
}

Task<> do_nothing(Context /*context*/, NoConfig /*config*/) {
    co_return;
}

TEST_SUITE("make_plugin()") {
    TEST_CASE_FIXTURE(ContextFixture, "decodes the config for the body") {
        greetings.clear();
        const PluginPtr plugin = make_plugin({.name = "greeter", .version = "1"}, &greet);

        root.plugin(plugin, Object{{"times", 2}});
        turn();

        CHECK(greetings == std::vector<std::string>{"greeter", "hello", "hello"});
    }

    TEST_CASE_FIXTURE(ContextFixture, "refuses a config that the struct cannot hold") {
        const PluginPtr plugin = make_plugin({.name = "quiet"}, &do_nothing);

        const FiberPtr with_nothing = root.plugin(plugin);
        const FiberPtr with_key = root.plugin(plugin, Object{{"times", 2}});
        turn();

        CHECK(with_nothing->state() == FiberState::active);
        CHECK(code_of([&] { await(with_key->settled()); }) == "INVALID_CONFIG");
    }
}

}  // namespace
