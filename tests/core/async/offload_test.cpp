#include <cordon/async/offload.hpp>

#include <stdexcept>
#include <thread>

#include <support/coroutine.hpp>

TEST_SUITE("offload") {
    CO_TEST_CASE("runs the function on another thread and comes back") {
        const auto here = std::this_thread::get_id();
        const auto get_id = [] {
            return std::this_thread::get_id();
        };
        const auto there = co_await cordon::offload(get_id);
        CHECK(there != here);
        CHECK(std::this_thread::get_id() == here);
    }

    CO_TEST_CASE("what the function throws comes out") {
        bool caught = false;
        const auto fail = []() -> int {
            throw std::runtime_error{"broken"};
        };
        try {
            co_await cordon::offload(fail);
        } catch (const std::runtime_error&) {
            caught = true;
        }
        CHECK(caught);
    }
}
