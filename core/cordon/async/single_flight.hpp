#pragma once

#include <cordon/async/completion.hpp>
#include <cordon/async/shield.hpp>
#include <cordon/async/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/assert.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <utility>

namespace cordon {

/// One piece of work for all who ask for its result at the same time: who asks while it is under
/// way waits for the same result. Nothing is remembered afterwards; keep results yourself.
///
/// Lifetime: `stop()` must have completed before destruction; the destructor asserts it.
/// Threads: every call must come from `strand`.
template <typename T>
class SingleFlight {
public:
    using Work = std::function<Task<T>()>;

    SingleFlight(const boost::asio::any_io_executor& strand, Work work)
        : strand_(strand), work_(std::move(work)) {}

    ~SingleFlight() {
        BOOST_ASSERT_MSG(flights_.empty(), "SingleFlight destroyed before stop() completed");
    }

    SingleFlight(const SingleFlight&) = delete;
    SingleFlight& operator=(const SingleFlight&) = delete;

    /// The result of the work under way, which is started where there is none.
    ///
    /// Cancellation: ends this caller's wait at once. The work goes on for the others; with the
    /// last of them gone it is cancelled, and whoever asks next starts anew. Errors: what the work
    /// threw, to everybody who waits.
    [[nodiscard]] Task<T> join() {
        BOOST_ASSERT_MSG(!stopping_, "SingleFlight::join() called after stop()");
        if (!current_) {
            take_off();
        }
        const FlightPtr flight = current_;
        const Seat seat{*this, flight};
        co_await flight->landed.wait();
        if (flight->failure) {
            std::rethrow_exception(flight->failure);
        }
        co_return *flight->result;
    }

    /// Cancels the work under way and completes once it has ended. Safe to call again.
    [[nodiscard]] Task<> stop() {
        stopping_ = true;
        current_ = nullptr;
        const std::list<FlightPtr> flights = flights_;
        for (const FlightPtr& flight : flights) {
            flight->cancel.emit(boost::asio::cancellation_type::terminal);
        }
        for (const FlightPtr& flight : flights) {
            co_await shield(strand_, flight->landed.wait());
        }
    }

private:
    struct Flight {
        explicit Flight(const boost::asio::any_io_executor& strand) : landed(strand) {}

        Completion landed;
        boost::asio::cancellation_signal cancel;
        std::size_t passengers = 0;
        std::optional<T> result;
        std::exception_ptr failure;
    };

    using FlightPtr = std::shared_ptr<Flight>;

    /// A caller that waits. The owner may be gone once the flight has landed.
    class Seat {
    public:
        Seat(SingleFlight& owner, FlightPtr flight) : owner_(owner), flight_(std::move(flight)) {
            ++flight_->passengers;
        }

        ~Seat() {
            if (--flight_->passengers == 0 && !flight_->landed.is_complete()) {
                owner_.abandon(flight_);
            }
        }

        Seat(const Seat&) = delete;
        Seat& operator=(const Seat&) = delete;

    private:
        SingleFlight& owner_;
        FlightPtr flight_;
    };

    static Task<> fly(Work work, FlightPtr flight) {
        T result = co_await work();
        flight->result.emplace(std::move(result));
    }

    void take_off() {
        const FlightPtr flight = std::make_shared<Flight>(strand_);
        flights_.push_back(flight);
        current_ = flight;
        auto on_end = [this, flight](const std::exception_ptr& failure) {
            flight->failure = failure;
            flights_.remove(flight);
            if (current_ == flight) {
                current_ = nullptr;
            }
            flight->landed.complete();
        };
        boost::asio::co_spawn(
            strand_,
            fly(work_, flight),
            boost::asio::bind_cancellation_slot(
                flight->cancel.slot(), boost::asio::bind_executor(strand_, std::move(on_end))
            )
        );
    }

    void abandon(const FlightPtr& flight) {
        if (current_ == flight) {
            current_ = nullptr;
        }
        flight->cancel.emit(boost::asio::cancellation_type::terminal);
    }

    boost::asio::any_io_executor strand_;
    Work work_;
    FlightPtr current_;
    std::list<FlightPtr> flights_;
    bool stopping_ = false;
};

}  // namespace cordon
