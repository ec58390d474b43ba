#include <cordon/base/error.hpp>
#include <cordon/base/unique_fd.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/loader/atomic_file.hpp>

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cordon {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kNewFileMode = 0644;

void write_all(const UniqueFd& fd, std::string_view text, const std::string& name) {
    while (!text.empty()) {
        const ssize_t count = ::write(fd.get(), text.data(), text.size());
        if (count < 0 && errno != EINTR) {
            throw system_error("write", name, errno);
        }
        text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
}

/// Beside the file, because only within one file system a rename replaces.
class Sibling {
public:
    explicit Sibling(const fs::path& file) : name_(file.string() + ".XXXXXX") {
        fd_ = UniqueFd{::mkostemp(name_.data(), O_CLOEXEC)};
        if (!fd_) {
            throw system_error("create", name_, errno);
        }
    }

    ~Sibling() {
        if (!is_renamed_) {
            ::unlink(name_.c_str());
        }
    }

    Sibling(const Sibling&) = delete;
    Sibling& operator=(const Sibling&) = delete;

    void replace(const fs::path& file, std::string_view text) {
        struct stat existing {};

        const bool is_there = ::stat(file.c_str(), &existing) == 0;
        const mode_t mode = is_there ? existing.st_mode & 07777 : kNewFileMode;
        write_all(fd_, text, name_);
        if (::fchmod(fd_.get(), mode) != 0 || ::fsync(fd_.get()) != 0) {
            throw system_error("write", name_, errno);
        }
        if (::rename(name_.c_str(), file.c_str()) != 0) {
            throw system_error("rename", file.string(), errno);
        }
        is_renamed_ = true;
    }

private:
    std::string name_;
    UniqueFd fd_;
    bool is_renamed_ = false;
};

}  // namespace

std::string read_whole(const fs::path& file) {
    const UniqueFd fd{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (!fd) {
        throw system_error("open", file.string(), errno);
    }
    std::string text;
    std::array<char, 65536> part{};
    for (;;) {
        const ssize_t count = ::read(fd.get(), part.data(), part.size());
        if (count == 0) {
            return text;
        }
        if (count < 0 && errno != EINTR) {
            throw system_error("read", file.string(), errno);
        }
        text.append(part.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
        if (text.size() > kMaxYamlBytes) {
            throw system_error("read", file.string(), EFBIG);
        }
    }
}

void write_atomically(const fs::path& file, std::string_view text) {
    const fs::path target = fs::weakly_canonical(file);
    fs::create_directories(target.parent_path());
    Sibling sibling{target};
    sibling.replace(target, text);
}

}  // namespace cordon
