// The SQL of a query is at most a constant times its size, however deep its constructs are nested. Sizes are counted, in
// bytes: no clock decides.
#include "tests/emit/nested_forms.h"

#include <catch2/catch_all.hpp>
#include <string>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"

namespace logquery::testing {
namespace {

// Bytes of SQL for each byte of the query. Functions of intervals and time zones need most.
constexpr size_t kMostForByte = 150;

// The engine's bound on nesting is left out: what it refuses is to be written in proportion, too.
absl::StatusOr<std::string> Translate(const std::string& sql, Dialect dialect) {
  static const Catalog& catalog = *new Catalog(NestedFormsCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(sql::QueryPtr query, sql::ParseQuery(sql, {}));
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.check_output = false;
  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan plan, rewrite::Resolve(*query, sql, options));
  std::vector<rewrite::Pass> passes = emit::PassesOf(dialect);
  std::erase_if(passes, [](const rewrite::Pass& pass) { return std::string_view(pass.name) == "bound_planning"; });
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(passes, {}, plan));
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery emitted, emit::Emit(plan, dialect));
  return std::move(emitted.text);
}

// Deeper and deeper, so that a form that doubles fails before it fills the memory. A depth that a limit refuses ends it.
// Returns whether the form is one: it can be nested twice.
bool GrowsInProportion(const NestedForm& form, Dialect dialect) {
  size_t before = 0, step = 0;
  for (const int depth : {2, 4, 6, 8}) {
    const absl::StatusOr<std::string> text = Translate(form.query(depth), dialect);
    if (!text.ok()) return depth > 2;
    const size_t more = text->size() - before;
    before = text->size();
    if (depth == 4) step = more;
    if (depth != 8) continue;
    // A form that doubles with each level has 16 times as many more. One that is evaluated once from some size on has a few.
    if (more <= 8 * step) continue;
    // A limit on copies may end it instead.
    INFO(form.name << ", 8 deep: " << more << " bytes more than 6 deep, and 4 deep " << step << " more than 2 deep");
    CHECK_FALSE(Translate(form.query(12), dialect).ok());
    return true;
  }
  for (const int depth : {12, 40, 95}) {
    const std::string query = form.query(depth);
    const absl::StatusOr<std::string> text = Translate(query, dialect);
    if (!text.ok()) return true;
    INFO(form.name << ", " << depth << " deep: " << text->size() << " bytes for " << query.size());
    CHECK(text->size() <= kMostForByte * query.size());
  }
  return true;
}

TEST_CASE("the SQL of a clause nested 95 times is in proportion to the query") {
  for (const NestedForm& form : NestedClauses()) {
    INFO(form.name);
    CHECK(GrowsInProportion(form, Dialect::kDuckDb));
    GrowsInProportion(form, Dialect::kBigQuery);
  }
}

// Checks every `step`th call, and returns how many of them can be nested.
int CountNestedCalls(size_t step) {
  const std::vector<NestedForm> calls = NestedCalls();
  int nested = 0;
  for (size_t i = 0; i < calls.size(); i += step) nested += GrowsInProportion(calls[i], Dialect::kDuckDb) ? 1 : 0;
  return nested;
}

TEST_CASE("the SQL of functions nested 95 times in their arguments is in proportion to the query") {
  CHECK(CountNestedCalls(25) > 40);
}

TEST_CASE("the SQL of each function nested 95 times in each of its arguments is in proportion to the query",
          "[nightly]") {
  CHECK(CountNestedCalls(1) > 1'000);
}

}  // namespace
}  // namespace logquery::testing
