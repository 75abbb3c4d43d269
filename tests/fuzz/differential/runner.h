// One query run in every way that has to give the same.
//
//     Runner runner;
//     LOGQUERY_RETURN_IF_ERROR(runner.LoadLogs(seed));
//     Verdict verdict = runner.Check(call);
//
// The ways: with all passes, with each one left out, with none, without folding, by a plan that was kept from a call with
// other parameters, over records stored as lists of one, and for one project's token over everybody's rows beside that
// project's rows alone.
#ifndef LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_RUNNER_H_
#define LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_RUNNER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "logquery/endpoint.h"
#include "tests/fuzz/differential/query_generator.h"
#include "tests/fuzz/differential/storage.h"

namespace logquery::fuzz {

struct FuzzCall {
  FuzzQuery query;
  bool sandboxed = false;  // as a caller's SQL over an endpoint's entries; else as a definition of its own
  rewrite::ParameterValues values;
  rewrite::ParameterValues earlier_values;  // of the call that the kept plan was made for
};

// Choices come in a fixed order: parameters first, so that a smaller query has the same.
FuzzCall MakeCall(const Grammar& grammar, Choices& choices);
std::string ValuesText(const rewrite::ParameterValues& values);

struct Verdict {
  absl::Status refused;    // OK: the query was accepted
  bool failed = false;     // a row's error, in every way the same
  bool too_large = false;  // it took too long or too much memory: nothing to compare
  std::string difference;  // empty: none
};

class Runner {
 public:
  absl::Status LoadLogs(uint64_t seed);
  Verdict Check(const FuzzCall& call);

 private:
  struct Way;
  std::vector<Way> Ways() const;
  absl::StatusOr<rewrite::QueryPlan> Resolve(const FuzzCall& call, const Storage& storage) const;
  // Resolves the call once for each storage: every way begins with a copy of the same plan.
  const absl::StatusOr<rewrite::QueryPlan>& Resolved(const FuzzCall& call, const Storage& storage);
  Outcome RunWay(const FuzzCall& call, const Way& way);
  Outcome RunKept(const FuzzCall& call);
  std::string Compare(const FuzzCall& call, const Outcome& base, const std::string& name, const Outcome& other,
                      bool& too_large) const;

  std::map<const Storage*, absl::StatusOr<rewrite::QueryPlan>> resolved_;
  std::unique_ptr<Storage> records_;
  std::unique_ptr<Storage> lists_;
  std::unique_ptr<Storage> own_;  // kProjects[0]'s rows alone
};

}  // namespace logquery::fuzz

#endif  // LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_RUNNER_H_
