#include "error_names.hpp"

#include <cerrno>

namespace cordon::launch {
namespace {

struct Entry {
    int error;
    ErrorName name;
};

constexpr Entry kEntries[] = {
    {EPERM, {"EPERM", "Operation not permitted"}},
    {ENOENT, {"ENOENT", "No such file or directory"}},
    {ESRCH, {"ESRCH", "No such process"}},
    {EINTR, {"EINTR", "Interrupted system call"}},
    {EIO, {"EIO", "Input/output error"}},
    {ENXIO, {"ENXIO", "No such device or address"}},
    {E2BIG, {"E2BIG", "Argument list too long"}},
    {ENOEXEC, {"ENOEXEC", "Exec format error"}},
    {EBADF, {"EBADF", "Bad file descriptor"}},
    {ECHILD, {"ECHILD", "No child processes"}},
    {EAGAIN, {"EAGAIN", "Resource temporarily unavailable"}},
    {ENOMEM, {"ENOMEM", "Cannot allocate memory"}},
    {EACCES, {"EACCES", "Permission denied"}},
    {EFAULT, {"EFAULT", "Bad address"}},
    {EBUSY, {"EBUSY", "Device or resource busy"}},
    {EEXIST, {"EEXIST", "File exists"}},
    {EXDEV, {"EXDEV", "Invalid cross-device link"}},
    {ENODEV, {"ENODEV", "No such device"}},
    {ENOTDIR, {"ENOTDIR", "Not a directory"}},
    {EISDIR, {"EISDIR", "Is a directory"}},
    {EINVAL, {"EINVAL", "Invalid argument"}},
    {ENFILE, {"ENFILE", "Too many open files in system"}},
    {EMFILE, {"EMFILE", "Too many open files"}},
    {ENOTTY, {"ENOTTY", "Inappropriate ioctl for device"}},
    {ETXTBSY, {"ETXTBSY", "Text file busy"}},
    {EFBIG, {"EFBIG", "File too large"}},
    {ENOSPC, {"ENOSPC", "No space left on device"}},
    {EROFS, {"EROFS", "Read-only file system"}},
    {EMLINK, {"EMLINK", "Too many links"}},
    {EPIPE, {"EPIPE", "Broken pipe"}},
    {ERANGE, {"ERANGE", "Numerical result out of range"}},
    {ENAMETOOLONG, {"ENAMETOOLONG", "File name too long"}},
    {ENOSYS, {"ENOSYS", "Function not implemented"}},
    {ELOOP, {"ELOOP", "Too many levels of symbolic links"}},
    {EOPNOTSUPP, {"EOPNOTSUPP", "Operation not supported"}},
    {EUSERS, {"EUSERS", "Too many users"}},
    {ESTALE, {"ESTALE", "Stale file handle"}},
    {EDQUOT, {"EDQUOT", "Disk quota exceeded"}},
};

}  // namespace

ErrorName name_of_error(int error) noexcept {
    for (const Entry& entry : kEntries) {
        if (entry.error == error) {
            return entry.name;
        }
    }
    return {"?", "unknown error"};
}

}  // namespace cordon::launch
