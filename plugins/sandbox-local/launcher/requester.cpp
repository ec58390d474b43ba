#include "requester.hpp"

#include "system.hpp"
#include "text.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/uio.h>

namespace cordon::launch {
namespace {

constexpr std::size_t kPage = 4096;

/// The number at position `column` of the line that begins with `name`; below 0 where it is not
/// there.
long field(const char* status, const char* name, int column) {
    while (!begins(status, name)) {
        while (*status != '\n' && *status != '\0') {
            ++status;
        }
        if (*status == '\0') {
            return -1;
        }
        ++status;
    }
    status += length(name);
    long number = -1;
    for (int i = 0; i <= column; ++i) {
        while (*status == '\t' || *status == ' ') {
            ++status;
        }
        number = -1;
        while (*status >= '0' && *status <= '9') {
            number = (number < 0 ? 0 : number * 10) + (*status++ - '0');
        }
    }
    return number;
}

}  // namespace

bool Requester::look() {
    Text<48> path;
    path << "/proc/" << thread_ << "/status";
    const long fd = sys::call(__NR_openat, AT_FDCWD, path.c_str(), O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    char status[kPage];
    const long size = sys::call(__NR_read, fd, status, sizeof status - 1);
    sys::close(static_cast<int>(fd));
    if (size <= 0) {
        return false;
    }
    status[size] = '\0';
    constexpr int kFileSystemId = 3;  // real, effective, saved, file system
    process_ = field(status, "Tgid:", 0);
    file_system_user_ = field(status, "Uid:", kFileSystemId);
    file_system_group_ = field(status, "Gid:", kFileSystemId);
    return process_ > 0;
}

bool Requester::acts_as_we_do() const noexcept {
    return file_system_user_ == sys::call(__NR_geteuid) &&
           file_system_group_ == sys::call(__NR_getegid);
}

long Requester::read(void* target, std::uint64_t source, std::size_t size) const {
    const iovec local{target, size};
    const iovec remote{reinterpret_cast<void*>(source), size};
    const long copied = sys::call(__NR_process_vm_readv, thread_, &local, 1, &remote, 1, 0);
    return copied == static_cast<long>(size) ? 0 : -EFAULT;
}

long Requester::read_text(char* target, std::size_t capacity, std::uint64_t source) const {
    std::size_t done = 0;
    while (done < capacity) {
        // Page by page, because the next one need not be there.
        const std::size_t rest_of_page = kPage - (source + done) % kPage;
        const std::size_t size = rest_of_page < capacity - done ? rest_of_page : capacity - done;
        if (const long result = read(target + done, source + done, size); result < 0) {
            return result;
        }
        for (std::size_t i = 0; i < size; ++i) {
            if (target[done + i] == '\0') {
                return 0;
            }
        }
        done += size;
    }
    return -ENAMETOOLONG;
}

long Requester::descriptor(int number) const {
    const long process = sys::call(__NR_pidfd_open, process_, 0);
    if (process < 0) {
        return process;
    }
    const long copy = sys::call(__NR_pidfd_getfd, process, number, 0);
    sys::close(static_cast<int>(process));
    return copy;
}

long Requester::root() const {
    return open_link("/root");
}

long Requester::workdir() const {
    return open_link("/cwd");
}

long Requester::open_link(const char* name) const {
    Text<48> path;
    path << "/proc/" << thread_ << name;
    return sys::call(__NR_openat, AT_FDCWD, path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
}

}  // namespace cordon::launch
