#pragma once

#include <cordon/async/task.hpp>
#include <cordon/async/timeout.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace cordon::testing {

/// Runs `body` (a function that returns a Task) to its end on an io_context of its own and rethrows
/// what it threw. A body that has not ended after `limit` is destroyed and fails the test.
template <typename Body>
void run(Body body, std::chrono::seconds limit = std::chrono::seconds{30}) {
    boost::asio::io_context io;
    std::exception_ptr failure;
    bool ended = false;
    boost::asio::co_spawn(io, body(), [&](const std::exception_ptr& thrown) {
        ended = true;
        failure = thrown;
    });
    io.run_for(limit);
    if (failure) {
        std::rethrow_exception(failure);
    }
    if (!ended) {
        throw std::runtime_error{"the coroutine under test did not end in time"};
    }
}

}  // namespace cordon::testing

#define CORDON_TEST_NAME_(line) cordon_coroutine_test_##line
#define CORDON_TEST_NAME(line) CORDON_TEST_NAME_(line)
#define CORDON_COROUTINE_TEST(text, name) \
    static ::cordon::Task<> name();       \
    TEST_CASE(text) {                     \
        ::cordon::testing::run(&name);    \
    }                                     \
    static ::cordon::Task<> name()

/// A test case whose body is a coroutine: `CO_TEST_CASE("…") { co_await …; }`.
#define CO_TEST_CASE(text) CORDON_COROUTINE_TEST(text, CORDON_TEST_NAME(__LINE__))
