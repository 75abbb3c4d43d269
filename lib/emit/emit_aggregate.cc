// Writes aggregates, and the parts that they share with window functions.
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter_impl.h"

namespace logquery::emit {

using rewrite::Aggregate;
using rewrite::AggregateCall;
using rewrite::PlanColumn;

namespace {

constexpr Text::Kind kOther = Text::Kind::kOther;
// Above this number the memory of filters grows with the square of their number: 1.2 GB for 900.
constexpr size_t kManyAggregates = 50;
// Aggregates with a filter, times all aggregates of the SELECT: about 100 MB.
constexpr size_t kMaxFilteredTimesAll = 40'000;

absl::Status CheckFilters(size_t filtered, size_t all) {
  if (filtered * all <= kMaxFilteredTimesAll) return absl::OkStatus();
  return absl::InvalidArgumentError(base::StrCat(
      "one SELECT has ", all, " aggregates, of which ", filtered, " such as ARRAY_AGG leave rows out, by PIVOT or ",
      "IGNORE NULLS; the product of both may be at most ", kMaxFilteredTimesAll));
}

const PlanColumn& FirstCall(const Aggregate& aggregate, const absl::flat_hash_map<rewrite::ColumnId, Known>& known) {
  size_t i = 0;
  while (i + 1 < aggregate.calls.size() && !known.contains(aggregate.calls[i].column.id)) ++i;
  return aggregate.calls[i].column;
}

// Returns whether the plan has no more rows than a table: joins, arrays and entries that are read again make more.
bool HasATablesRows(const rewrite::Plan& plan) {
  switch (plan.kind) {
    case rewrite::PlanKind::kSingleRow:
    case rewrite::PlanKind::kTableScan:
      return true;
    case rewrite::PlanKind::kProject:
    case rewrite::PlanKind::kFilter:
    case rewrite::PlanKind::kAggregate:
    case rewrite::PlanKind::kWindow:
    case rewrite::PlanKind::kSort:
    case rewrite::PlanKind::kLimit: {
      bool of_a_table = true;
      rewrite::ForEachInput(plan, [&](const rewrite::Plan& input) { of_a_table = HasATablesRows(input); });
      return of_a_table;
    }
    case rewrite::PlanKind::kCteScan:
    case rewrite::PlanKind::kWith:
    case rewrite::PlanKind::kJoin:
    case rewrite::PlanKind::kUnnest:
    case rewrite::PlanKind::kSetOperation:
      return false;
  }
  return false;
}

}  // namespace

rewrite::ColumnSet Emitter::OwnReferences(const rewrite::Plan& plan) {
  rewrite::ColumnSet ids;
  rewrite::VisitOwnScalars(plan, [&](const rewrite::Scalar& scalar) {
    if (const auto* ref = rewrite::If<rewrite::ColumnRef>(&scalar)) ids.insert(ref->id);
  });
  return ids;
}

absl::StatusOr<Sql> Emitter::AggregateText(const rewrite::AggregateCall& call, const AggregateTexts& texts) {
  absl::StatusOr<Sql> text = dialect_.Aggregate(call, texts);
  if (!text.ok() && !failed_.has_value() && !call.arguments.empty()) failed_ = call.arguments[0]->span;
  return text;
}

absl::StatusOr<Select> Emitter::BuildAggregate(const Aggregate& aggregate) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*aggregate.input, false));
  if (select.stage != Select::Stage::kOpen || select.IsLimited()) Wrap(select, aggregate.input->columns);
  select.order.clear();
  // Without a FROM of its own, an aggregate over columns of an enclosing query would belong to that query.
  if (select.from.empty()) Wrap(select, aggregate.input->columns);
  WrapIfRefers(select, aggregate.input->columns, OwnReferences(aggregate));
  for (const Aggregate::Call& call : aggregate.calls) ImportOuter(call.call, aggregate.input->columns, select);
  std::vector<const Aggregate::Call*> calls;
  for (const Aggregate::Call& call : aggregate.calls) {
    if (needed_.contains(call.column.id)) calls.push_back(&call);
  }
  absl::flat_hash_map<ColumnId, Known> known;
  base::StringSet written;
  for (const rewrite::Computed& key : aggregate.keys) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *key.value));
    // Two keys of one text are one to the engine, though only one of them may be rolled up.
    while (!aggregate.grouping_sets.empty() && !written.insert(text.sql).second) {
      text.sql = base::StrCat("(CASE WHEN TRUE THEN ", text.sql, " END)");
    }
    known[key.column.id] = {{std::move(text.sql), kOther}, true};
    select.required.push_back(key.column);
  }
  size_t filtered = 0;
  const bool of_a_table = HasATablesRows(*aggregate.input);
  for (const Aggregate::Call* call : calls) {
    LOGQUERY_ASSIGN_OR_RETURN(AggregateTexts texts, CallTexts(select, call->call));
    texts.counted = !of_a_table;
    texts.one_of_many = calls.size() > kManyAggregates;
    LOGQUERY_ASSIGN_OR_RETURN(Sql text, AggregateText(call->call, texts));
    if (text.facts().filters) ++filtered;
    known[call->column.id] = {{text, kOther}, true};
  }
  LOGQUERY_RETURN_IF_ERROR(CheckFilters(filtered, calls.size()));
  for (const Aggregate::Grouping& grouping : aggregate.groupings) {
    const PlanColumn& key = aggregate.keys[static_cast<size_t>(grouping.key)].column;
    known[grouping.column.id] = {{dialect_.Grouping(known[key.id].text.sql), kOther}, true};
  }
  if (!aggregate.grouping_sets.empty()) select.grouping_sets = aggregate.grouping_sets;
  // Without an aggregate in its list the SELECT would not be grouped.
  if (aggregate.keys.empty()) {
    PlanColumn rows = known.empty() ? Hidden("rows", Type::Int64()) : FirstCall(aggregate, known);
    if (known.empty()) known[rows.id] = {{"COUNT(*)", kOther}, true};
    select.required.push_back(std::move(rows));
    select.is_one_group = !select.grouping_sets.has_value();
  }
  select.known = std::move(known);
  select.stage = Select::Stage::kAggregated;
  return select;
}

// SQL takes a call over nothing but columns of a query around it for a call of that query: such columns come in first.
void Emitter::ImportOuter(const AggregateCall& call, const Columns& columns, Select& select) {
  if (scopes_.empty()) return;
  rewrite::ColumnSet referenced;
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    for (ColumnId id : rewrite::OuterColumns(*argument)) referenced.insert(id);
  }
  for (ColumnId id : referenced) {
    if (select.known.contains(id)) return;
  }
  Columns imported = columns;
  for (ColumnId id : referenced) {
    if (!lambda_parameters_.contains(id)) imported.push_back({id, "outer", Type()});
  }
  if (imported.size() == columns.size()) return;
  for (size_t i = columns.size(); i < imported.size(); ++i) {
    select.known[imported[i].id] = {{Find(select, imported[i].id).text.sql, kOther}, true};
  }
  Wrap(select, imported);
}

absl::StatusOr<AggregateTexts> Emitter::CallTexts(const Select& select, const AggregateCall& call) {
  AggregateTexts texts;
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *argument));
    texts.args.push_back(text.ToSql());
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::string order, OrderText(select, call.order_by));
  texts.order_by = Sql(std::move(order));
  if (call.having != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *call.having));
    texts.having = text.ToSql();
  }
  if (call.limit != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string limit, Count(*call.limit));
    texts.limit = Sql(std::move(limit));
  }
  if (call.filter != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string filter, Conjunction(select, *call.filter));
    texts.filter = Sql(std::move(filter));
  }
  return texts;
}

absl::StatusOr<std::string> Emitter::ListText(const Select& select, const std::vector<rewrite::ScalarPtr>& scalars) {
  std::vector<std::string> texts;
  for (const rewrite::ScalarPtr& scalar : scalars) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *scalar));
    texts.push_back(std::move(text.sql));
  }
  return base::Join(texts, ", ");
}

// Inside an aggregate or OVER; empty without keys. A constant there sorts nothing, and would be taken for a place.
absl::StatusOr<std::string> Emitter::OrderText(const Select& select, const std::vector<rewrite::OrderKey>& keys) {
  std::vector<std::string> texts;
  for (const rewrite::OrderKey& key : keys) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *key.value));
    if (text.kind == Text::Kind::kConstant) continue;
    const std::string nulls = key.nulls_first ? " NULLS FIRST" : " NULLS LAST";
    if (std::string nan = dialect_.NanTest(key.value->type, text.sql); !nan.empty()) {
      texts.push_back(base::StrCat(nan, key.descending ? " ASC" : " DESC", nulls));
    }
    texts.push_back(base::StrCat(text.sql, key.descending ? " DESC" : " ASC", nulls));
  }
  return texts.empty() ? "" : base::StrCat("ORDER BY ", base::Join(texts, ", "));
}

}  // namespace logquery::emit
