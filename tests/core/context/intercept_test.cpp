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

/// A service whose layers are lists to be joined.
class Joining : public Service {
public:
    static constexpr std::string_view service_name = "joining";

    static Object merge_layers(const InterceptLayers& layers) {
        std::string all;
        for (const Object& layer : layers) {
            all += *layer.find("part")->as_string();
        }
        return Object{{"parts", all}};
    }
};

struct Owner {
    static constexpr std::string_view name = "intercept-test/owner";
    using Type = std::string;
};

}  // namespace

TEST_SUITE("Context::intercept()") {
    // CTX-15, CTX-16, CTX-17, ISO-9
    TEST_CASE_FIXTURE(ContextFixture, "stacks layers, each overriding the keys of those outside") {
        const Context outer = root.intercept(
            "number", Object{{"a", 1}, {"b", 1}, {"deep", Object{{"x", 1}, {"y", 1}}}}
        );
        const Context inner =
            outer.intercept("number", Object{{"b", 2}, {"deep", Object{{"x", 2}}}});

        CHECK(inner.intercept_layers("number").size() == 2);
        CHECK(inner.config_for<Number>() == Object{{"a", 1}, {"b", 2}, {"deep", Object{{"x", 2}}}});
        CHECK(
            inner.config_for<Number>(Object{{"a", 0}, {"base", 0}}, Object{{"b", 3}}) ==
            Object{{"a", 1}, {"base", 0}, {"b", 3}, {"deep", Object{{"x", 2}}}}
        );
        CHECK(outer.config_for("number").find("b")->as_number() != nullptr);
        CHECK(*outer.config_for("number").find("b")->as_number() == 1);
        CHECK(root.config_for("number").empty());
        CHECK(inner.config_for("other").empty());
    }

    // CTX-17
    TEST_CASE_FIXTURE(ContextFixture, "a service may merge the layers in its own way") {
        const Context inner = root.intercept<Joining>(Object{{"part", "b"}}
        ).intercept<Joining>(Object{{"part", "c"}});

        const Object merged =
            inner.config_for<Joining>(Object{{"part", "a"}}, Object{{"part", "d"}});

        CHECK(merged == Object{{"parts", "abcd"}});
    }

    // CTX-18, CTX-7
    TEST_CASE_FIXTURE(ContextFixture, "layers are read at the moment of use") {
        MovableContext row{root, ScopeOverrides{{}, {{"number", Object{{"level", 1}}}}}};
        Context inside = root;
        int loads = 0;
        const FiberPtr fiber =
            row.context().plugin(plugin_of("user", {}, [&](const Context& context) {
                inside = context;
                ++loads;
            }));
        turn();
        CHECK(inside.config_for<Number>() == Object{{"level", 1}});

        row.move(root, ScopeOverrides{{}, {{"number", Object{{"level", 2}}}}});
        turn();

        CHECK(inside.config_for<Number>() == Object{{"level", 2}});
        CHECK(loads == 1);
        CHECK(fiber->state() == FiberState::active);
    }

    // CTX-6
    TEST_CASE_FIXTURE(ContextFixture, "derived contexts belong to the same fiber") {
        CHECK(root.intercept("number", Object{{"a", 1}}).fiber() == root.fiber());
        CHECK(root.isolate("number").fiber() == root.fiber());
        CHECK(root.extend<Owner>("me").fiber() == root.fiber());
        CHECK(root.extend<Owner>("me").root().fiber() == root.fiber());  // CTX-3
    }
}

TEST_SUITE("Injection with a config") {
    // INJ-1, INJ-8
    TEST_CASE_FIXTURE(ContextFixture, "adds the innermost layer, for children too") {
        root.provide(std::make_shared<Number>(1));
        const Context outer = root.intercept<Number>(Object{{"a", "outer"}, {"b", "outer"}});
        Object own;
        Object of_child;
        const Inject inject{{"number", Object{{"b", "inject"}}}};
        outer.plugin(plugin_of("user", inject, [&](const Context& context) {
            own = context.config_for<Number>();
            context.plugin(plugin_of("child", {}, [&](const Context& inside) {
                of_child = inside.config_for<Number>();
            }));
        }));
        turn();

        CHECK(own == Object{{"a", "outer"}, {"b", "inject"}});
        CHECK(of_child == own);
    }

    // INJ-8
    TEST_CASE_FIXTURE(ContextFixture, "an empty config adds no layer") {
        root.provide(std::make_shared<Number>(1));
        std::size_t layers = 1;
        root.plugin(plugin_of("user", {{"number", Object{}}}, [&](const Context& context) {
            layers = context.intercept_layers("number").size();
        }));
        turn();

        CHECK(layers == 0);
    }

    // INJ-1
    TEST_CASE("a name that is given twice counts once") {
        Inject inject{"a", {"b", Object{{"x", 1}}}, "a"};
        inject.add(Injection{"b", Object{{"y", 2}}});

        CHECK(inject.names() == Lines{"a", "b"});
        CHECK(inject.begin()[1].config == Object{{"x", 1}, {"y", 2}});
        CHECK(inject.contains("a"));
        CHECK(!inject.contains("x"));
        CHECK(Inject{}.empty());
    }
}

TEST_SUITE("Context::extend()") {
    // CTX-4, CTX-5
    TEST_CASE_FIXTURE(ContextFixture, "properties reach whatever starts beneath, until shadowed") {
        const Context outer = root.extend<Owner>("outer");
        const Context inner = outer.extend<Owner>("inner");
        CHECK(root.property<Owner>() == nullptr);
        CHECK(*outer.property<Owner>() == "outer");
        CHECK(*inner.property<Owner>() == "inner");

        outer.plugin(plugin_of("p", {}, [&](const Context& context) {
            note("{}", *context.property<Owner>());
            context.plugin(plugin_of("child", {}, [&](const Context& inside) {
                note("{}", *inside.property<Owner>());
            }));
            context.extend<Owner>("own").plugin(plugin_of("c", {}, [&](const Context& inside) {
                note("{}", *inside.property<Owner>());
            }));
        }));
        turn();

        CHECK(trace == Lines{"outer", "outer", "own"});
    }

    // CTX-4
    TEST_CASE_FIXTURE(ContextFixture, "keeps scope and layers") {
        const Context inside = root.isolate("number").intercept("number", Object{{"a", 1}});
        inside.provide(std::make_shared<Number>(7));

        const Context extended = inside.extend<Owner>("me");

        CHECK(extended.get<Number>()->value == 7);
        CHECK(extended.config_for<Number>() == Object{{"a", 1}});
    }

    // CTX-21
    TEST_CASE_FIXTURE(
        ContextFixture, "a base for relative specifiers is a property of the subtree"
    ) {
        const Context tree = root.extend<BaseUrl>("file:///srv/app/");

        CHECK(root.property<BaseUrl>() == nullptr);
        CHECK(*tree.isolate("number").property<BaseUrl>() == "file:///srv/app/");
    }
}
