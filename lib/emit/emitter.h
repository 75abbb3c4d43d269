// Writes a plan as SQL text in a dialect.
//
//     absl::StatusOr<EmittedQuery> query = emit::Emit(plan, backend.capabilities().dialect);
//     query->text;       // SELECT t1."timestamp" AS timestamp_4 FROM "cloudflare.logs.prod" AS t1 WHERE t1."project" = $1
//     query->slots[0];   // {"project", STRING}
//
// One shared emitter turns nodes into SELECTs. A dialect's folder has only what differs: quoting, types, literals,
// casts, and the spelling of functions (dialect.h, spellings.h).
#ifndef LOGQUERY_LIB_EMIT_EMITTER_H_
#define LOGQUERY_LIB_EMIT_EMITTER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"
#include "lib/rewrite/plan.h"
#include "logquery/prepared_query.h"

namespace logquery::emit {

struct EmittedQuery {
  std::string text;
  std::vector<Slot> slots;                // `$1` is the first; a parameter that occurs twice has one slot
  std::optional<PackedForm> packed = {};  // see PreparedQuery::packed
};

// Unimplemented, with the construct's name: the dialect can't express it with GoogleSQL's meaning. InvalidArgument: it
// can never run, such as an invalid regular expression. On errors sets `failed`, if given, to the source of the
// construct; leaves it unchanged if that is not known.
absl::StatusOr<EmittedQuery> Emit(const rewrite::QueryPlan& plan, const SqlDialect& dialect,
                                  sql::Span* failed = nullptr);
absl::StatusOr<EmittedQuery> Emit(const rewrite::QueryPlan& plan, Dialect dialect, sql::Span* failed = nullptr);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_EMITTER_H_
