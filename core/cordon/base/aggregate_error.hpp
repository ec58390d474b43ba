#pragma once

#include <cordon/base/error.hpp>
#include <cordon/base/export.hpp>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Several failures of one operation that went on after each of them. The message names all of
/// them: `2 failures in SUBJECT: first; second`.
class CORDON_API AggregateError : public Error {
public:
    /// Precondition: `failures` are not null.
    AggregateError(std::string_view subject, const std::vector<std::exception_ptr>& failures);
    AggregateError(const AggregateError&) = default;
    AggregateError& operator=(const AggregateError&) = default;
    ~AggregateError() override;

    /// In the order in which the operation works, which need not be that of their happening.
    [[nodiscard]] const std::vector<std::shared_ptr<const Error>>& errors() const noexcept {
        return errors_;
    }

private:
    std::vector<std::shared_ptr<const Error>> errors_;
};

}  // namespace cordon
