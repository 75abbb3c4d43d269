// From a plan to the text of a dialect.
//
//     absl::StatusOr<EmittedQuery> query = emit::Emit(plan, backend.capabilities().dialect);
//     query->text;       // SELECT t1."timestamp" AS timestamp_4 FROM "cloudflare.logs.prod" AS t1 WHERE t1."project" = $1
//     query->slots[0];   // {"project", STRING}
//
// One shared emitter turns nodes into SELECTs; a dialect's folder holds what differs: quoting, types, literals, casts, and how
// it spells functions (dialect.h, spellings.h).
#ifndef LOGQUERY_LIB_EMIT_EMITTER_H_
#define LOGQUERY_LIB_EMIT_EMITTER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"
#include "lib/rewrite/plan.h"
#include "logquery/prepared_query.h"

namespace logquery::emit {

struct EmittedQuery {
  std::string text;
  std::vector<Slot> slots;  // `$1` is the first; a parameter that occurs twice is one slot
};

// Unimplemented, with the construct's name: the dialect can't do it with GoogleSQL's meaning. InvalidArgument: it can never
// run, such as a regular expression that is none. `failed`, where given, then learns the place of what it is about; it stays
// as it is where that is not known.
absl::StatusOr<EmittedQuery> Emit(const rewrite::QueryPlan& plan, const SqlDialect& dialect,
                                  sql::Span* failed = nullptr);
absl::StatusOr<EmittedQuery> Emit(const rewrite::QueryPlan& plan, Dialect dialect, sql::Span* failed = nullptr);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_EMITTER_H_
