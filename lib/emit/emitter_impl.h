// The emitter's implementation. One object writes one plan. The files are: emit_select.cc (a SELECT's text, derived
// tables), emit_plan.cc (nodes), emit_join.cc, emit_unnest.cc, emit_aggregate.cc, emit_window.cc, emit_newest.cc,
// emit_with.cc (also set operations), emit_scalar.cc, emit_subquery.cc.
#ifndef LOGQUERY_LIB_EMIT_EMITTER_IMPL_H_
#define LOGQUERY_LIB_EMIT_EMITTER_IMPL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/emit/dialect.h"
#include "lib/emit/emitter.h"
#include "lib/emit/select.h"
#include "lib/emit/semi_joins.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {

class Emitter {
 public:
  Emitter(const rewrite::QueryPlan& plan, const SqlDialect& dialect);

  absl::StatusOr<EmittedQuery> Emit();
  // The source of the construct that Emit failed on, if it is known.
  const std::optional<sql::Span>& failed() const { return failed_; }

 private:
  using ColumnId = rewrite::ColumnId;
  using Columns = std::vector<rewrite::PlanColumn>;
  using Conjuncts = std::vector<const rewrite::Scalar*>;

  struct Item {
    rewrite::PlanColumn column;
    std::string alias;
  };
  struct Entry {
    std::string name;
    std::vector<std::string> aliases;  // of its columns, by index
    int reads = 0;
    int64_t nodes = 1;  // that a reader's plan gets for it
  };
  class Scope;
  // The facts that an engine may derive about a scalar, or about several scalars, before it reads a row.
  struct Foreseen {
    bool is_null = false;     // for several: at least one is
    bool is_constant = true;  // for several: all are
  };
  static Foreseen Foresee(const rewrite::Scalar& scalar, Foreseen operands);

  // emit_plan.cc. `ordered`: the order of the rows matters to the caller.
  absl::StatusOr<Select> Build(const rewrite::Plan& plan, bool ordered);
  absl::StatusOr<Select> BuildScan(const rewrite::TableScan& scan);
  absl::StatusOr<Select> BuildProject(const rewrite::Project& project, bool ordered);
  absl::StatusOr<Select> BuildFilter(const rewrite::Filter& filter, bool ordered);
  absl::StatusOr<Select> BuildSort(const rewrite::Sort& sort, bool ordered);
  absl::StatusOr<Select> BuildLimit(const rewrite::Limit& limit, bool ordered);
  // Calls the dialect; on failure records the place of a call that it does not support.
  absl::StatusOr<Sql> AggregateText(const rewrite::AggregateCall& call, const AggregateTexts& texts);
  absl::Status AddConjuncts(Select& select, const Conjuncts& conjuncts, const Columns& columns);
  absl::Status AddSortKey(Select& select, const rewrite::OrderKey& key);
  absl::StatusOr<std::string> Count(const rewrite::Scalar& scalar);

  // emit_join.cc
  absl::StatusOr<Select> BuildJoin(const rewrite::Join& join);
  absl::Status AddSemiJoin(Select& select, const SemiJoin& join, const Columns& columns);
  // Turns the SELECT into a plain FROM item: without clauses, except WHERE if that is allowed.
  void MakeFromItem(Select& side, const Columns& columns, bool nullable, bool may_have_where);
  bool IsFromItem(const Select& side, const Columns& columns, bool nullable, bool may_have_where) const;
  absl::StatusOr<std::string> Conjunction(const Select& select, const rewrite::Scalar& condition);

  // emit_unnest.cc
  struct Arrays {
    std::vector<std::string> texts;
    std::string length;  // of the longest array
  };
  absl::StatusOr<Select> BuildUnnest(const rewrite::Unnest& unnest, bool ordered);
  absl::Status UnnestInFrom(const rewrite::Unnest& unnest, Select& select);
  absl::Status UnnestInList(const rewrite::Unnest& unnest, bool ordered, Select& select);
  absl::Status UnnestFiltered(const rewrite::Unnest& unnest, Select& select);
  absl::StatusOr<Arrays> ArrayTexts(const rewrite::Unnest& unnest, Columns columns, Select& select);
  void AddOffset(const std::string& length, bool outer, const rewrite::PlanColumn& column, Select& select);

  // emit_aggregate.cc
  absl::StatusOr<Select> BuildAggregate(const rewrite::Aggregate& aggregate);
  // Returns all columns that the node's own scalars refer to.
  static rewrite::ColumnSet OwnReferences(const rewrite::Plan& plan);
  void ImportOuter(const rewrite::AggregateCall& call, const Columns& columns, Select& select);
  absl::StatusOr<AggregateTexts> CallTexts(const Select& select, const rewrite::AggregateCall& call);
  absl::StatusOr<std::string> OrderText(const Select& select, const std::vector<rewrite::OrderKey>& keys);
  absl::StatusOr<std::string> ListText(const Select& select, const std::vector<rewrite::ScalarPtr>& scalars);

  // emit_window.cc
  absl::StatusOr<Select> BuildWindow(const rewrite::Window& window);
  absl::StatusOr<Sql> WindowCallText(const Select& select, const rewrite::Window::Call& call);
  absl::StatusOr<std::string> OverText(const Select& select, const rewrite::Window::Call& call);
  absl::StatusOr<RangeTexts> FrameBounds(const Select& select, const rewrite::WindowFramePlan& frame);
  absl::StatusOr<std::string> OffsetText(const Select& select, const rewrite::Scalar* offset);

  // emit_newest.cc. Makes a query for the newest rows find their positions before it reads their other columns; returns
  // whether it could.
  bool FindRowsFirst(Select& select);
  // Returns the query, of which FindRowsFirst has made `select`, with packed records; nullopt: the result has none.
  absl::StatusOr<std::optional<PackedForm>> WithPackedRecords(Select select, const Columns& columns);

  // emit_with.cc
  absl::StatusOr<Select> BuildWith(const rewrite::With& with, bool ordered);
  absl::StatusOr<Select> BuildCteScan(const rewrite::CteScan& scan);
  absl::StatusOr<Select> BuildSetOperation(const rewrite::SetOperationPlan& operation);
  absl::StatusOr<std::string> EntryText(const rewrite::WithEntry& entry);
  absl::StatusOr<std::string> SetOperationText(const rewrite::SetOperationPlan& operation,
                                               const std::vector<std::string>& aliases);
  absl::StatusOr<std::string> InputText(Select select, const Columns& from, const Columns& to,
                                        const std::vector<std::string>& aliases);
  // Entries are asked about in their order.
  bool IsMaterialized(const rewrite::WithEntry& entry);
  int64_t NodesOf(const rewrite::Plan& plan) const;

  // emit_select.cc
  // Returns the SELECT with exactly these columns in this order, with these names.
  std::string Exactly(Select select, const Columns& columns, const std::vector<std::string>& aliases);
  // Returns distinct names for the columns.
  std::vector<std::string> AliasesOf(const Columns& columns) const;
  // Returns the SELECT with those of the columns that something refers to, and possibly others.
  std::string AtLeast(const Select& select, Columns& columns);
  // Turns the SELECT into a derived table of a new one.
  void Wrap(Select& select, const Columns& columns);
  // The same, but moves ORDER BY and LIMIT to the new one.
  void WrapUnderOrder(Select& select, const Columns& columns);
  // Wraps the SELECT if the scalars refer to columns that its select list computes.
  void WrapIfRefers(Select& select, const Columns& columns, const rewrite::ColumnSet& referenced);
  std::string Print(const Select& select, const std::vector<Item>& items);
  std::string GroupByText(const Select& select, const std::vector<Item>& items) const;
  std::string OrderByText(const Select& select, const std::vector<Item>& items);
  Columns MissingForClauses(const Select& select, const Columns& columns) const;
  std::string Alias(const rewrite::PlanColumn& column) const;
  // Returns a new column that the emitter adds.
  rewrite::PlanColumn Hidden(std::string name, Type type);
  const Known& Find(const Select& select, ColumnId id);
  Columns Needed(const Columns& columns) const;

  // emit_scalar.cc. References are looked up in `select`, then in the enclosing SELECTs.
  absl::StatusOr<Text> ScalarText(const Select& select, const rewrite::Scalar& scalar);
  absl::StatusOr<Text> Scalar(const rewrite::Scalar& scalar);
  absl::StatusOr<Text> ScalarOfKind(const rewrite::Scalar& scalar);
  absl::StatusOr<Text> ColumnText(const rewrite::ColumnRef& ref);
  absl::StatusOr<Text> ParameterText(const rewrite::ParameterRef& parameter);
  absl::StatusOr<Text> CallText(const rewrite::FunctionCall& call);
  absl::StatusOr<Text> CastText(const rewrite::Cast& cast);
  absl::StatusOr<Text> CaseText(const rewrite::Case& branches);
  absl::StatusOr<Text> LambdaText(const rewrite::LambdaScalar& lambda);
  absl::StatusOr<Texts> Sqls(const std::vector<rewrite::ScalarPtr>& scalars);
  // Returns an array's text, converted from a record if it is stored as one.
  absl::StatusOr<Text> ScalarTextOfArray(const Select& select, const rewrite::Scalar& scalar);

  // emit_subquery.cc
  absl::StatusOr<Text> SubqueryText(const rewrite::SubqueryScalar& subquery);
  absl::StatusOr<std::string> ArraySubquery(const rewrite::SubqueryScalar& subquery);

  std::string NewTableName() { return base::StrCat("t", ++tables_); }
  std::string NewQueryName() { return base::StrCat("q", ++queries_); }

  // Collects the operands of a condition's nested ANDs.

  const rewrite::QueryPlan& plan_;
  const SqlDialect& dialect_;
  std::vector<Slot> slots_;
  absl::flat_hash_map<int, Entry> entries_;
  std::optional<sql::Span> failed_;
  base::NameSet taken_;                // names of tables, which WITH entries can't use
  rewrite::ColumnSet needed_;          // columns that anything refers to
  std::vector<const Select*> scopes_;  // innermost last
  absl::flat_hash_map<ColumnId, Text> lambda_parameters_;
  Foreseen operands_;  // the operands written so far of the current scalar
  int tables_ = 0;
  int queries_ = 0;
  ColumnId next_hidden_ = -1;
  absl::Status broken_;  // the first unreachable column: a defect in a pass
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_EMITTER_IMPL_H_
