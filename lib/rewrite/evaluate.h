// Evaluates scalars that depend only on parameters and constants, without an engine.
//
// The predicates that steer a query (`@interval = '5min'`) and its time bounds (TIMESTAMP_SUB(@now, INTERVAL 1 DAY))
// are known before the query reaches the engine. This evaluator has functions whose exact meaning takes little code, and
// our own functions (Overload::own), whose code the engine calls too; the engine evaluates everything else.
#ifndef LOGQUERY_LIB_REWRITE_EVALUATE_H_
#define LOGQUERY_LIB_REWRITE_EVALUATE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Values of parameters by lower-case name; the call's now is under kNowParameter.
using ParameterValues = base::StringMap<Value>;

// Computes generate_timestamp_trunc_array(count, label). It is passed in because this library does not depend on the
// bucketer.
using BucketGenerator =
    std::function<absl::StatusOr<std::vector<absl::Time>>(int64_t count, std::string_view label, absl::Time now)>;

// The limit for evaluation before a query runs, where nothing can interrupt it: steps of our functions (functions::Work), and the
// processor time of this thread, which also counts what takes no steps, such as the compilation of a pattern. Work beyond it is
// left for the engine, which ends at the query's deadline. Used by one thread.
class EvaluationBudget {
 public:
  explicit EvaluationBudget(uint64_t steps = 8'000'000, absl::Duration time = absl::Milliseconds(100));

  // Returns whether the budget is used up, and remembers it.
  bool IsSpent();
  functions::Work& work() { return work_; }

 private:
  functions::Work work_;
  const absl::Duration time_;
  std::optional<absl::Duration> ends_;  // as the thread's time; nullopt: no function was evaluated yet
  bool is_spent_ = false;
};

// Returns whether Evaluate supports the scalar: it has only constants, parameters and supported functions.
bool CanEvaluate(const Scalar& scalar);

// InvalidArgument: evaluation raised an error, such as text that is not a timestamp. NotFound: a parameter has no
// value. ResourceExhausted: the budget is used up.
absl::StatusOr<Value> Evaluate(const Scalar& scalar, const ParameterValues& values, const BucketGenerator& buckets,
                               EvaluationBudget& budget);
// The same with a budget of its own.
absl::StatusOr<Value> Evaluate(const Scalar& scalar, const ParameterValues& values, const BucketGenerator& buckets);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_EVALUATE_H_
