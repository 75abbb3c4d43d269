// Keeps running and remembered calls in memory shared with the supervisor. Fixed sizes, plain data.
#include "shim/observe/crash_board.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "absl/strings/escaping.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

constexpr uint64_t kMagic = 0x6c6f677179626432;  // of this layout

enum State : uint32_t { kFree, kTaken, kShared, kAlone, kOverdue };

std::string_view Verdict(uint32_t state) {
  if (state == kOverdue) return "did not end after its deadline: it is refused to its token for an hour";
  return state == kAlone ? "ran alone when the server died: it is refused to its token for an hour"
                         : "ran when the server died: it is suspected, and runs alone when it comes again";
}

}  // namespace

struct CrashBoard::Shared {
  struct Run {
    std::atomic<uint32_t> state;  // what else is here counts with kShared, kAlone and kOverdue
    CallDigest digest;
    int64_t started;  // Unix microseconds
  };
  struct Memory {
    std::atomic<uint32_t> used;
    CallDigest digest;
    int64_t crashed;        // Unix microseconds
    int64_t refused_until;  // 0: it did not run alone
  };
  uint64_t magic;
  std::atomic<int64_t> crashes;
  std::atomic<int64_t> suspected;
  std::atomic<int64_t> quarantined;
  std::atomic<int64_t> cleared;
  std::atomic<int64_t> refused;
  std::atomic<int64_t> overdue;
  Run runs[kMaxRunning];
  Memory memory[kMaxRemembered];
};

CallDigest DigestOf(const std::string& token_id, const std::string& call) {
  const std::string hex = base::Sha256Hex(base::StrCat(token_id.size(), ":", token_id, call));
  const std::string bytes = absl::HexStringToBytes(hex.substr(0, 32));
  CallDigest digest{};
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

std::string HexOf(const CallDigest& digest) {
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

absl::StatusOr<std::unique_ptr<CrashBoard>> CrashBoard::Map(int fd) {
  static_assert(std::atomic<uint32_t>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free);
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) {
    const int error = errno;
    close(fd);
    return absl::UnavailableError(base::StrCat("no memory can be shared: ", std::strerror(error)));
  }
  return std::unique_ptr<CrashBoard>(new CrashBoard(fd, static_cast<Shared*>(memory)));
}

absl::StatusOr<std::unique_ptr<CrashBoard>> CrashBoard::Create() {
  const int fd = memfd_create("logquery-crash-board", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, sizeof(Shared)) != 0) {
    const int error = errno;
    if (fd >= 0) close(fd);
    return absl::UnavailableError(base::StrCat("no memory can be shared: ", std::strerror(error)));
  }
  absl::StatusOr<std::unique_ptr<CrashBoard>> board = Map(fd);
  if (board.ok()) (*board)->shared_->magic = kMagic;  // all else is zero
  return board;
}

absl::StatusOr<std::unique_ptr<CrashBoard>> CrashBoard::Open(int fd) {
  struct stat status {};
  const bool fits = fstat(fd, &status) == 0 && status.st_size == sizeof(Shared);
  absl::StatusOr<std::unique_ptr<CrashBoard>> board =
      fits ? Map(fd) : absl::InvalidArgumentError("the supervisor's list of running queries has another size");
  if (board.ok() && (*board)->shared_->magic != kMagic) {
    return absl::InvalidArgumentError("the supervisor's list of running queries has another layout");
  }
  return board;
}

CrashBoard::~CrashBoard() {
  munmap(shared_, sizeof(Shared));
  close(fd_);
}

int CrashBoard::Begin(const CallDigest& digest, bool alone, absl::Time now) {
  for (int i = 0; i < kMaxRunning; ++i) {
    Shared::Run& run = shared_->runs[i];
    uint32_t free = kFree;
    if (!run.state.compare_exchange_strong(free, kTaken)) continue;
    run.digest = digest;
    run.started = absl::ToUnixMicros(now);
    run.state.store(alone ? kAlone : kShared);
    return i;
  }
  return -1;
}

void CrashBoard::MarkOverdue(int slot) {
  shared_->runs[slot].state.store(kOverdue);
  ++shared_->overdue;
}

void CrashBoard::End(int slot) { shared_->runs[slot].state.store(kFree); }

std::vector<CrashBoard::Remembered> CrashBoard::remembered() const {
  std::vector<Remembered> all;
  for (const Shared::Memory& memory : shared_->memory) {
    if (memory.used.load() == 0) continue;
    Remembered one;
    one.digest = memory.digest;
    one.crashed = absl::FromUnixMicros(memory.crashed);
    if (memory.refused_until != 0) one.refused_until = absl::FromUnixMicros(memory.refused_until);
    all.push_back(one);
  }
  return all;
}

void CrashBoard::Clear(const CallDigest& digest) {
  for (Shared::Memory& memory : shared_->memory) {
    if (memory.used.load() == 0 || memory.digest != digest) continue;
    memory.used.store(0);
    ++shared_->cleared;
  }
}

void CrashBoard::CountRefusal() { ++shared_->refused; }

CrashCounters CrashBoard::counters() const {
  const auto runs = [](const Shared::Run& run) { return run.state.load() >= kShared; };
  const int64_t running = std::count_if(std::begin(shared_->runs), std::end(shared_->runs), runs);
  return {running,          shared_->crashes, shared_->suspected, shared_->quarantined,
          shared_->cleared, shared_->refused, shared_->overdue};
}

void CrashBoard::Remember(const CallDigest& digest, bool refused, absl::Time now) {
  // The call's own place, or a free one, or that of the oldest suspect before that of any quarantine.
  const auto rank = [&digest](const Shared::Memory& memory) {
    if (memory.used.load() != 0 && memory.digest == digest) return 0;
    if (memory.used.load() == 0) return 1;
    return memory.refused_until == 0 ? 2 : 3;
  };
  Shared::Memory& place = *std::min_element(
      std::begin(shared_->memory), std::end(shared_->memory),
      [&](const auto& a, const auto& b) { return std::pair(rank(a), a.crashed) < std::pair(rank(b), b.crashed); });
  place.digest = digest;
  place.crashed = absl::ToUnixMicros(now);
  place.refused_until = refused ? absl::ToUnixMicros(now + kQuarantine) : 0;
  place.used.store(1);
  ++(refused ? shared_->quarantined : shared_->suspected);
}

std::vector<std::string> CrashBoard::Settle(bool crashed, absl::Time now) {
  for (Shared::Memory& memory : shared_->memory) {
    if (memory.refused_until != 0 && memory.refused_until <= absl::ToUnixMicros(now)) memory.used.store(0);
  }
  if (crashed) ++shared_->crashes;
  // The server ended itself because of those that are overdue. The others did nothing.
  const bool any_overdue = std::any_of(std::begin(shared_->runs), std::end(shared_->runs),
                                       [](const Shared::Run& run) { return run.state.load() == kOverdue; });
  std::vector<std::string> lines;
  for (Shared::Run& run : shared_->runs) {
    const uint32_t state = run.state.exchange(kFree);
    if (!crashed || state < kShared || (any_overdue && state != kOverdue)) continue;
    Remember(run.digest, /*refused=*/state != kShared, now);
    lines.push_back(base::StrCat("query ", HexOf(run.digest), ", which had run for ",
                                 (absl::ToUnixMicros(now) - run.started) / 1'000, " ms, ", Verdict(state)));
  }
  return lines;
}

}  // namespace logquery::shim
