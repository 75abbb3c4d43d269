// Records the queries that run in a server, in memory that outlives it. After a crash the supervisor reads which
// queries were running, and the next server reads which calls to run alone or to reject.
//
// A call is a digest of its token and its shape (ExecutionKey::shape): calls that differ in constants alone are one. The tables
// have fixed sizes, so clients can't make them grow. One thread of one server writes a slot; the supervisor accesses the board
// only while no server runs.
#ifndef LOGQUERY_SHIM_OBSERVE_CRASH_BOARD_H_
#define LOGQUERY_SHIM_OBSERVE_CRASH_BOARD_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace logquery::shim {

using CallDigest = std::array<uint8_t, 16>;

// Returns a digest of both texts; different pairs have different input bytes.
CallDigest DigestOf(const std::string& token_id, const std::string& call);
std::string HexOf(const CallDigest& digest);

struct CrashCounters {
  int64_t running = 0;      // currently in the engine
  int64_t crashes = 0;      // of servers
  int64_t suspected = 0;    // calls that ran when a server crashed
  int64_t quarantined = 0;  // calls that ran alone when a server crashed, or were overdue
  int64_t cleared = 0;      // suspects that completed alone
  int64_t refused = 0;      // rejected runs of quarantined calls
  int64_t overdue = 0;      // calls that did not end after their deadline, and cost the server
};

class CrashBoard {
 public:
  static constexpr int kMaxRunning = 2'048;
  static constexpr int kMaxRemembered = 1'024;
  static constexpr absl::Duration kQuarantine = absl::Hours(1);

  // Creates a board in anonymous memory. Unavailable: the system provides none.
  static absl::StatusOr<std::unique_ptr<CrashBoard>> Create();
  // Opens a supervisor's board, and takes ownership of `fd`. InvalidArgument: the descriptor is not a board.
  static absl::StatusOr<std::unique_ptr<CrashBoard>> Open(int fd);
  ~CrashBoard();
  CrashBoard(const CrashBoard&) = delete;
  CrashBoard& operator=(const CrashBoard&) = delete;

  int fd() const { return fd_; }

  // For the server: records the start of a run; -1: the table is full. Thread-safe.
  int Begin(const CallDigest& digest, bool alone, absl::Time now);
  void End(int slot);
  // Records that the server ends itself because this run does not end after its deadline.
  void MarkOverdue(int slot);

  // A call that is remembered.
  struct Remembered {
    CallDigest digest{};
    absl::Time crashed;                       // when a server crashed while the call ran
    std::optional<absl::Time> refused_until;  // set if the call ran alone then
  };
  // The server reads these once, when it starts.
  std::vector<Remembered> remembered() const;
  // Records that a suspect completed alone. Thread-safe.
  void Clear(const CallDigest& digest);
  void CountRefusal();
  CrashCounters counters() const;

  // For the supervisor, after the end of a server. With `crashed`, calls that were running become suspects, or are
  // quarantined if they ran alone. If some were overdue, these alone are quarantined. Returns lines for the log. Drops expired
  // quarantines and, if there are too many suspects, the oldest ones.
  std::vector<std::string> Settle(bool crashed, absl::Time now);

 private:
  struct Shared;
  CrashBoard(int fd, Shared* shared) : fd_(fd), shared_(shared) {}
  void Remember(const CallDigest& digest, bool refused, absl::Time now);
  static absl::StatusOr<std::unique_ptr<CrashBoard>> Map(int fd);

  const int fd_;
  Shared* const shared_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_CRASH_BOARD_H_
