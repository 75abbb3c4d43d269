// Any bytes, as a query over the tables and as a caller's SQL over logs.all: parsed, resolved, through the passes and
// emitted, or refused with a place. No pass leaves a plan that is not one.
//
//     fuzz_emit -timeout=1 tests/fuzz/corpus/emit          of the preset fuzz
#include <cstddef>
#include <cstdint>

#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/endpoint/call/emit_placed.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/sql/parser.h"
#include "tests/fuzz/caller_sql.h"

namespace logquery::fuzz {
namespace {

absl::Status EmitOverTables(std::string_view text, const LogsAll& logs) {
  absl::StatusOr<sql::QueryPtr> query = sql::ParseQuery(text, {});
  if (!query.ok()) return query.status();
  rewrite::ResolveOptions options;
  options.catalog = &logs.catalog;
  absl::StatusOr<rewrite::QueryPlan> plan = rewrite::Resolve(**query, text, options);
  if (!plan.ok()) return plan.status();
  rewrite::PassContext context;
  context.values = &logs.values;
  context.max_rows = 1'000;
  context.observe = [](std::string_view, const rewrite::QueryPlan& now) {
    const absl::Status verified = rewrite::VerifyPlan(now);
    Require(verified.ok(), verified.ToString());
  };
  const absl::Status done = rewrite::RunPasses(emit::PassesOf(Dialect::kDuckDb), context, *plan);
  return done.ok() ? endpoint::EmitPlaced(*plan, Dialect::kDuckDb, text).status() : done;
}

void Check(std::string_view text) {
  static const LogsAll& logs = *new LogsAll;
  if (const absl::Status status = EmitOverTables(text, logs); !status.ok()) RequirePlacedError(status, text);
  if (const absl::Status status = logs.Plan(text).status(); !status.ok()) RequirePlacedError(status, text);
}

}  // namespace
}  // namespace logquery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  logquery::fuzz::Check(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
