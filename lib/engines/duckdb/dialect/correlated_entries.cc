// Writes WITH entries that read columns of an enclosing query into the places where they are read:
//
//     SELECT x, (WITH q AS (SELECT x AS y) SELECT EXISTS (SELECT 1 FROM q AS i WHERE i.y = k.y) FROM q AS k) FROM t
//
// Where such an entry is read below another subquery, DuckDB takes another value for x or fails (duckdb/duckdb#24921 and
// #22691, mended after 1.5.6). It also fails for some entries that read no outer column themselves, but belong to a
// subquery inside one that does. Entries that are read once have been inlined by prune_ctes.
#include <string>

#include "absl/container/flat_hash_set.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/rewrite/passes/inline_entry.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {

using rewrite::If;
using rewrite::Plan;
using rewrite::QueryPlan;
using rewrite::WithEntry;

namespace {

// The most plan nodes that the copies of all entries may have together: entries that read each other twice grow
// exponentially.
constexpr int64_t kMaxCopiedNodes = 10'000;

// Returns the first entry that reads a column of an enclosing query; nullptr: there is none. A recursive one can't be copied.
const WithEntry* FindCorrelated(const Plan& root) {
  const WithEntry* found = nullptr;
  rewrite::VisitPlans(root, [&](const Plan& node) {
    const auto* const with = If<rewrite::With>(&node);
    if (with == nullptr) return;
    for (const WithEntry& entry : with->entries) {
      if (found != nullptr || entry.recursive) continue;
      if (!rewrite::OuterColumns(*entry.plan).empty()) found = &entry;
    }
  });
  return found;
}

// Calls `visit` for each subquery below the plan, at any depth.
template <typename Visit>
void VisitSubqueries(const Plan& root, Visit visit) {
  rewrite::VisitScalars(root, [&](const rewrite::Scalar& scalar) {
    if (const auto* const subquery = If<rewrite::SubqueryScalar>(&scalar); subquery != nullptr) visit(*subquery->plan);
  });
}

// Returns the first entry, except for those in `staying`, of a subquery inside a subquery that reads a column of an enclosing
// query; nullptr: there is none.
const WithEntry* FindInCorrelated(const Plan& root, const absl::flat_hash_set<int>& staying) {
  const WithEntry* found = nullptr;
  const auto look = [&](const Plan& node) {
    const auto* const with = If<rewrite::With>(&node);
    if (with == nullptr) return;
    for (const WithEntry& entry : with->entries) {
      if (found == nullptr && !entry.recursive && !staying.contains(entry.id)) found = &entry;
    }
  };
  VisitSubqueries(root, [&](const Plan& outer) {
    if (found != nullptr || rewrite::OuterColumns(outer).empty()) return;
    VisitSubqueries(outer, [&](const Plan& inner) { rewrite::VisitPlans(inner, look); });
  });
  return found;
}

int64_t CountNodes(const Plan& root) {
  int64_t nodes = 0;
  rewrite::VisitPlans(root, [&](const Plan&) { ++nodes; });
  rewrite::VisitScalars(root, [&](const rewrite::Scalar&) { ++nodes; });
  return nodes;
}

int64_t CountReads(const Plan& root, int entry) {
  int64_t reads = 0;
  rewrite::VisitPlans(root, [&](const Plan& node) {
    const auto* const scan = If<rewrite::CteScan>(&node);
    if (scan != nullptr && scan->cte == entry) ++reads;
  });
  return reads;
}

bool IsVolatile(const Plan& plan) {
  bool is_volatile = false;
  rewrite::VisitScalars(plan, [&](const rewrite::Scalar& scalar) {
    const auto* const call = If<rewrite::FunctionCall>(&scalar);
    is_volatile = is_volatile || (call != nullptr && call->overload->function->Has(rewrite::kVolatile));
  });
  return is_volatile;
}

}  // namespace

absl::Status InlineCorrelatedEntries(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  if (!query.root->may_hold_subqueries) return absl::OkStatus();
  int64_t copied = 0;
  while (const WithEntry* const entry = FindCorrelated(*query.root)) {
    const int64_t reads = CountReads(*query.root, entry->id);
    if (reads > 1 && IsVolatile(*entry->plan)) {
      return absl::UnimplementedError(
          base::StrCat("the WITH entry ", entry->name,
                       " of a subquery calls a function with a new value for each call, reads columns of the enclosing "
                       "query and is read more than once; read it once"));
    }
    copied += reads * CountNodes(*entry->plan);
    if (copied > kMaxCopiedNodes) {
      return absl::InvalidArgumentError(
          base::StrCat("WITH entries of subqueries that read columns of the enclosing query, such as ", entry->name,
                       ", are read too often; join them once, or write the columns that they need into one entry"));
    }
    rewrite::InlineEntries(query, {entry->id});
  }
  // The engine evaluates most of these rightly: those that can't be copied stay.
  absl::flat_hash_set<int> staying;
  while (const WithEntry* const entry = FindInCorrelated(*query.root, staying)) {
    const int64_t copies = CountReads(*query.root, entry->id) * CountNodes(*entry->plan);
    if (IsVolatile(*entry->plan) || copied + copies > kMaxCopiedNodes) {
      staying.insert(entry->id);
      continue;
    }
    copied += copies;
    rewrite::InlineEntries(query, {entry->id});
  }
  return absl::OkStatus();
}

}  // namespace logquery::emit
