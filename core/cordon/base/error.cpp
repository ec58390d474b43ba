#include <cordon/base/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include <cxxabi.h>
#include <string.h>

namespace cordon {
namespace {

std::string current_exception_type() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    if (type == nullptr) {
        return "unknown";
    }
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name{
        abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free};
    return status == 0 ? name.get() : type->name();
}

}  // namespace

Error::Error(std::string message, std::string code, std::shared_ptr<const Error> cause)
    : message_(std::move(message)), code_(std::move(code)), cause_(std::move(cause)) {}

Error::~Error() = default;

const Error& Error::deepest() const noexcept {
    const Error* error = this;
    while (error->cause() != nullptr) {
        error = error->cause();
    }
    return *error;
}

std::exception_ptr as_error(const std::exception_ptr& failure) noexcept {
    try {
        std::rethrow_exception(failure);
    } catch (const Error&) {
        return failure;
    } catch (...) {
        return std::make_exception_ptr(Error{message_of(std::current_exception())});
    }
}

std::shared_ptr<const Error> as_cause(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(as_error(failure));
    } catch (const Error& error) {
        return std::make_shared<const Error>(error);
    }
}

std::string message_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return error.what();
    } catch (const std::string& text) {
        return text;
    } catch (const char* text) {
        return text;
    } catch (int number) {
        return std::to_string(number);
    } catch (...) {
        return fmt::format("exception of type '{}'", current_exception_type());
    }
}

std::string errno_text(int error) {
    const char* text = strerrordesc_np(error);
    const char* name = strerrorname_np(error);
    if (text == nullptr || name == nullptr) {
        return fmt::format("unknown error {}", error);
    }
    return fmt::format("{} ({})", text, name);
}

Error system_error(std::string_view call, std::string_view subject, int error) {
    return Error{fmt::format("{} '{}': {}", call, subject, errno_text(error)), "SYSTEM_ERROR"};
}

}  // namespace cordon
