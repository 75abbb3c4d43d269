// Emits plans, with errors that have their place in the query's text.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_EMIT_PLACED_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_EMIT_PLACED_H_

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/plan.h"
#include "lib/split/split_text.h"

namespace logquery::endpoint {

// Adds the place of an emitter's error in `text`, if the error is about the query and has none yet.
absl::Status PlaceError(const absl::Status& status, const sql::Span& failed, std::string_view text);

// Emits the plan in the engine's dialect; errors have their place in `text`.
absl::StatusOr<emit::EmittedQuery> EmitPlaced(const rewrite::QueryPlan& plan, Dialect dialect, std::string_view text);
// Emits a split plan in two dialects, that of the fragments and that of the rest. `plan` has been through the passes of
// the rest.
absl::StatusOr<split::SplitText> EmitSplitPlaced(const rewrite::QueryPlan& plan, const emit::SqlDialect& fragments,
                                                 Dialect dialect, std::string_view text,
                                                 split::Extent extent = split::Extent::kAll);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_EMIT_PLACED_H_
