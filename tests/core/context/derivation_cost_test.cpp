// Deriving a context is measured in what it allocates, which does not depend on how busy the
// machine is.

#include "context_fixture.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include <support/skip.hpp>

// Who looks for races has these operators already, and links statically what we would replace.
#if defined(__SANITIZE_THREAD__)
    #define CORDON_TEST_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
    #if __has_feature(thread_sanitizer)
        #define CORDON_TEST_COUNTS_ALLOCATIONS 0
    #endif
#endif
#ifndef CORDON_TEST_COUNTS_ALLOCATIONS
    #define CORDON_TEST_COUNTS_ALLOCATIONS 1
#endif

#if CORDON_TEST_COUNTS_ALLOCATIONS

namespace {

std::atomic<std::size_t> allocations = 0;
std::atomic<std::size_t> allocated_bytes = 0;

void* allocate(std::size_t size) {
    ++allocations;
    allocated_bytes += size;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc{};
}

}  // namespace

// For the whole test program, libraries included; aligned and array forms end up here or do not
// matter.
void* operator new(std::size_t size) {
    return allocate(size);
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}

namespace {

using namespace cordon;
using namespace cordon::testing;

struct Cost {
    std::size_t allocations = 0;
    std::size_t bytes = 0;

    friend bool operator==(const Cost&, const Cost&) = default;
};

Cost cost_of_deriving(const Context& context) {
    const Cost before{allocations, allocated_bytes};
    const Context derived = context.isolate("number", "realm").intercept("number", Object{});
    return Cost{allocations - before.allocations, allocated_bytes - before.bytes};
}

TEST_SUITE("Context: what deriving one costs") {
    // CTX-23
    TEST_CASE_FIXTURE(ContextFixture, "the override, however large and deep the tree is") {
        const Cost small = cost_of_deriving(root);
        CHECK(small.allocations > 0);

        Context deep = root;
        for (int level = 0; level < 1000; ++level) {
            deep = deep.isolate(std::to_string(level), "realm");
        }
        const PluginPtr plugin = plugin_of("p", {"service"});
        for (int fiber = 0; fiber < 1000; ++fiber) {
            deep.plugin(plugin);
            deep.provide("s" + std::to_string(fiber), std::make_shared<Number>(fiber));
        }
        turn();

        CHECK((cost_of_deriving(root) == small));
        CHECK((cost_of_deriving(deep) == small));
    }
}

}  // namespace

#else

TEST_SUITE("Context: what deriving one costs") {
    TEST_CASE("the override, however large and deep the tree is") {
        CORDON_SKIP("the thread sanitizer has an operator new of its own");
    }
}

#endif
