#include "percuss/io/process_limits.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace percuss {
namespace {

void lower_limit(decltype(RLIMIT_CPU) resource, rlim_t value) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(value, limit.rlim_max);
  ::setrlimit(resource, &limit);
}

/// The address space of this process [bytes].
rlim_t used_memory() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

#if defined(__x86_64__) || defined(__aarch64__)
#ifdef __x86_64__
constexpr unsigned own_architecture = AUDIT_ARCH_X86_64;
#else
constexpr unsigned own_architecture = AUDIT_ARCH_AARCH64;
#endif

// The kernel's calls that are refused whatever their arguments are.
constexpr std::array refused_calls = {
#ifdef __x86_64__  // newer architectures have only the general forms of these
    SYS_fork,     SYS_vfork,     SYS_creat,      SYS_unlink,           SYS_rename,
    SYS_mkdir,    SYS_rmdir,     SYS_link,       SYS_symlink,          SYS_chmod,
    SYS_chown,    SYS_lchown,    SYS_mknod,
#endif
    SYS_execve,   SYS_execveat,  SYS_ptrace,     SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_kill,     SYS_tkill,     SYS_pidfd_open, SYS_socket,           SYS_socketpair,
    SYS_connect,  SYS_bind,      SYS_sendto,     SYS_sendmsg,          SYS_io_uring_setup,
    SYS_unlinkat, SYS_renameat2, SYS_mkdirat,    SYS_linkat,           SYS_symlinkat,
    SYS_fchmod,   SYS_fchmodat,  SYS_fchown,     SYS_fchownat,         SYS_mknodat,
    SYS_truncate, SYS_setxattr,  SYS_mount,      SYS_unshare,          SYS_setns,
    SYS_bpf,      SYS_keyctl,    SYS_add_key};

/// A filter is a little program for the kernel; each rule either answers or falls through to the next.
class SystemCallFilter {
 public:
  SystemCallFilter() {
    // The calls of another instruction set have other numbers.
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load_number();
    for (const long call : refused_calls) refuse(call, EPERM);
    refuse(SYS_clone3, ENOSYS);  // its flags are out of sight; libraries then try clone
    refuse(SYS_openat2, ENOSYS);
#ifdef __x86_64__
    refuse_numbers_from(0x40000000);  // the same calls once more, for 32-bit pointers
    refuse_if_any(SYS_open, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
#endif
    refuse_if_any(SYS_openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
    refuse_unless_any(SYS_clone, 0, CLONE_THREAD);
    answer(SECCOMP_RET_ALLOW);
  }

  bool install() {
    sock_fprog program{static_cast<unsigned short>(steps_.size()), steps_.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
  }

 private:
  void add(int code, unsigned value, int if_true = 0, int if_false = 0) {
    steps_.push_back(
        {static_cast<__u16>(code), static_cast<__u8>(if_true), static_cast<__u8>(if_false), value});
  }
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)); }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  /// The lower half, which has all flags.
  void load_argument(int index) {
    load(offsetof(seccomp_data, args) + sizeof(__u64) * static_cast<std::size_t>(index));
  }
  void answer(unsigned value) { add(BPF_RET | BPF_K, value); }
  void refuse(long call, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1);
    answer(SECCOMP_RET_ERRNO | static_cast<unsigned>(error));
  }
  void refuse_numbers_from(unsigned number) {
    add(BPF_JMP | BPF_JGE | BPF_K, number, 0, 1);
    answer(SECCOMP_RET_ERRNO | ENOSYS);
  }
  void refuse_if_any(long call, int argument, unsigned flags) { decide(call, argument, flags, true); }
  void refuse_unless_any(long call, int argument, unsigned flags) { decide(call, argument, flags, false); }
  void decide(long call, int argument, unsigned flags, bool refuse_set) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JSET | BPF_K, flags, refuse_set ? 0 : 1, refuse_set ? 1 : 0);
    answer(SECCOMP_RET_ERRNO | EPERM);
    answer(SECCOMP_RET_ALLOW);
  }

  std::vector<sock_filter> steps_;
};
#endif

}  // namespace

void limit_process(const ProcessLimits& limits) {
  lower_limit(RLIMIT_CPU, static_cast<rlim_t>(limits.processor_seconds));
  lower_limit(RLIMIT_AS, used_memory() + static_cast<rlim_t>(limits.memory));
  lower_limit(RLIMIT_FSIZE, static_cast<rlim_t>(limits.written));
  lower_limit(RLIMIT_CORE, 0);
  ::alarm(static_cast<unsigned>(limits.waiting_seconds));
}

bool restrict_system_calls() {
#if defined(__x86_64__) || defined(__aarch64__)
  return SystemCallFilter().install();
#else
  return false;
#endif
}

}  // namespace percuss
