// Turns UNNEST of a record, which is stored as a STRUCT, into access by path.
//
//     FROM t CROSS JOIN UNNEST(t.metadata) AS m WHERE m.level = 'error'
//     FROM t WHERE PRESENT(t.metadata) AND t.metadata.level = 'error'
//
// Queries see a log's records as arrays of at most one element; storage has the element itself. Joining with UNNEST of
// such a record keeps the row if the record is present (CROSS, INNER), or always (LEFT). Arrays that can have several
// elements are not changed.
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/simplify.h"
#include "lib/rewrite/passes/substitute.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

// The offset of a record's one element: 0, or NULL where an outer join has none.
ScalarPtr OffsetOf(const Scalar& record, bool outer) {
  ScalarPtr zero = std::make_unique<Constant>(Value::Int64(0));
  if (!outer) return zero;
  auto made = std::make_unique<Case>(Type::Int64());
  made->whens.push_back({MakePresent(Clone(record)), std::move(zero)});
  made->otherwise = std::make_unique<Constant>(Value::Null(Type::Int64()));
  return made;
}

bool Removable(const Unnest& unnest) {
  return unnest.arrays.size() == 1 && unnest.arrays[0]->type.is_record() && unnest.condition == nullptr &&
         IsPath(*unnest.arrays[0]);
}

void Replace(PlanPtr& node) {
  Unnest* unnest = If<Unnest>(node.get());
  if (unnest == nullptr || !Removable(*unnest)) return;
  ScalarPtr record = std::move(unnest->arrays[0]);
  PlanPtr input = std::move(unnest->input);
  if (!unnest->outer) input = std::make_unique<Filter>(std::move(input), MakePresent(Clone(*record)));
  auto project = std::make_unique<Project>(std::move(input));
  project->columns = unnest->columns;
  if (unnest->offset) project->computed.push_back({*unnest->offset, OffsetOf(*record, unnest->outer)});
  project->computed.push_back({unnest->elements[0], MakeElement(std::move(record))});
  node = std::move(project);
}

}  // namespace

absl::Status RemoveUnnest(const PassContext&, QueryPlan& query) {
  // Works from the inside out, so that the result of an inner UNNEST is a path by the time the outer one is examined.
  absl::Status status = RewritePlans(query.root, [](PlanPtr& node) {
    Replace(node);
    return absl::OkStatus();
  });
  const bool changed = SubstituteComputed(*query.root, [](const Scalar& value) { return IsPath(value); });
  if (changed) Simplify(query.root);
  return status;
}

}  // namespace logquery::rewrite
