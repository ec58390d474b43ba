#include <cordon/config/yaml.hpp>
#include <cordon/config/yaml/builder.hpp>
#include <cordon/config/yaml/source.hpp>
#include <cordon/config/yaml/syntax.hpp>

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <istream>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/vfs.h>

namespace cordon {
namespace {

/// Lets yaml-cpp read the text without a copy.
class TextBuffer : public std::streambuf {
public:
    explicit TextBuffer(const std::string& text) {
        char* begin = const_cast<char*>(text.data());  // a get area is only read
        setg(begin, begin, begin + text.size());
    }
};

/// Every problem of the text; `builder` holds its value where there is none.
std::vector<Diagnostic> problems_of(const yaml::Source& source, yaml::Builder& builder) {
    TextBuffer buffer{source.text()};
    std::istream stream{&buffer};
    try {
        YAML::Parser parser{stream};
        while (parser.HandleNextDocument(builder)) {}
    } catch (const YAML::Exception& error) {
        std::vector<Diagnostic> problems;
        if (!yaml::is_unclosed_bracket(error)) {
            problems = builder.problems();
        }
        Diagnostic syntax =
            yaml::syntax_error(source, error, builder.last_offset(), builder.open_bracket());
        const bool is_known = std::any_of(problems.begin(), problems.end(), [&](const auto& known) {
            return known.place.line == syntax.place.line && known.problem == syntax.problem;
        });
        if (!is_known) {
            problems.push_back(std::move(syntax));
        }
        return problems;
    }
    return builder.problems();
}

[[noreturn]] void refuse_file(const std::filesystem::path& file, std::string problem) {
    throw DiagnosticError{Diagnostic{
        Severity::error,
        Place{file.string()},
        {},
        std::move(problem),
        "Check the path and its rights"}};
}

/// A pipe that a shell gives as `/dev/fd/63` is none: it is there with its writer.
bool is_named_fifo(const std::filesystem::path& file) {
    constexpr long kPipeFileSystem = 0x50495045;  // PIPEFS_MAGIC, linux/magic.h

    struct stat status {};

    struct statfs system {};

    return ::stat(file.c_str(), &status) == 0 && S_ISFIFO(status.st_mode) &&
           ::statfs(file.c_str(), &system) == 0 && system.f_type != kPipeFileSystem;
}

}  // namespace

std::optional<Value> parse_yaml(std::string_view text, const std::string& file) {
    const yaml::Source source{text, file};
    yaml::Builder builder{source};
    std::vector<Diagnostic> problems = problems_of(source, builder);
    if (!problems.empty()) {
        throw DiagnosticError{std::move(problems)};
    }
    return builder.take_root();
}

std::optional<Value> read_yaml(const std::filesystem::path& file) {
    std::error_code status_error;
    if (std::filesystem::is_directory(file, status_error)) {
        refuse_file(file, "expected a file, found a folder");
    }
    if (is_named_fifo(file)) {
        // Opening it would wait for a writer, perhaps forever.
        refuse_file(file, "expected a file, found a FIFO");
    }
    errno = 0;
    std::ifstream stream{file, std::ios::binary};
    if (!stream) {
        refuse_file(file, fmt::format("expected a readable file, found: {}", errno_text(errno)));
    }
    // Up to one byte more than allowed, so that parse_yaml sees and refuses a file that is too
    // large. In parts: touching memory for the largest file would cost more than reading an
    // ordinary one.
    std::string text;
    std::array<char, 16384> part{};
    while (stream && text.size() <= kMaxYamlBytes) {
        stream.read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (stream.bad()) {
        refuse_file(file, fmt::format("expected a readable file, found: {}", errno_text(errno)));
    }
    return parse_yaml(text, file.string());
}

}  // namespace cordon
