#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace cordon::launch {

/// A thread of the command that waits for an answer. What it says is copied once and never looked
/// at again in its memory, which its siblings may change meanwhile.
class Requester {
public:
    explicit Requester(pid_t thread) noexcept : thread_(thread) {}

    /// Reads who it is. False where it is gone.
    [[nodiscard]] bool look();

    /// It acts as the user that we are: nothing is lent to one that has become somebody else.
    [[nodiscard]] bool acts_as_we_do() const noexcept;

    /// Copies `size` bytes; 0 or -EFAULT.
    [[nodiscard]] long read(void* target, std::uint64_t source, std::size_t size) const;

    /// Copies a text with its end; 0, -EFAULT, or -ENAMETOOLONG.
    [[nodiscard]] long read_text(char* target, std::size_t capacity, std::uint64_t source) const;

    /// A copy of one of its descriptors, or a negative error number.
    [[nodiscard]] long descriptor(int number) const;

    /// Its root or working directory, opened as a path.
    [[nodiscard]] long root() const;
    [[nodiscard]] long workdir() const;

private:
    [[nodiscard]] long open_link(const char* name) const;

    pid_t thread_;
    long process_ = 0;
    long file_system_user_ = -1;
    long file_system_group_ = -1;
};

}  // namespace cordon::launch
