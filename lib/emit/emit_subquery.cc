// Writes subqueries as scalars, which can use the columns of enclosing SELECTs.
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter_impl.h"

namespace logquery::emit {

using rewrite::SubqueryScalar;

namespace {

// A subquery is assumed to read columns. The dialect's own variables end with it.
Text Subquery(std::string text) {
  Text subquery{std::move(text), Text::Kind::kOther};
  subquery.facts.reads_column = true;
  return subquery;
}

}  // namespace

absl::StatusOr<Text> Emitter::SubqueryText(const SubqueryScalar& subquery) {
  const Columns& columns = subquery.plan->columns;
  if (subquery.form == SubqueryScalar::Form::kArray) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, ArraySubquery(subquery));
    return Subquery(std::move(text));
  }
  Text value;
  if (subquery.value != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(value, Scalar(*subquery.value));
  }
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*subquery.plan, false));
  switch (subquery.form) {
    case SubqueryScalar::Form::kExists:
      return Subquery(base::StrCat("EXISTS (", Exactly(std::move(select), {}, {}), ")"));
    case SubqueryScalar::Form::kIn: {
      const std::string query = Exactly(std::move(select), columns, AliasesOf(columns));
      Text in = Subquery(base::StrCat("(", value.sql, " IN (", query, "))"));
      in.facts.AddPart(value.facts);
      return in;
    }
    case SubqueryScalar::Form::kScalar:
    case SubqueryScalar::Form::kArray:
      break;
  }
  return Subquery(base::StrCat("(", Exactly(std::move(select), columns, AliasesOf(columns)), ")"));
}

absl::StatusOr<std::string> Emitter::ArraySubquery(const SubqueryScalar& subquery) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*subquery.plan, true));
  const Columns& columns = subquery.plan->columns;
  if (dialect_.lists() == nullptr) {
    return base::StrCat("ARRAY(", Exactly(std::move(select), columns, AliasesOf(columns)), ")");
  }
  // An aggregate over the rows, in the order that the subquery would give them.
  const auto own = select.known.find(columns[0].id);
  const bool is_own = own != select.known.end() && !own->second.computed && own->second.text.kind == Text::Kind::kPath;
  if (select.from.empty() || select.stage != Select::Stage::kOpen || select.IsLimited() || !is_own)
    Wrap(select, columns);
  const std::string order = OrderByText(select, {});
  const rewrite::PlanColumn list = Hidden("list", subquery.type);
  const std::string text =
      dialect_.lists()->Gathered(Find(select, columns[0].id).text.sql, order, dialect_.Array(subquery.type, {}).text());
  select.known[list.id] = {{text, Text::Kind::kOther}, true};
  select.order.clear();
  select.stage = Select::Stage::kAggregated;
  select.is_one_group = true;
  return base::StrCat("(", Exactly(std::move(select), {list}, AliasesOf({list})), ")");
}

}  // namespace logquery::emit
