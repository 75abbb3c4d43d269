// A split query in words: the rest in the finisher's dialect, each fragment in the source's.
#ifndef LOGQUERY_LIB_SPLIT_SPLIT_TEXT_H_
#define LOGQUERY_LIB_SPLIT_SPLIT_TEXT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/plan.h"
#include "logquery/prepared_query.h"

namespace logquery::split {

struct SplitText {
  emit::EmittedQuery rest;  // its slots first, then those that fragments alone have
  std::vector<QueryFragment> fragments;
};

// `plan` has been through the passes of all engines. The rest goes through the finisher's too. `source` has powers().
// Errors and `failed` as emit::Emit's; Unimplemented also: split::Split's.
absl::StatusOr<SplitText> EmitSplit(rewrite::QueryPlan plan, const emit::SqlDialect& source, Dialect finisher,
                                    sql::Span* failed = nullptr);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_SPLIT_TEXT_H_
