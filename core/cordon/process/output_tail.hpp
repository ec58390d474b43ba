#pragma once

#include <cordon/base/export.hpp>
#include <cordon/process/subprocess.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cordon {

/// The last bytes of a stream, exactly as many as asked for, however they arrive (spec SU-30).
/// Memory stays below twice the limit plus one chunk; the time is linear in the stream.
class CORDON_API OutputTail {
public:
    explicit OutputTail(std::size_t max_bytes);

    void append(std::string_view bytes);

    /// Bytes of the whole stream so far.
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

    /// What is kept, as text. A character that the cut at the front went through is left out (spec
    /// SU-40), bytes that are not UTF-8 are replaced by U+FFFD.
    [[nodiscard]] CollectedOutput collected() const;

private:
    std::size_t max_bytes_;
    std::uint64_t total_ = 0;
    std::string kept_;
};

/// `bytes` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD.
[[nodiscard]] CORDON_API std::string replace_invalid_utf8(std::string_view bytes);

}  // namespace cordon
