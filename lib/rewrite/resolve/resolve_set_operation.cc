// Resolves set operations: matches the inputs' columns by position or by name, and finds their common types.
#include <algorithm>
#include <utility>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;
using sql::SetOperator;

// The place of the column of that name; -1 when there is none, -2 when there are several.
int FindColumn(const Named& input, std::string_view name) {
  int found = -1;
  for (size_t i = 0; i < input.columns.size(); ++i) {
    if (!base::EqualsIgnoreCase(input.columns[i].name, name)) continue;
    if (found >= 0) return -2;
    found = static_cast<int>(i);
  }
  return found;
}

bool HasColumn(const Named& input, std::string_view name) { return FindColumn(input, name) != -1; }

std::vector<std::string> NamesOf(const Named& input) {
  std::vector<std::string> names;
  for (const VisibleName& column : input.columns) names.push_back(column.name);
  return names;
}

// Returns the value that the column has in every row: a literal of a SELECT list coerces as a literal does. nullptr:
// the column is not a literal.
const Scalar* LiteralOf(const Plan& plan, ColumnId id) {
  const Project* project = If<Project>(&plan);
  if (project == nullptr) return nullptr;
  for (const Computed& computed : project->computed) {
    if (computed.column.id != id) continue;
    const ScalarKind kind = computed.value->kind;
    const bool made = kind == ScalarKind::kStruct || kind == ScalarKind::kArray;
    const bool literal = kind == ScalarKind::kConstant || (made && ReferencedColumns(*computed.value).empty());
    return literal ? computed.value.get() : nullptr;
  }
  return LiteralOf(*project->input, id);
}

}  // namespace

absl::StatusOr<Named> Resolver::ResolveSetOperation(const SetOperator& op, std::vector<Named> inputs,
                                                    const Spans& spans) {
  if (op.match != SetOperator::Match::kByPosition) LOGQUERY_RETURN_IF_ERROR(MatchByName(op, inputs, spans));
  size_t count = inputs[0].columns.size();
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i].columns.size() == count) continue;
    return Error(spans[i], StrCat("this query gives ", base::Counted(inputs[i].columns.size(), "column"),
                                  ", the first of the set operation ", count));
  }
  Named result;
  result.is_value_table = inputs[0].is_value_table;
  LOGQUERY_ASSIGN_OR_RETURN(result.plan, CombineInputs(op, std::move(inputs), spans, result.columns));
  return result;
}

// Checks that every column has a name of its own.
absl::Status Resolver::CheckNames(const Named& input, sql::Span span) {
  for (const VisibleName& column : input.columns) {
    if (column.name.empty()) {
      return Error(span, "a column without a name can't be matched by name; give it an alias");
    }
    if (FindColumn(input, column.name) == -2) {
      return Error(span, StrCat("two columns are named ", column.name, "; a set operation can't match these by name"));
    }
  }
  return absl::OkStatus();
}

// BY NAME is what STRICT CORRESPONDING is; INNER BY NAME what CORRESPONDING is.
// Source: GoogleSQL's set operations, "CORRESPONDING" and "column propagation mode".
absl::StatusOr<std::vector<std::string>> Resolver::MatchedNames(const SetOperator& op, const std::vector<Named>& inputs,
                                                                const Spans& spans) {
  const bool by_name = op.match == SetOperator::Match::kByName;
  const bool strict = op.strict || (by_name && op.outer == SetOperator::Outer::kNone && op.columns.empty());
  std::vector<std::string> names;
  auto add = [&](const std::string& name) {
    const bool there = std::any_of(names.begin(), names.end(),
                                   [&](const std::string& known) { return base::EqualsIgnoreCase(known, name); });
    if (!there && !name.empty()) names.push_back(name);
  };
  for (const sql::Identifier& column : op.columns) {
    const size_t before = names.size();
    add(column.text);
    if (names.size() == before) return Error(column.span, StrCat("the column ", column.text, " is listed twice"));
  }
  const bool listed = !op.columns.empty();
  const bool full = op.outer == SetOperator::Outer::kFull, left = op.outer == SetOperator::Outer::kLeft;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!listed && (strict || full || (left && i == 0))) LOGQUERY_RETURN_IF_ERROR(CheckNames(inputs[i], spans[i]));
    if (!listed && (i == 0 || full)) {
      for (const VisibleName& column : inputs[i].columns) add(column.name);
    }
  }
  if (strict) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (listed) LOGQUERY_RETURN_IF_ERROR(CheckNames(inputs[i], spans[i]));
      if (inputs[i].columns.size() == names.size()) continue;
      return Error(spans[i],
                   StrCat("this query has ", base::Counted(inputs[i].columns.size(), "column"), " where ", names.size(),
                          names.size() == 1 ? " is" : " are", " matched: all queries have to have the same names"));
    }
  } else if (!listed && !full && !left) {
    names.erase(std::remove_if(names.begin(), names.end(),
                               [&](const std::string& name) {
                                 return std::any_of(inputs.begin(), inputs.end(),
                                                    [&](const Named& input) { return !HasColumn(input, name); });
                               }),
                names.end());
  }
  if (names.empty()) return Error(op.span, "the queries of this set operation have no column name in common");
  return names;
}

// Brings the inputs' columns into one order by their names; NULL where an outer mode lets an input be without one.
absl::Status Resolver::MatchByName(const SetOperator& op, std::vector<Named>& inputs, const Spans& spans) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_value_table) return Error(spans[i], "SELECT AS has no names that a set operation could match by");
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<std::string> names, MatchedNames(op, inputs, spans));
  const bool full = op.outer == SetOperator::Outer::kFull, left = op.outer == SetOperator::Outer::kLeft;
  for (const sql::Identifier& column : op.columns) {
    const bool known =
        left ? HasColumn(inputs[0], column.text)
             : std::any_of(inputs.begin(), inputs.end(), [&](const Named& n) { return HasColumn(n, column.text); });
    if (!known) {
      return Error(column.span,
                   StrCat("there is no column ", column.text,
                          std::string_view(left ? " in the first query" : " in any of the queries")),
                   sql::NearestNames(column.text, NamesOf(inputs[0])));
    }
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto project = std::make_unique<Project>(std::move(inputs[i].plan));
    std::vector<VisibleName> columns;
    bool any = false;
    for (const std::string& name : names) {
      const int place = FindColumn(inputs[i], name);
      if (place == -2) return Error(spans[i], StrCat("two columns are named ", name, ", by which queries are matched"));
      if (place < 0 && !full && (!left || i == 0)) {
        return Error(spans[i], StrCat("this query has no column ", name, ", by which the queries are matched"),
                     sql::NearestNames(name, NamesOf(inputs[i])));
      }
      any = any || place >= 0;
      PlanColumn column;
      if (place >= 0) {
        column = inputs[i].columns[static_cast<size_t>(place)].column;
      } else {
        column = NewColumn(name, Type::Int64());
        project->computed.push_back({column, std::make_unique<Constant>(Value::Null(Type::Int64()))});
      }
      project->columns.push_back(column);
      columns.push_back({name, column});
    }
    if (!any && left && op.columns.empty()) {
      return Error(spans[i], "this query has no column name in common with the first one of the set operation");
    }
    inputs[i].plan = std::move(project);
    inputs[i].columns = std::move(columns);
  }
  return absl::OkStatus();
}

absl::StatusOr<Type> Resolver::CommonColumnType(const SetOperator& op, const std::vector<Named>& inputs, size_t column,
                                                const Spans& spans) {
  std::vector<ScalarPtr> columns;
  std::vector<const Scalar*> pointers;
  for (const Named& input : inputs) {
    columns.push_back(std::make_unique<ColumnRef>(input.plan->columns[column]));
    const Scalar* literal = LiteralOf(*input.plan, input.plan->columns[column].id);
    pointers.push_back(literal != nullptr ? literal : columns.back().get());
  }
  std::optional<Type> type = CommonSupertype(pointers, &own_records_);
  if (!type) {
    size_t other = 1;
    while (other + 1 < inputs.size() && pointers[other]->type == pointers[0]->type) ++other;
    return Error(spans[other],
                 StrCat("column ", column + 1, " of the set operation is ", pointers[0]->type.ToString(),
                        " in the first query and ", pointers[other]->type.ToString(), " in this one; cast one"));
  }
  if ((op.distinct || op.kind != SetOperator::Kind::kUnion) && !IsGroupable(*type)) {
    return Error(spans.back(), StrCat("DISTINCT can't compare values of type ", type->ToString()));
  }
  return *type;
}

// The plan with its columns as these types.
absl::StatusOr<PlanPtr> Resolver::CastColumns(PlanPtr input, const std::vector<Type>& types, sql::Span span) {
  auto project = std::make_unique<Project>(std::move(input));
  bool changed = false;
  for (size_t c = 0; c < types.size(); ++c) {
    PlanColumn column = project->input->columns[c];
    const Scalar* literal = LiteralOf(*project->input, column.id);
    if (!Type::SameLayout(column.type, types[c])) {
      changed = true;
      ScalarPtr value;
      if (literal != nullptr) {
        value = Clone(*literal);
      } else {
        value = std::make_unique<ColumnRef>(column);
      }
      value->span = span;
      LOGQUERY_ASSIGN_OR_RETURN(value, CoerceAt(std::move(value), types[c], "the set operation"));
      project->computed.push_back({NewColumn(column.name, types[c]), std::move(value)});
      column = project->computed.back().column;
    }
    project->columns.push_back(column);
  }
  return changed ? PlanPtr(std::move(project)) : std::move(project->input);
}

absl::StatusOr<PlanPtr> Resolver::CombineInputs(const SetOperator& op, std::vector<Named> inputs, const Spans& spans,
                                                std::vector<VisibleName>& names) {
  const size_t count = inputs[0].columns.size();
  auto set = std::make_unique<SetOperationPlan>(op.kind, op.distinct);
  std::vector<Type> types;
  for (size_t c = 0; c < count; ++c) {
    LOGQUERY_ASSIGN_OR_RETURN(Type type, CommonColumnType(op, inputs, c, spans));
    types.push_back(type);
    std::string name = inputs[0].columns[c].name;
    set->columns.push_back(NewColumn(name, type));
    names.push_back({name, set->columns.back()});
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(PlanPtr input, CastColumns(std::move(inputs[i].plan), types, spans[i]));
    set->inputs.push_back(std::move(input));
  }
  return PlanPtr(std::move(set));
}

}  // namespace logquery::rewrite
