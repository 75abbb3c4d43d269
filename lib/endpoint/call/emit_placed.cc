// Emits plans, and places the errors of emitters in the query's text.
#include "lib/endpoint/call/emit_placed.h"

#include "absl/status/status.h"
#include "lib/base/strings.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/sql/text_error.h"
#include "logquery/error.h"

namespace logquery::endpoint {

using base::StrCat;
using rewrite::QueryPlan;

absl::Status PlaceError(const absl::Status& status, const sql::Span& failed, std::string_view text) {
  const bool of_the_query = absl::IsInvalidArgument(status) || absl::IsUnimplemented(status);
  if (!of_the_query || GetErrorDetails(status).line > 0) return status;
  // An expression that the dialect can't spell is only named.
  return sql::TextErrorWithCode(status.code(), text, failed,
                                StrCat(absl::IsUnimplemented(status) ? "not supported: " : "", base::Message(status)));
}

absl::StatusOr<emit::EmittedQuery> EmitPlaced(const QueryPlan& plan, Dialect dialect, std::string_view text) {
  sql::Span failed;
  absl::StatusOr<emit::EmittedQuery> emitted = emit::Emit(plan, dialect, &failed);
  if (!emitted.ok()) return PlaceError(emitted.status(), failed, text);
  return emitted;
}

absl::StatusOr<split::SplitText> EmitSplitPlaced(const QueryPlan& plan, const emit::SqlDialect& fragments,
                                                 Dialect dialect, std::string_view text, split::Extent extent) {
  sql::Span failed;
  absl::StatusOr<split::SplitText> split =
      split::EmitSplit(rewrite::CopyPlan(plan), fragments, dialect, &failed, extent);
  if (!split.ok()) return PlaceError(split.status(), failed, text);
  return split;
}

}  // namespace logquery::endpoint
