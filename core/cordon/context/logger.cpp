#include "container_core.hpp"

#include <cordon/base/aggregate_error.hpp>
#include <cordon/context/logger.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon {
namespace {

bool is_upper(char sign) {
    return sign >= 'A' && sign <= 'Z';
}

bool is_lower(char sign) {
    return (sign >= 'a' && sign <= 'z') || (sign >= '0' && sign <= '9');
}

char lowered(char sign) {
    return is_upper(sign) ? static_cast<char>(sign - 'A' + 'a') : sign;
}

/// Whether a word begins at a capital letter: behind a small one, or before one in `HTTPServer`.
bool begins_word(std::string_view name, std::size_t index) {
    if (index == 0 || !is_upper(name[index])) {
        return false;
    }
    const bool ends_acronym =
        is_upper(name[index - 1]) && index + 1 < name.size() && is_lower(name[index + 1]);
    return is_lower(name[index - 1]) || ends_acronym;
}

}  // namespace

Logger::Logger(std::shared_ptr<ContainerCore> core, Identity identity)
    : core_(std::move(core)), identity_(std::move(identity)) {}

void Logger::log(LogLevel level, std::string_view text) const noexcept {
    core_->log.write(LogCall{level, identity_}, [text] { return std::string{text}; });
}

void Logger::write(LogLevel level, fmt::string_view format, fmt::format_args arguments)
    const noexcept {
    core_->log.write(LogCall{level, identity_}, [&] { return fmt::vformat(format, arguments); });
}

void Logger::say(LogLevel level, const std::exception_ptr& failure) const noexcept {
    try {
        std::rethrow_exception(as_error(failure));
    } catch (const Error& error) {
        say(level, error);
    }
}

void Logger::say(LogLevel level, const Error& failure) const noexcept {
    if (const auto* several = dynamic_cast<const AggregateError*>(&failure)) {
        for (const auto& error : several->errors()) {
            say(level, *error);
        }
        return;
    }
    if (failure.cause() != nullptr) {
        say(level, *failure.cause());
    }
    log(level, failure.message());
}

std::string hyphenated(std::string_view name) {
    std::string result;
    result.reserve(name.size() + 2);
    for (std::size_t index = 0; index < name.size(); ++index) {
        if (begins_word(name, index)) {
            result += '-';
        }
        const bool is_separator = name[index] == '_' || name[index] == ' ';
        result += is_separator ? '-' : lowered(name[index]);
    }
    return result;
}

}  // namespace cordon
