// Works out scalars that depend on nothing but parameters and constants, without an engine.
//
// What steers a query (`@interval = '5min'`) and what bounds it in time (TIMESTAMP_SUB(@now, INTERVAL 1 DAY)) is known
// before the engine sees it. Only functions whose meaning is short to write exactly are here; whatever else stays for the
// engine.
#ifndef LOGQUERY_LIB_REWRITE_EVALUATE_H_
#define LOGQUERY_LIB_REWRITE_EVALUATE_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Values of parameters by lower-case name, the call's now under kNowParameter.
using ParameterValues = base::StringMap<Value>;

// The bucket starts for generate_timestamp_trunc_array(count, label); passed in, as the policy is not known here.
using BucketGenerator =
    std::function<absl::StatusOr<std::vector<absl::Time>>(int64_t count, std::string_view label, absl::Time now)>;

// Whether Evaluate can do it: only constants, parameters, and functions that are known here.
bool CanEvaluate(const Scalar& scalar);

// InvalidArgument: an error of the query's own, such as a text that is no timestamp. NotFound: a parameter without value.
absl::StatusOr<Value> Evaluate(const Scalar& scalar, const ParameterValues& values, const BucketGenerator& buckets);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_EVALUATE_H_
