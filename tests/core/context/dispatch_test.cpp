#include "context_fixture.hpp"

#include <cordon/async/completion.hpp>
#include <cordon/async/task_group.hpp>
#include <cordon/base/aggregate_error.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

struct Warmed {
    static constexpr std::string_view name = "dispatch-test/warmed";
    static constexpr Dispatch mode = Dispatch::parallel;
    using Signature = Task<>(const std::string& what);
};

struct Asked {
    static constexpr std::string_view name = "dispatch-test/asked";
    static constexpr Dispatch mode = Dispatch::serial;
    using Signature = Task<std::optional<int>>(const std::string& what);
};

struct Looked {
    static constexpr std::string_view name = "dispatch-test/looked";
    static constexpr Dispatch mode = Dispatch::bail;
    using Signature = std::optional<std::string>(int number);
};

struct Permitted {
    static constexpr std::string_view name = "dispatch-test/permitted";
    static constexpr Dispatch mode = Dispatch::bail;
    using Signature = bool();
};

struct Rendered {
    static constexpr std::string_view name = "dispatch-test/rendered";
    static constexpr Dispatch mode = Dispatch::waterfall;
    using Signature = std::string(std::string& text, int depth);
};

struct Decided {
    static constexpr std::string_view name = "dispatch-test/decided";
    static constexpr Dispatch mode = Dispatch::waterfall;
    using Signature = Task<int>(const std::string& question);
};

Task<> note_after(std::vector<std::string>* trace, std::string line, Completion gate) {
    trace->push_back("start " + line);
    co_await gate.wait();
    trace->push_back(line);
}

Task<> fail_after(Completion gate, std::string text) {
    co_await gate.wait();
    throw std::runtime_error{text};
}

Task<std::optional<int>> answer(std::optional<int> value) {
    co_return value;
}

Task<std::optional<int>> answer_after(Completion gate) {
    co_await gate.wait();
    co_return std::nullopt;
}

template <typename T>
Task<> keep(Task<T> task, T* result) {
    *result = co_await std::move(task);
}

Task<int> add_to(Next<Task<int>> next, int number, Completion gate) {
    co_await gate.wait();
    const int rest = co_await next();
    co_return rest + number;
}

Task<int> number_of(int number) {
    co_return number;
}

Task<int> twice(Next<Task<int>> next) {
    const int first = co_await next();
    const int second = co_await next();
    co_return first + second;
}

class DispatchFixture : public ContextFixture {
public:
    Completion gate{io.get_executor()};

    void open_gate() {
        gate.complete();
        turn();
    }
};

}  // namespace

TEST_SUITE("Context::parallel()") {
    // EVT-17
    TEST_CASE_FIXTURE(DispatchFixture, "starts all listeners in one turn and waits for all") {
        for (const char* name : {"a", "b"}) {
            root.on<Warmed>([&, name](const std::string& what) {
                return note_after(&trace, name + (" " + what), gate);
            });
        }
        const auto dispatch = start(root.parallel<Warmed>("up"));
        turn();
        CHECK(trace == Lines{"start a up", "start b up"});
        CHECK_FALSE(dispatch->ended);

        open_gate();

        CHECK(trace == Lines{"start a up", "start b up", "a up", "b up"});
        CHECK(dispatch->ended);
        CHECK(dispatch->failure == nullptr);
    }

    // EVT-17
    TEST_CASE_FIXTURE(DispatchFixture, "collects all errors in the order of the listeners") {
        root.on<Warmed>([&](const std::string&) { return fail_after(gate, "late"); });
        root.on<Warmed>([](const std::string&) -> Task<> { throw std::runtime_error{"at once"}; });
        root.on<Warmed>([&](const std::string&) { return note_after(&trace, "fine", gate); });
        const auto dispatch = start(root.parallel<Warmed>("up"));
        turn();
        open_gate();

        CHECK(trace == Lines{"start fine", "fine"});
        CHECK_THROWS_WITH_AS(
            std::rethrow_exception(dispatch->failure),
            "2 failures in the listeners of 'dispatch-test/warmed': late; at once",
            AggregateError
        );
    }

    // EVT-21
    TEST_CASE_FIXTURE(DispatchFixture, "without listeners it completes") {
        await(root.parallel<Warmed>("up"));
    }

    TEST_CASE_FIXTURE(DispatchFixture, "a cancelled dispatch cancels its listeners") {
        root.on<Warmed>([&](const std::string&) { return note_after(&trace, "fine", gate); });
        boost::asio::cancellation_signal cancel;
        std::exception_ptr failure;
        auto on_end = [&](const std::exception_ptr& thrown) {
            failure = thrown;
        };
        boost::asio::co_spawn(
            container.strand(),
            root.parallel<Warmed>("up"),
            boost::asio::bind_cancellation_slot(cancel.slot(), std::move(on_end))
        );
        turn();
        cancel.emit(boost::asio::cancellation_type::terminal);
        turn();

        REQUIRE(failure != nullptr);
        CHECK(is_cancellation(failure));
        CHECK(trace == Lines{"start fine"});
    }
}

TEST_SUITE("Context::serial()") {
    // EVT-18
    TEST_CASE_FIXTURE(DispatchFixture, "awaits one after the other up to the first bail value") {
        root.on<Asked>([&](const std::string&) {
            note("first");
            return answer_after(gate);
        });
        root.on<Asked>([&](const std::string& what) {
            note("second {}", what);
            return answer(0);
        });
        root.on<Asked>([&](const std::string&) {
            note("third");
            return answer(1);
        });
        std::optional<int> result;
        start(keep(root.serial<Asked>("who"), &result));
        turn();
        CHECK(trace == Lines{"first"});

        open_gate();

        CHECK(trace == Lines{"first", "second who"});
        CHECK(result == 0);  // EVT-20: 0 is a value
    }

    // EVT-18
    TEST_CASE_FIXTURE(DispatchFixture, "an error stops it and comes out as an Error") {
        root.on<Asked>([](const std::string&) -> Task<std::optional<int>> { throw 7; });
        root.on<Asked>([&](const std::string&) {
            note("second");
            return answer(1);
        });
        std::optional<int> result;
        const auto dispatch = start(keep(root.serial<Asked>("who"), &result));
        turn();

        CHECK_THROWS_WITH_AS(std::rethrow_exception(dispatch->failure), "7", Error);
        CHECK(trace.empty());
    }

    // EVT-9, DIF-8, PIT-23
    TEST_CASE_FIXTURE(DispatchFixture, "a listener that goes between two awaits is not called") {
        root.on<Asked>([&](const std::string&) { return answer_after(gate); });
        const Effect second = root.on<Asked>([&](const std::string&) {
            note("second");
            return answer(1);
        });
        std::optional<int> result = 5;
        start(keep(root.serial<Asked>("who"), &result));
        turn();

        second.request_dispose();
        root.on<Asked>([&](const std::string&) {
            note("late");
            return answer(2);
        });
        open_gate();

        CHECK(trace.empty());
        CHECK(result == std::nullopt);  // EVT-21
    }
}

TEST_SUITE("Context::bail()") {
    // EVT-19, EVT-20
    TEST_CASE_FIXTURE(DispatchFixture, "returns the first value, an empty text too") {
        root.on<Looked>([&](int) -> std::optional<std::string> {
            note("first");
            return std::nullopt;
        });
        root.on<Looked>([&](int number) -> std::optional<std::string> {
            note("second {}", number);
            return "";
        });
        root.on<Looked>([&](int) -> std::optional<std::string> {
            note("third");
            return "x";
        });

        CHECK(root.bail<Looked>(3) == "");
        CHECK(trace == Lines{"first", "second 3"});
    }

    // EVT-20, EVT-21
    TEST_CASE_FIXTURE(DispatchFixture, "false is nothing, and so are no listeners") {
        CHECK_FALSE(root.bail<Permitted>());
        CHECK(root.bail<Looked>(1) == std::nullopt);

        root.on<Permitted>([&] {
            note("asked");
            return false;
        });
        CHECK_FALSE(root.bail<Permitted>());
        root.on<Permitted>([] { return true; });
        CHECK(root.bail<Permitted>());
        CHECK(trace == Lines{"asked", "asked"});
    }

    // EVT-19
    TEST_CASE_FIXTURE(DispatchFixture, "an error stops it") {
        root.on<Looked>([](int) -> std::optional<std::string> { throw std::runtime_error{"no"}; });
        root.on<Looked>([](int) -> std::optional<std::string> { return "x"; });

        CHECK_THROWS_WITH_AS(root.bail<Looked>(1), "no", Error);
    }
}

TEST_SUITE("Context::waterfall()") {
    // EVT-22, EVT-23
    TEST_CASE_FIXTURE(
        DispatchFixture, "wraps the innermost function in one listener after another"
    ) {
        root.on<Rendered>([](std::string& text, int depth, const Next<std::string>& next) {
            text += "!";
            return fmt::format("[{} {}]", depth, next());
        });
        root.on<Rendered>([](std::string& text, int, const Next<std::string>& next) {
            text += "?";
            return "<" + next() + ">";
        });
        std::string text = "hi";

        const std::string result = root.waterfall<Rendered>(
            text, 2, [](const std::string& shared, int) { return shared; }
        );

        CHECK(result == "[2 <hi!?>]");
        CHECK(text == "hi!?");
    }

    // EVT-26
    TEST_CASE_FIXTURE(DispatchFixture, "without listeners it is a call of the innermost function") {
        std::string text = "hi";
        CHECK(root.waterfall<Rendered>(text, 0, [] { return "inner"; }) == "inner");
    }

    // EVT-22
    TEST_CASE_FIXTURE(DispatchFixture, "a listener that does not go on stands for the rest") {
        root.on<Rendered>([](std::string&, int, const Next<std::string>&) { return "mine"; });
        root.on<Rendered>([&](std::string&, int, const Next<std::string>& next) {
            note("second");
            return next();
        });
        std::string text;

        CHECK(root.waterfall<Rendered>(text, 0, [] { return "inner"; }) == "mine");
        CHECK(trace.empty());
    }

    // EVT-24, DIF-30
    TEST_CASE_FIXTURE(DispatchFixture, "DIF-30: a second call of next is refused") {
        root.on<Rendered>([](std::string&, int, const Next<std::string>& next) {
            return next() + next();
        });
        std::string text;
        const auto render = [&] {
            root.waterfall<Rendered>(text, 0, [&] {
                note("inner");
                return "x";
            });
        };

        CHECK(code_of(render) == "NEXT_REUSED");
        CHECK(
            failure_of(render) ==
            "a listener of 'dispatch-test/rendered' called next() a second time. The rest of a "
            "chain runs once; keep the result of the first call."
        );
        CHECK(trace == Lines{"inner", "inner"});
    }

    // EVT-25
    TEST_CASE_FIXTURE(DispatchFixture, "an outer listener may catch what an inner one throws") {
        root.on<Rendered>([](std::string&, int, const Next<std::string>& next) -> std::string {
            try {
                return next();
            } catch (const Error& error) {
                return error.message();
            }
        });
        root.on<Rendered>([](std::string&, int, const Next<std::string>&) -> std::string {
            throw 7;
        });
        std::string text;

        CHECK(root.waterfall<Rendered>(text, 0, [] { return "inner"; }) == "7");
    }

    // EVT-27
    TEST_CASE_FIXTURE(DispatchFixture, "a chain of tasks keeps its arguments until it has ended") {
        root.on<Decided>([&](const std::string& question, Next<Task<int>> next) {
            note("{}", question);
            return add_to(std::move(next), 1, gate);
        });
        root.on<Decided>([&](const std::string& question, Next<Task<int>> next) {
            note("{}", question);
            return add_to(std::move(next), 10, gate);
        });
        int result = 0;
        {
            const std::string question = "a question that is too long for the small buffer";
            start(keep(root.waterfall<Decided>(question, [] { return number_of(100); }), &result));
        }
        turn();
        open_gate();

        CHECK(result == 111);
        CHECK(trace.size() == 2);
        CHECK(trace.at(1) == "a question that is too long for the small buffer");
    }

    // DIF-30
    TEST_CASE_FIXTURE(DispatchFixture, "a task may go on once, too") {
        root.on<Decided>([](const std::string&, Next<Task<int>> next) {
            return twice(std::move(next));
        });
        int result = 0;
        const auto dispatch =
            start(keep(root.waterfall<Decided>("", [] { return number_of(1); }), &result));
        turn();

        REQUIRE(dispatch->failure != nullptr);
        CHECK(code_of([&] { std::rethrow_exception(dispatch->failure); }) == "NEXT_REUSED");
    }

    // EVT-9, DIF-8
    TEST_CASE_FIXTURE(DispatchFixture, "a listener that goes before its turn is not in the chain") {
        Effect second;
        root.on<Rendered>([&](std::string&, int, const Next<std::string>& next) {
            second.request_dispose();
            return next();
        });
        second =
            root.on<Rendered>([](std::string&, int, const Next<std::string>&) { return "second"; });
        std::string text;

        CHECK(root.waterfall<Rendered>(text, 0, [] { return "inner"; }) == "inner");
    }
}
