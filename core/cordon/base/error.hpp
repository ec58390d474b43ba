#pragma once

#include <cordon/base/export.hpp>

#include <exception>
#include <memory>
#include <string>
#include <string_view>

namespace cordon {

/// Every failure that crosses a room or plugin border: a stable `code` for programs, a message for
/// people, and the failure that caused it.
///
/// Lifetime: owns all its text, so it may outlive the plugin in which the failure arose.
/// Threads: immutable; copies share the cause.
class CORDON_API Error : public std::exception {
public:
    /// `code` is upper case with underscores (`SANDBOX_UNAVAILABLE`), or empty where no caller
    /// could act on one.
    explicit Error(
        std::string message, std::string code = {}, std::shared_ptr<const Error> cause = nullptr
    );
    Error(const Error&) = default;
    Error& operator=(const Error&) = default;
    ~Error() override;

    [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

    [[nodiscard]] const std::string& message() const noexcept { return message_; }

    [[nodiscard]] const std::string& code() const noexcept { return code_; }

    /// Null where this is the root cause.
    [[nodiscard]] const Error* cause() const noexcept { return cause_.get(); }

    /// The last error of the chain, which is this one where it has no cause.
    [[nodiscard]] const Error& deepest() const noexcept;

private:
    std::string message_;
    std::string code_;
    std::shared_ptr<const Error> cause_;
};

/// The error as an `Error` of libcordon: unchanged where it is one already, else a new one with a
/// copy of its text. Use it wherever an exception leaves a plugin (spec DIF-32). An exception that
/// is no `std::exception` becomes `exception of type '…'` (spec FIB-17).
///
/// Precondition: `failure` is not null.
[[nodiscard]] CORDON_API std::exception_ptr as_error(const std::exception_ptr& failure) noexcept;

/// A shared copy for use as a cause. Keeps code, message and causes, not the dynamic type.
[[nodiscard]] CORDON_API std::shared_ptr<const Error> as_cause(const std::exception_ptr& failure);

/// The message of any exception, for texts that embed it.
[[nodiscard]] CORDON_API std::string message_of(const std::exception_ptr& failure);

/// `Permission denied (EACCES)` for a value of errno.
[[nodiscard]] CORDON_API std::string errno_text(int error);

/// A failed system call: `open '/etc/x': Permission denied (EACCES)`, code `SYSTEM_ERROR`.
[[nodiscard]] CORDON_API Error
system_error(std::string_view call, std::string_view subject, int error);

}  // namespace cordon
