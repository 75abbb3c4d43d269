// Writes UNNEST: as FROM items, or, where the engine supports it, as functions of the select list, which is far faster.
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter_impl.h"

namespace logquery::emit {

using rewrite::PlanColumn;
using rewrite::Unnest;

namespace {

constexpr Text::Kind kPath = Text::Kind::kPath;

bool HasSubquery(const rewrite::Scalar& scalar) {
  bool has = false;
  rewrite::VisitScalars(scalar,
                        [&](const rewrite::Scalar& s) { has = has || s.kind == rewrite::ScalarKind::kSubquery; });
  return has;
}

bool HasVolatile(const rewrite::Plan& plan) {
  bool has = false;
  rewrite::VisitScalars(plan, [&](const rewrite::Scalar& s) {
    const auto* call = rewrite::If<rewrite::FunctionCall>(&s);
    has = has || (call != nullptr && call->overload->function->Has(rewrite::kVolatile));
  });
  return has;
}

bool IsNullLiteral(const rewrite::Scalar& scalar) {
  if (const auto* cast = rewrite::If<rewrite::Cast>(&scalar)) return IsNullLiteral(*cast->operand);
  const auto* constant = rewrite::If<rewrite::Constant>(&scalar);
  return constant != nullptr && constant->value.is_null();
}

}  // namespace

absl::StatusOr<Select> Emitter::BuildUnnest(const Unnest& unnest, bool ordered) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*unnest.input, ordered));
  // A row's elements share its values, also those that would be new at each evaluation.
  if (select.stage != Select::Stage::kOpen || select.IsLimited() || HasVolatile(*unnest.input)) {
    Wrap(select, unnest.input->columns);
  }
  rewrite::ColumnSet referenced;
  for (const rewrite::ScalarPtr& array : unnest.arrays) {
    for (ColumnId id : rewrite::ReferencedColumns(*array)) referenced.insert(id);
  }
  if (unnest.condition != nullptr) {
    for (ColumnId id : rewrite::ReferencedColumns(*unnest.condition)) referenced.insert(id);
  }
  WrapIfRefers(select, unnest.input->columns, referenced);
  if (dialect_.lists() == nullptr) {
    LOGQUERY_RETURN_IF_ERROR(UnnestInFrom(unnest, select));
  } else if (unnest.condition == nullptr) {
    LOGQUERY_RETURN_IF_ERROR(UnnestInList(unnest, ordered, select));
  } else if (HasSubquery(*unnest.condition)) {
    return absl::UnimplementedError("LEFT JOIN UNNEST with a subquery in its condition is not supported");
  } else {
    LOGQUERY_RETURN_IF_ERROR(UnnestFiltered(unnest, select));
  }
  return select;
}

// FROM input CROSS JOIN UNNEST(array) AS e WITH OFFSET AS o
absl::Status Emitter::UnnestInFrom(const Unnest& unnest, Select& select) {
  std::vector<std::string> arrays;
  for (size_t i = 0; i < unnest.arrays.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Text array, ScalarText(select, *unnest.arrays[i]));
    const std::string alias = Alias(unnest.elements[i]);
    select.known[unnest.elements[i].id] = {{alias, kPath}, false};
    arrays.push_back(unnest.arrays.size() == 1 ? array.sql : base::StrCat(array.sql, " AS ", alias));
  }
  std::string item = base::StrCat("UNNEST(", base::Join(arrays, ", "), ")");
  if (unnest.arrays.size() == 1) base::StrAppend(&item, " AS ", Alias(unnest.elements[0]));
  if (unnest.offset.has_value()) {
    const std::string alias = Alias(*unnest.offset);
    select.known[unnest.offset->id] = {{alias, kPath}, false};
    base::StrAppend(&item, " WITH OFFSET AS ", alias);
  }
  if (select.from.empty()) {
    // One row without columns, crossed with the elements, is the elements; an outer join needs the row.
    if (!unnest.outer) {
      select.from = std::move(item);
      return absl::OkStatus();
    }
    select.from = base::StrCat("(SELECT 1) AS ", NewQueryName());
  }
  base::StrAppend(&select.from, unnest.outer ? " LEFT JOIN " : " CROSS JOIN ", item);
  select.joined = true;
  if (unnest.condition != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string condition, Conjunction(select, *unnest.condition));
    base::StrAppend(&select.from, " ON ", condition);
  }
  return absl::OkStatus();
}

// The arrays' texts, simple ones: what costs is computed in a derived table first, as texts are used twice.
absl::StatusOr<Emitter::Arrays> Emitter::ArrayTexts(const Unnest& unnest, Columns columns, Select& select) {
  const size_t given = columns.size();
  Columns hidden;
  Arrays arrays;
  for (const rewrite::ScalarPtr& array : unnest.arrays) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarTextOfArray(select, *array));
    hidden.push_back({0, "array", array->type});
    // The elements of a literal NULL have no type to an engine, even with a cast. A column keeps the array's type.
    if (!text.IsSimple() || IsNullLiteral(*array)) {
      hidden.back() = Hidden("array", array->type);
      select.known[hidden.back().id] = {text, true};
      columns.push_back(hidden.back());
    }
    arrays.texts.push_back(text.sql);
  }
  if (columns.size() > given) {
    // Simple ones are written again, as the columns they name have moved.
    Wrap(select, columns);
    for (size_t i = 0; i < hidden.size(); ++i) {
      if (hidden[i].id != 0) {
        arrays.texts[i] = Find(select, hidden[i].id).text.sql;
      } else {
        LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarTextOfArray(select, *unnest.arrays[i]));
        arrays.texts[i] = text.sql;
      }
    }
  }
  std::vector<std::string> lengths;
  for (const std::string& text : arrays.texts) lengths.push_back(dialect_.lists()->Length(text));
  arrays.length = dialect_.lists()->Greatest(lengths);
  return arrays;
}

void Emitter::AddOffset(const std::string& length, bool outer, const PlanColumn& column, Select& select) {
  const ListDialect& lists = *dialect_.lists();
  const std::string range = lists.NumbersBelow(length);
  select.known[column.id] = {{lists.Rows(outer ? lists.NeverEmpty(range, length) : range), Text::Kind::kOther}, true};
}

// The elements and their numbers side by side, the shorter ones padded with NULL.
absl::Status Emitter::UnnestInList(const Unnest& unnest, bool ordered, Select& select) {
  // If the input has an order, or consists of the arrays alone, the elements keep their order.
  const bool in_order = ordered && (!select.order.empty() || unnest.input->kind == rewrite::PlanKind::kSingleRow);
  if (!select.order.empty()) {
    Wrap(select, unnest.input->columns);
    if (!in_order) select.order.clear();
  }
  if (!unnest.outer && !unnest.offset.has_value() && !in_order) {
    for (size_t i = 0; i < unnest.arrays.size(); ++i) {
      LOGQUERY_ASSIGN_OR_RETURN(Text array, ScalarTextOfArray(select, *unnest.arrays[i]));
      select.known[unnest.elements[i].id] = {{dialect_.lists()->Rows(array.sql), Text::Kind::kOther}, true};
    }
    select.required = unnest.elements;
    select.stage = Select::Stage::kExpanded;
    return absl::OkStatus();
  }
  LOGQUERY_ASSIGN_OR_RETURN(Arrays arrays, ArrayTexts(unnest, unnest.input->columns, select));
  for (size_t i = 0; i < arrays.texts.size(); ++i) {
    const std::string& text = arrays.texts[i];
    const std::string array = unnest.outer && i == 0 ? dialect_.lists()->NeverEmpty(text, arrays.length) : text;
    select.known[unnest.elements[i].id] = {{dialect_.lists()->Rows(array), Text::Kind::kOther}, true};
  }
  select.required = unnest.elements;
  select.stage = Select::Stage::kExpanded;
  PlanColumn offset = unnest.offset.has_value() ? *unnest.offset : PlanColumn{0, "offset", Type::Int64()};
  if (in_order && !needed_.contains(offset.id)) offset = Hidden("offset", Type::Int64());
  if (offset.id != 0) AddOffset(arrays.length, unnest.outer, offset, select);
  if (!in_order) return absl::OkStatus();
  Columns columns = unnest.columns;
  columns.push_back(offset);
  select.order.push_back({offset.id, "", false, true});
  Wrap(select, columns);
  return absl::OkStatus();
}

// LEFT JOIN UNNEST(array) AS e ON condition: the elements that meet it are picked out inside the list.
absl::Status Emitter::UnnestFiltered(const Unnest& unnest, Select& select) {
  Columns columns = unnest.input->columns;
  LOGQUERY_ASSIGN_OR_RETURN(Arrays arrays, ArrayTexts(unnest, columns, select));
  const PlanColumn list = Hidden("elements", Type());
  const std::string index = base::StrCat("i", -list.id, "_"), row = base::StrCat("r", -list.id, "_");
  Columns made = unnest.elements;
  if (unnest.offset.has_value()) made.push_back(*unnest.offset);
  const ListDialect& lists = *dialect_.lists();
  std::vector<std::string> values;
  for (size_t i = 0; i < made.size(); ++i) {
    values.push_back(i < arrays.texts.size() ? lists.ElementAt(arrays.texts[i], index) : index);
    lambda_parameters_[made[i].id] = {base::StrCat(row, ".e", i), kPath};
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::string condition, Conjunction(select, *unnest.condition));
  for (const PlanColumn& column : made) lambda_parameters_.erase(column.id);
  const std::string kept = lists.Picked(arrays.length, index, values, row, condition);
  columns.push_back(list);
  select.known[list.id] = {{kept, Text::Kind::kOther}, true};
  Wrap(select, columns);
  const std::string found = Find(select, list.id).text.sql;
  const PlanColumn element = Hidden("element", Type());
  columns.back() = element;
  select.known[element.id] = {{lists.Rows(lists.NeverEmpty(found, lists.Length(found))), Text::Kind::kOther}, true};
  select.stage = Select::Stage::kExpanded;
  Wrap(select, columns);
  for (size_t i = 0; i < made.size(); ++i) {
    select.known[made[i].id] = {{base::StrCat(Find(select, element.id).text.sql, ".e", i), kPath}, false};
  }
  return absl::OkStatus();
}

}  // namespace logquery::emit
