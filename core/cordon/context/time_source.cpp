#include <cordon/context/time_source.hpp>

#include <boost/asio/steady_timer.hpp>

#include <utility>

namespace cordon {

namespace asio = boost::asio;

TimeSource::Alarm::~Alarm() = default;
TimeSource::~TimeSource() = default;

namespace {

class SteadyAlarm final : public TimeSource::Alarm {
public:
    SteadyAlarm(
        const asio::any_io_executor& strand,
        TimeSource::Clock::time_point due,
        std::function<void()> ring
    )
        : timer_(strand, due), is_set_(std::make_shared<bool>(true)) {
        // A timer that has expired is not stopped by its destruction any more.
        timer_.async_wait([is_set = is_set_,
                           ring = std::move(ring)](const boost::system::error_code& ended) {
            if (!ended && *is_set) {
                ring();
            }
        });
    }

    ~SteadyAlarm() override { *is_set_ = false; }

private:
    asio::steady_timer timer_;
    std::shared_ptr<bool> is_set_;
};

class SteadyTime final : public TimeSource {
public:
    explicit SteadyTime(asio::any_io_executor strand) : strand_(std::move(strand)) {}

    [[nodiscard]] Clock::time_point now() const override { return Clock::now(); }

    [[nodiscard]] std::unique_ptr<Alarm> set(Clock::time_point due, std::function<void()> ring)
        override {
        return std::make_unique<SteadyAlarm>(strand_, due, std::move(ring));
    }

private:
    asio::any_io_executor strand_;
};

}  // namespace

std::shared_ptr<TimeSource> steady_time(const asio::any_io_executor& strand) {
    return std::make_shared<SteadyTime>(strand);
}

}  // namespace cordon
