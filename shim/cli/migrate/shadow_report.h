// The output of `logquery shadow`: each difference as it is found, and figures at the end.
#ifndef LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_REPORT_H_
#define LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_REPORT_H_

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "shim/cli/migrate/compare_answers.h"
#include "shim/cli/migrate/shadow_call.h"

namespace logquery::shim {

class ShadowReport {
 public:
  // `out` is borrowed.
  ShadowReport(std::ostream& out, bool json) : out_(out), json_(json) {}

  // A line without a call.
  void Skip() { ++skipped_; }
  // A call that both servers answered.
  void Compared(const ShadowCall& call, const ShadowAnswer& there, const ShadowAnswer& here,
                const Comparison& comparison);
  // A call that one of the servers did not answer; `why` names the server.
  void NotCompared(const ShadowCall& call, const std::string& why);
  // Prints the figures.
  void Finish();

  int64_t calls() const { return equal_ + different_ + not_compared_; }
  int64_t different() const { return different_; }
  int64_t not_compared() const { return not_compared_; }
  int64_t skipped() const { return skipped_; }

 private:
  struct Times {
    std::vector<absl::Duration> there;
    std::vector<absl::Duration> here;
  };
  void PrintDifference(const ShadowCall& call, const ShadowAnswer& there, const ShadowAnswer& here,
                       const Comparison& comparison);
  void FinishText();
  void FinishJson();

  std::ostream& out_;
  const bool json_;
  int64_t equal_ = 0;
  int64_t equal_errors_ = 0;  // of these
  int64_t different_ = 0;
  int64_t not_compared_ = 0;
  int64_t skipped_ = 0;
  std::map<std::string, Times> times_;  // by endpoint
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_REPORT_H_
