#include "context_fixture.hpp"

#include <cordon/context/applied_plugins.hpp>
#include <cordon/context/make_plugin.hpp>
#include <cordon/context/make_service_plugin.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace cordon;
using namespace cordon::testing;

using Lines = std::vector<std::string>;

class AppliedFixture : public ContextFixture {
public:
    Lines names() const {
        Lines names;
        for (const AppliedPlugin& applied : plugins.all()) {
            names.push_back(fmt::format("{}*{}", applied.plugin->name, applied.fibers.size()));
        }
        return names;
    }

    AppliedPlugins plugins{root};
};

Task<> say_nothing(Context /*context*/, NoConfig /*config*/) {
    co_return;
}

class Seven : public Number {
public:
    Seven(Context /*context*/, NoConfig /*config*/) : Number(7) {}
};

TEST_SUITE("AppliedPlugins") {
    // REG-3, REG-5, REG-7
    TEST_CASE_FIXTURE(AppliedFixture, "lists each plugin with its fibers, first applied first") {
        const PluginPtr first = plugin_of("first");
        const PluginPtr second = plugin_of("second", {"number"});
        CHECK(plugins.size() == 0);
        const FiberPtr one = root.plugin(first);
        const FiberPtr two = root.plugin(second);
        const FiberPtr three = root.plugin(first);
        turn();

        CHECK(names() == Lines{"first*2", "second*1"});
        CHECK(plugins.size() == 2);
        CHECK(plugins.contains(second));
        CHECK(!plugins.contains(plugin_of("second")));
        const auto found = plugins.find(first);
        REQUIRE(found);
        CHECK(found->plugin == first);
        CHECK((found->fibers == std::vector<FiberPtr>{one, three}));
        CHECK(two->state() == FiberState::pending);

        one->request_dispose();
        CHECK(names() == Lines{"first*1", "second*1"});
        three->request_dispose();
        CHECK(three->state() == FiberState::unloading);
        CHECK(names() == Lines{"second*1"});
        CHECK(!plugins.find(first));
        CHECK(!plugins.contains(nullptr));
    }

    // REG-3
    TEST_CASE_FIXTURE(AppliedFixture, "the fibers of one plugin know nothing of each other") {
        int loads = 0;
        const PluginPtr plugin = plugin_of("p", {}, [&](const Context&) {
            if (++loads == 1) {
                throw std::runtime_error{"boom"};
            }
        });
        const FiberPtr failing = root.plugin(plugin);
        const FiberPtr working = root.plugin(plugin);
        turn();

        CHECK(failing->state() == FiberState::failed);
        CHECK(working->state() == FiberState::active);
        CHECK(failing->uid() != working->uid());
        CHECK(names() == Lines{"p*2"});
    }

    // REG-4, DIF-15
    TEST_CASE_FIXTURE(AppliedFixture, "DIF-15: two descriptors with one function are two plugins") {
        const PluginPtr first = plugin_of("first");
        PluginDescriptor copy = *first;
        copy.name = "copy";
        copy.inject = {"number"};
        const FiberPtr one = root.plugin(first);
        const FiberPtr two = root.plugin(std::make_shared<const PluginDescriptor>(copy));
        turn();

        CHECK(names() == Lines{"first*1", "copy*1"});
        CHECK(one->name() == "first");
        CHECK(one->state() == FiberState::active);
        CHECK(two->name() == "copy");
        CHECK(two->required() == Lines{"number"});
        CHECK(two->state() == FiberState::pending);
    }

    // REG-6
    TEST_CASE_FIXTURE(AppliedFixture, "remove() begins the disposal of all, and does not wait") {
        Completion gate{container.strand()};
        const PluginPtr plugin = plugin_of("p", {}, [gate](const Context& context) {
            context.effect("slow", [gate] { return wait_for(gate); });
        });
        const FiberPtr one = root.plugin(plugin);
        const FiberPtr two = root.plugin(plugin);
        const FiberPtr other = root.plugin(plugin_of("other"));
        turn();

        const auto removed = plugins.remove(plugin);
        CHECK(names() == Lines{"other*1"});
        REQUIRE(removed);
        CHECK(removed->plugin == plugin);
        CHECK((removed->fibers == std::vector<FiberPtr>{one, two}));
        CHECK((one->state() == FiberState::unloading && two->state() == FiberState::unloading));
        CHECK(!plugins.remove(plugin));
        CHECK(!plugins.remove(nullptr));
        gate.complete();
        turn();

        CHECK((one->state() == FiberState::disposed && two->state() == FiberState::disposed));
        CHECK(other->state() == FiberState::active);
    }

    // REG-11
    TEST_CASE_FIXTURE(AppliedFixture, "a plugin that was removed can be applied again at once") {
        int loads = 0;
        const PluginPtr plugin = plugin_of("p", {}, [&](const Context&) { ++loads; });
        const FiberPtr old = root.plugin(plugin);
        turn();
        plugins.remove(plugin);
        const FiberPtr fresh = root.plugin(plugin);
        turn();

        CHECK(old->state() == FiberState::disposed);
        CHECK(fresh->state() == FiberState::active);
        CHECK(fresh->uid() == 2);
        CHECK(loads == 2);
        CHECK(names() == Lines{"p*1"});
    }

    // REG-10, DIF-14, PIT-13
    TEST_CASE_FIXTURE(AppliedFixture, "DIF-14: an application that is refused leaves no record") {
        const FiberPtr parent = root.plugin(plugin_of("parent", {}, [&](const Context& context) {
            context.effect("late", undo_of([this, context] {
                               note("{}", code_of([&] { context.plugin(plugin_of("child")); }));
                               note("{}", plugins.size());
                           }));
        }));
        turn();
        await(parent->dispose());

        CHECK(trace == Lines{"INACTIVE_EFFECT", "0"});
        CHECK(code_of([&] { root.plugin(nullptr); }) == "INVALID_PLUGIN");
        CHECK(plugins.size() == 0);
    }
}

TEST_SUITE("Context::plugin()") {
    // REG-1
    TEST_CASE_FIXTURE(ContextFixture, "takes a function, a service class or a whole descriptor") {
        PluginDescriptor descriptor;
        descriptor.name = "whole";
        descriptor.provides = {"other"};
        descriptor.inject = {"number"};
        descriptor.apply = [](Context context, Value config) -> Task<> {
            context.provide("other", std::make_shared<Number>(int(*config.as_number())));
            co_return;
        };

        const FiberPtr whole =
            root.plugin(std::make_shared<const PluginDescriptor>(descriptor), Value{3});
        const FiberPtr function = root.plugin(make_plugin({.name = "function"}, &say_nothing));
        const FiberPtr service = root.plugin(make_service_plugin<Seven>({.name = "class"}));
        turn();

        for (const FiberPtr& fiber : {whole, function, service}) {
            CHECK(fiber->state() == FiberState::active);
        }
        CHECK(root.get<Number>()->value == 7);
        CHECK(service->plugin()->provides == Lines{"number"});
        CHECK(root.find("other").as<Number>()->value == 3);
    }

    // REG-9
    TEST_CASE_FIXTURE(ContextFixture, "children belong to the plugin that applied them") {
        FiberPtr child;
        const PluginPtr inner = plugin_of("child", {}, [&](const Context& context) {
            context.effect("undo", undo_of([&] { note("child undone"); }));
        });
        const FiberPtr parent = root.plugin(plugin_of("parent", {}, [&](const Context& context) {
            context.effect("undo", undo_of([&] { note("parent undone"); }));
            child = context.plugin(inner);
        }));
        turn();
        CHECK(child->parent_fiber() == parent);
        CHECK(child->state() == FiberState::active);

        await(parent->dispose());

        CHECK(child->state() == FiberState::disposed);
        CHECK(trace == Lines{"child undone", "parent undone"});
    }

    // FIB-8
    TEST_CASE_FIXTURE(ContextFixture, "one without a name is called what its parent is called") {
        FiberPtr child;
        root.plugin(plugin_of("parent", {}, [&](const Context& context) {
            child = context.plugin(plugin_of(""));
        }));
        turn();

        CHECK(child->name() == "parent");
        CHECK(root.plugin(plugin_of(""))->name() == "root");
        CHECK(root.plugin(plugin_of("apply"))->name() == "apply");
    }
}

}  // namespace
