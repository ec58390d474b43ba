#pragma once

#include <cordon/base/unique_fd.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// What can be read from a shared library without running anything in it. Opening a library runs
/// its constructors, and mapping a truncated one ends the process with SIGBUS, so a file is looked
/// at first, every offset in it checked against its size.
class ElfFile {
public:
    /// Errors: `Error` saying what the file is instead of a shared library for this machine.
    explicit ElfFile(std::filesystem::path file);

    /// The content of a section; empty where there is no such section.
    ///
    /// Errors: `Error` where the section does not lie in the file.
    [[nodiscard]] std::optional<std::string> section(std::string_view name) const;

private:
    void open();
    void check_header();
    void check_segments() const;
    [[nodiscard]] std::string read(std::uint64_t offset, std::uint64_t size) const;
    [[noreturn]] void refuse(const std::string& reason) const;

    template <typename T>
    [[nodiscard]] T read_as(std::uint64_t offset) const;
    template <typename T>
    [[nodiscard]] std::vector<T> read_table(std::uint64_t offset, std::size_t count) const;

    std::filesystem::path file_;
    UniqueFd fd_;
    std::uint64_t size_ = 0;
    std::uint64_t segments_at_ = 0;
    std::uint64_t sections_at_ = 0;
    std::uint16_t segment_count_ = 0;
    std::uint16_t section_count_ = 0;
    std::uint16_t names_index_ = 0;
};

}  // namespace cordon
