#include <cordon/base/aggregate_error.hpp>
#include <cordon/base/text.hpp>

#include <fmt/format.h>

namespace cordon {
namespace {

std::string text_of(std::string_view subject, const std::vector<std::exception_ptr>& failures) {
    std::vector<std::string> messages;
    messages.reserve(failures.size());
    for (const std::exception_ptr& failure : failures) {
        messages.push_back(message_of(failure));
    }
    return fmt::format(
        "{} {} in {}: {}",
        failures.size(),
        failures.size() == 1 ? "failure" : "failures",
        subject,
        join(messages, "; ")
    );
}

}  // namespace

AggregateError::AggregateError(
    std::string_view subject, const std::vector<std::exception_ptr>& failures
)
    : Error(text_of(subject, failures), "AGGREGATE") {
    errors_.reserve(failures.size());
    for (const std::exception_ptr& failure : failures) {
        errors_.push_back(as_cause(failure));
    }
}

AggregateError::~AggregateError() = default;

}  // namespace cordon
