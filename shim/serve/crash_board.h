// Which queries run in a server, in memory that outlives it: after a crash its supervisor reads what was running, and the
// next server which calls to run alone or to refuse.
//
// A call is a digest of its token and its whole key. The tables have fixed sizes, so no client can make them grow. A slot is
// written by one thread of one server; the supervisor reads and changes the board only while no server runs.
#ifndef LOGQUERY_SHIM_SERVE_CRASH_BOARD_H_
#define LOGQUERY_SHIM_SERVE_CRASH_BOARD_H_

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

// Of both texts; no pair of them gives the bytes of another one.
CallDigest DigestOf(const std::string& token_id, const std::string& call);
std::string HexOf(const CallDigest& digest);

struct CrashCounters {
  int64_t running = 0;      // in the engine now
  int64_t crashes = 0;      // of servers
  int64_t suspected = 0;    // calls that ran when a server crashed
  int64_t quarantined = 0;  // calls that ran alone when a server crashed
  int64_t cleared = 0;      // suspects that ran alone to their end
  int64_t refused = 0;      // runs, because of a quarantine
};

class CrashBoard {
 public:
  static constexpr int kMaxRunning = 2'048;
  static constexpr int kMaxRemembered = 1'024;
  static constexpr absl::Duration kQuarantine = absl::Hours(1);

  // In memory of its own, without a file. Unavailable: the system gives none.
  static absl::StatusOr<std::unique_ptr<CrashBoard>> Create();
  // That of a supervisor. InvalidArgument: the descriptor is no board. Owns it.
  static absl::StatusOr<std::unique_ptr<CrashBoard>> Open(int fd);
  ~CrashBoard();
  CrashBoard(const CrashBoard&) = delete;
  CrashBoard& operator=(const CrashBoard&) = delete;

  int fd() const { return fd_; }

  // For the server. Enters a run; -1: the table is full. Thread-safe.
  int Begin(const CallDigest& digest, bool alone, absl::Time now);
  void End(int slot);

  // What is known of a call.
  struct Remembered {
    CallDigest digest{};
    absl::Time crashed;                       // when a server did while it ran
    std::optional<absl::Time> refused_until;  // it ran alone then
  };
  // The server reads them once, when it starts.
  std::vector<Remembered> remembered() const;
  // A suspect has run alone to its end. Thread-safe.
  void Clear(const CallDigest& digest);
  void CountRefusal();
  CrashCounters counters() const;

  // For the supervisor, after a server's end: with `crashed` the calls that ran become suspects or, those that ran alone,
  // are quarantined. Returns what to log. Quarantines that are over, and of too many suspects the oldest, are forgotten.
  std::vector<std::string> Settle(bool crashed, absl::Time now);

 private:
  struct Shared;
  CrashBoard(int fd, Shared* shared) : fd_(fd), shared_(shared) {}
  void Remember(const CallDigest& digest, bool alone, absl::Time now);
  static absl::StatusOr<std::unique_ptr<CrashBoard>> Map(int fd);

  const int fd_;
  Shared* const shared_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_CRASH_BOARD_H_
