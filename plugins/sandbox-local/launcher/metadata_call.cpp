#include "metadata_call.hpp"

#include "kernel.hpp"

#include <asm/unistd.h>

namespace cordon::launch {
namespace {

constexpr MetadataCall kCalls[] = {
#ifdef __NR_chmod  // architectures after x86_64 have the `at` forms only
    {__NR_chmod, Change::mode, -1, 0, 1, -1, false},
    {__NR_chown, Change::owner, -1, 0, 1, -1, false},
    {__NR_lchown, Change::owner, -1, 0, 1, -1, true},
    {__NR_utime, Change::times_utimbuf, -1, 0, 1, -1, false},
    {__NR_utimes, Change::times_timeval, -1, 0, 1, -1, false},
    {__NR_futimesat, Change::times_timeval, 0, 1, 2, -1, false},
#endif
    {__NR_fchmod, Change::mode, 0, -1, 1, -1, false},
    {__NR_fchmodat, Change::mode, 0, 1, 2, -1, false},
    {kernel::kFchmodat2, Change::mode, 0, 1, 2, 3, false},
    {__NR_fchown, Change::owner, 0, -1, 1, -1, false},
    {__NR_fchownat, Change::owner, 0, 1, 2, 4, false},
    {__NR_utimensat, Change::times_timespec, 0, 1, 2, 3, false},
    {__NR_setxattr, Change::set_attribute, -1, 0, 1, -1, false},
    {__NR_lsetxattr, Change::set_attribute, -1, 0, 1, -1, true},
    {__NR_fsetxattr, Change::set_attribute, 0, -1, 1, -1, false},
    {__NR_removexattr, Change::remove_attribute, -1, 0, 1, -1, false},
    {__NR_lremovexattr, Change::remove_attribute, -1, 0, 1, -1, true},
    {__NR_fremovexattr, Change::remove_attribute, 0, -1, 1, -1, false},
};

}  // namespace

const MetadataCall* find_metadata_call(int number) noexcept {
    for (const MetadataCall& call : kCalls) {
        if (call.number == number) {
            return &call;
        }
    }
    return nullptr;
}

}  // namespace cordon::launch
