// Emits a split query: the rest in the local engine's dialect, each fragment in the source's.
#ifndef LOGQUERY_LIB_SPLIT_SPLIT_TEXT_H_
#define LOGQUERY_LIB_SPLIT_SPLIT_TEXT_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/plan.h"
#include "lib/split/split.h"
#include "logquery/prepared_query.h"

namespace logquery::split {

struct SplitText {
  emit::EmittedQuery rest;  // its own slots first, then those that only fragments use
  std::vector<QueryFragment> fragments;
  std::optional<std::vector<size_t>> pass_through;  // see PassThrough
};

// `plan` has been through the shared passes; EmitSplit runs the local engine's own passes on the rest. `source` must
// have powers(). Errors and `failed` are those of emit::Emit; Unimplemented also: see split::Split.
absl::StatusOr<SplitText> EmitSplit(rewrite::QueryPlan plan, const emit::SqlDialect& source, Dialect finisher,
                                    sql::Span* failed = nullptr, Extent extent = Extent::kAll);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_SPLIT_TEXT_H_
