#include <cordon/base/error.hpp>
#include <cordon/loader/elf.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <type_traits>
#include <utility>

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cordon {
namespace {

/// Larger sections are none of ours.
constexpr std::uint64_t kLongestRead = 1024 * 1024;

#if defined(__x86_64__)
constexpr std::uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t kMachine = EM_AARCH64;
#else
    #error "the ELF machine number of this architecture is not known here"
#endif

std::string machine_name(std::uint16_t machine) {
    switch (machine) {
        case EM_X86_64:
            return "x86-64";
        case EM_AARCH64:
            return "AArch64";
        case EM_386:
            return "32-bit x86";
        case EM_ARM:
            return "32-bit ARM";
        case EM_RISCV:
            return "RISC-V";
        default:
            return fmt::format("machine {}", machine);
    }
}

}  // namespace

ElfFile::ElfFile(std::filesystem::path file) : file_(std::move(file)) {
    open();
    check_header();
    check_segments();
}

void ElfFile::refuse(const std::string& reason) const {
    throw Error{fmt::format("'{}' {}", file_.string(), reason), "PLUGIN_INVALID"};
}

void ElfFile::open() {
    // Without O_NONBLOCK, opening a FIFO waits for its writer.
    fd_ = UniqueFd{::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (!fd_) {
        refuse("cannot be opened: " + errno_text(errno));
    }

    struct stat status {};

    if (::fstat(fd_.get(), &status) != 0) {
        refuse("cannot be examined: " + errno_text(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        refuse("is a directory, not a plugin library");
    }
    if (!S_ISREG(status.st_mode)) {
        refuse("is no regular file");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
}

std::string ElfFile::read(std::uint64_t offset, std::uint64_t size) const {
    if (size > kLongestRead || offset > size_ || size > size_ - offset) {
        refuse("is damaged: its tables point outside the file; it may be truncated");
    }
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::pread(
            fd_.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done)
        );
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            refuse(count == 0 ? "became shorter while it was read" : errno_text(errno));
        }
        done += static_cast<std::size_t>(count);
    }
    return bytes;
}

template <typename T>
T ElfFile::read_as(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const std::string bytes = read(offset, sizeof(T));
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

template <typename T>
std::vector<T> ElfFile::read_table(std::uint64_t offset, std::size_t count) const {
    std::vector<T> table(count);
    const std::string bytes = read(offset, count * sizeof(T));
    std::memcpy(table.data(), bytes.data(), bytes.size());
    return table;
}

void ElfFile::check_header() {
    if (size_ < SELFMAG || read(0, SELFMAG) != std::string_view{ELFMAG, SELFMAG}) {
        refuse("is no shared library (it is no ELF file)");
    }
    if (size_ < sizeof(Elf64_Ehdr)) {
        refuse("is damaged: it is truncated");
    }
    const auto header = read_as<Elf64_Ehdr>(0);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != kMachine) {
        refuse(fmt::format(
            "is built for {}, this is {}", machine_name(header.e_machine), machine_name(kMachine)
        ));
    }
    if (header.e_type != ET_DYN) {
        refuse("is no shared library (it is an ELF file of another type)");
    }
    if (header.e_phentsize != sizeof(Elf64_Phdr) ||
        (header.e_shnum > 0 && header.e_shentsize != sizeof(Elf64_Shdr))) {
        refuse("is damaged: its header is not that of an ELF library");
    }
    segments_at_ = header.e_phoff;
    segment_count_ = header.e_phnum;
    sections_at_ = header.e_shoff;
    section_count_ = header.e_shnum;
    names_index_ = header.e_shstrndx;
}

void ElfFile::check_segments() const {
    for (const auto& segment : read_table<Elf64_Phdr>(segments_at_, segment_count_)) {
        const bool is_mapped = segment.p_type == PT_LOAD && segment.p_filesz > 0;
        const bool fits = segment.p_offset <= size_ && segment.p_filesz <= size_ - segment.p_offset;
        if (is_mapped && !fits) {
            refuse("is damaged: it is truncated");
        }
    }
}

std::optional<std::string> ElfFile::section(std::string_view name) const {
    if (section_count_ == 0) {
        return std::nullopt;
    }
    const auto sections = read_table<Elf64_Shdr>(sections_at_, section_count_);
    if (names_index_ >= sections.size()) {
        refuse("is damaged: its sections have no names");
    }
    const std::string names =
        read(sections[names_index_].sh_offset, sections[names_index_].sh_size);
    for (const Elf64_Shdr& section : sections) {
        if (section.sh_name >= names.size()) {
            continue;
        }
        const std::size_t end = names.find('\0', section.sh_name);
        const std::size_t length =
            end == std::string::npos ? std::string::npos : end - section.sh_name;
        if (std::string_view{names}.substr(section.sh_name, length) == name) {
            return section.sh_type == SHT_NOBITS ? std::string{}
                                                 : read(section.sh_offset, section.sh_size);
        }
    }
    return std::nullopt;
}

}  // namespace cordon
