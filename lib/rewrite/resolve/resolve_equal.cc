// Resolves equality of STRUCTs field by field: (1, NULL) = (1, 2) is NULL, and (1, NULL) = (3, 2) is FALSE. No engine's
// own row comparison does this.
#include "lib/base/status_macros.h"
#include "lib/rewrite/evaluate_once.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"

namespace logquery::rewrite {
namespace {

bool IsStored(const Scalar& scalar) {
  if (const FieldRef* field = If<FieldRef>(&scalar)) return IsStored(*field->base);
  return scalar.kind == ScalarKind::kColumn || scalar.kind == ScalarKind::kParameter;
}

// May be written once for each of its fields.
bool IsRepeatable(const Scalar& scalar) { return scalar.kind == ScalarKind::kStruct || IsStored(scalar); }

ScalarPtr FieldOf(const Scalar& scalar, size_t index) {
  if (const StructMake* made = If<StructMake>(&scalar)) return Clone(*made->fields[index]);
  ScalarPtr field = std::make_unique<FieldRef>(Clone(scalar), static_cast<int>(index));
  field->span = scalar.span;
  return field;
}

}  // namespace

absl::StatusOr<ScalarPtr> Resolver::MakeEqual(ScalarPtr a, ScalarPtr b, sql::Span span) {
  const bool structs = a->type.is_struct() && b->type.is_struct() && IsRepeatable(*a) && IsRepeatable(*b);
  const size_t count = structs ? a->type.fields().size() : 0;
  if (count == 0 || count != b->type.fields().size()) return MakeCall("$equal", std::move(a), std::move(b), span);
  std::vector<ScalarPtr> fields;
  for (size_t i = 0; i < count; ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr equal, MakeEqual(FieldOf(*a, i), FieldOf(*b, i), span));
    fields.push_back(std::move(equal));
  }
  if (count == 1) return std::move(fields[0]);
  return MakeCall("$and", std::move(fields), span);
}

// value IN (a, b, …).
absl::StatusOr<ScalarPtr> Resolver::MakeIn(ScalarPtr value, std::vector<ScalarPtr> candidates, sql::Span span) {
  const bool once = candidates.size() == 1 || IsSmall(*value);
  if (!value->type.is_struct() || !IsRepeatable(*value) || !once) {
    candidates.insert(candidates.begin(), std::move(value));
    return MakeCall("$in", std::move(candidates), span);
  }
  for (ScalarPtr& candidate : candidates) {
    LOGQUERY_ASSIGN_OR_RETURN(candidate, MakeEqual(Clone(*value), std::move(candidate), span));
  }
  if (candidates.size() == 1) return std::move(candidates[0]);
  return MakeCall("$or", std::move(candidates), span);
}

// value IN (subquery), where value is a STRUCT: TRUE IN (SELECT value = column).
absl::StatusOr<ScalarPtr> Resolver::StructInRows(ScalarPtr value, PlanPtr rows, sql::Span span) {
  ScalarPtr column = std::make_unique<ColumnRef>(rows->columns[0]);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr equal, MakeEqual(std::move(value), std::move(column), span));
  auto project = std::make_unique<Project>(std::move(rows));
  project->columns = {NewColumn("equal", Type::Bool())};
  project->computed.push_back({project->columns[0], std::move(equal)});
  auto found = std::make_unique<SubqueryScalar>(SubqueryScalar::Form::kIn, Type::Bool(), std::move(project));
  found->value = MakeLiteral(Value::Bool(true), span);
  return ScalarPtr(std::move(found));
}

}  // namespace logquery::rewrite
