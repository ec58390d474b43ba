#include <cordon/async/completion.hpp>
#include <cordon/async/start_all.hpp>
#include <cordon/async/task_group.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;

namespace {

namespace asio = boost::asio;

using Log = std::vector<std::string>;

Task<> note_around(Log* log, std::string name, Completion gate) {
    log->push_back(name + " begins");
    co_await gate.wait();
    log->push_back(name + " ends");
}

struct StartAllFixture {
    asio::io_context io;
    Completion gate{io.get_executor()};
    Log log;
    asio::cancellation_signal cancel;
    bool ended = false;
    std::exception_ptr failure;
    std::vector<std::exception_ptr> results;

    static Task<> collect(std::vector<Starter> starters, std::vector<std::exception_ptr>* results) {
        *results = co_await start_all(std::move(starters));
    }

    Starter noting(std::string name) {
        return [this, name] {
            return note_around(&log, name, gate);
        };
    }

    void start(std::vector<Starter> starters) {
        auto on_end = [this](const std::exception_ptr& thrown) {
            ended = true;
            failure = thrown;
        };
        asio::co_spawn(
            io,
            collect(std::move(starters), &results),
            asio::bind_cancellation_slot(cancel.slot(), std::move(on_end))
        );
        io.poll();
    }

    void turn() {
        io.restart();
        io.poll();
    }
};

}  // namespace

TEST_SUITE("start_all()") {
    TEST_CASE_FIXTURE(StartAllFixture, "starts in order and waits for the last, whatever fails") {
        std::vector<Starter> starters{noting("a"), noting("c")};
        starters.insert(starters.begin() + 1, []() -> Task<> { throw std::runtime_error{"b"}; });
        start(std::move(starters));
        CHECK(log == Log{"a begins", "c begins"});
        CHECK_FALSE(ended);

        gate.complete();
        turn();

        CHECK(ended);
        REQUIRE(results.size() == 3);
        CHECK(results[0] == nullptr);
        CHECK_THROWS_WITH(std::rethrow_exception(results[1]), "b");
        CHECK(results[2] == nullptr);
    }

    TEST_CASE_FIXTURE(StartAllFixture, "with nothing to start it returns at once") {
        start({});

        CHECK(ended);
        CHECK(results.empty());
    }

    TEST_CASE_FIXTURE(StartAllFixture, "a cancellation reaches all and is waited out") {
        start({noting("a"), noting("b")});

        cancel.emit(asio::cancellation_type::terminal);
        turn();

        CHECK(ended);
        REQUIRE(failure != nullptr);
        CHECK(is_cancellation(failure));
        CHECK(log == Log{"a begins", "b begins"});
    }
}
