// The resolver's implementation. One object resolves one statement. Its functions are grouped below by the files that
// define them.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVER_IMPL_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVER_IMPL_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/rewrite/plan.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/own_records.h"
#include "lib/rewrite/resolve/resolve_state.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/rewrite/resolve/scope.h"

namespace logquery::rewrite {

class Resolver {
 public:
  Resolver(std::string_view text, const ResolveOptions& options, QueryPlan* query)
      : text_(text), options_(options), query_(query) {}

  absl::StatusOr<Named> ResolveQuery(const sql::Query& query, const Scope* outer);
  // Resolves the entries of a WITH clause and makes them visible to everything resolved afterwards.
  absl::StatusOr<std::vector<WithEntry>> ResolveWith(const sql::Query& query, const Scope* outer);

  // As above, for an endpoint's WITH clause: entries that neither `query` nor the entries it reads use are registered
  // but not resolved.
  absl::StatusOr<std::vector<WithEntry>> ResolveEntriesRead(const sql::Query& endpoint, const sql::Query& query);

  // Marks the following text as a caller's.
  void EnterSandbox(std::string_view text, const std::vector<std::string>& private_ctes, SandboxUse* use);

 private:
  struct SelectParts;
  class CteScope;
  friend class CteScope;

  // resolve_query.cc, resolve_with.cc
  absl::StatusOr<Named> ResolveCore(const sql::Query& query, const Scope* outer);
  absl::Status ResolveEntries(const std::vector<sql::Cte>& ctes, bool recursive, const Scope* outer,
                              std::vector<WithEntry>& entries);
  absl::StatusOr<WithEntry> ResolveCte(const sql::Cte& cte, bool recursive, const Scope* outer);
  absl::StatusOr<Named> ResolveRecursionBase(const sql::Cte& cte, const sql::SetOperation& body, const Scope* outer);
  absl::StatusOr<WithEntry> ResolveRecursiveCte(const sql::Cte& cte, const sql::SetOperation& body, const Scope* outer);
  absl::StatusOr<Named> ResolveBody(const sql::QueryBody& body, const Scope* outer,
                                    const std::vector<sql::OrderItem>* order_by);
  absl::StatusOr<Named> OrderOutput(Named input, const std::vector<sql::OrderItem>& items, const Scope* outer);
  absl::StatusOr<PlanPtr> ApplyLimit(PlanPtr plan, const sql::Expr* limit, const sql::Expr* offset);
  absl::StatusOr<ScalarPtr> ResolveCount(const sql::Expr& expr, const char* clause);
  OrderKey MakeKey(const sql::OrderItem& item, ScalarPtr value);
  absl::Status CheckOrder(const sql::OrderItem& item, const Scalar& value);

  // resolve_set_operation.cc. `spans` are the inputs' source texts.
  using Spans = std::vector<sql::Span>;
  absl::StatusOr<Named> ResolveSetOperation(const sql::SetOperator& op, std::vector<Named> inputs, const Spans& spans);
  absl::Status CheckNames(const Named& input, sql::Span span);
  absl::StatusOr<std::vector<std::string>> MatchedNames(const sql::SetOperator& op, const std::vector<Named>& inputs,
                                                        const Spans& spans);
  absl::Status MatchByName(const sql::SetOperator& op, std::vector<Named>& inputs, const Spans& spans);
  absl::StatusOr<Type> CommonColumnType(const sql::SetOperator& op, const std::vector<Named>& inputs, size_t column,
                                        const Spans& spans);
  absl::StatusOr<PlanPtr> CastColumns(PlanPtr input, const std::vector<Type>& types, sql::Span span);
  absl::StatusOr<PlanPtr> CombineInputs(const sql::SetOperator& op, std::vector<Named> inputs, const Spans& spans,
                                        std::vector<VisibleName>& names);

  // resolve_select.cc
  absl::StatusOr<Named> ResolveSelect(const sql::Select& select, const Scope* outer,
                                      const std::vector<sql::OrderItem>* order_by);
  absl::Status ResolveItems(const std::vector<sql::SelectItem>& items, const ExprContext& context, SelectParts& parts);
  absl::Status ResolveItem(const sql::SelectItem& item, const ExprContext& context, SelectParts& parts);
  absl::Status ExpandStar(const sql::SelectItem& item, const ExprContext& context, SelectParts& parts);

  // resolve_group_by.cc
  absl::Status ResolveGroupBy(const sql::GroupBy& group_by, SelectParts& parts);
  absl::StatusOr<int> ResolveKey(const sql::Expr& expr, SelectParts& parts);
  static void ShowKey(size_t place, const PlanColumn& key, SelectParts& parts);
  static int ItemNamed(std::string_view name, const SelectParts& parts);
  absl::Status GroupByAll(SelectParts& parts);
  absl::Status ResolveGroupItem(const sql::GroupItem& item, SelectParts& parts, std::vector<std::vector<int>>& sets);
  absl::Status ApplyAggregate(SelectParts& parts);
  absl::Status ApplyHavingModifiers(Aggregate& aggregate);
  bool IsMadeOfKeys(const Scalar& scalar, const SelectParts& parts) const;
  absl::Status ReplaceKeys(ScalarPtr& scalar, const SelectParts& parts);
  absl::Status ReplaceInPlan(Plan& plan, const SelectParts& parts);
  absl::Status ReplaceInWindows(SelectParts& parts);
  absl::Status ReplaceKeysIfAggregated(ScalarPtr& scalar, const SelectParts& parts);

  // resolve_select.cc, after GROUP BY
  PlanPtr AddWindows(PlanPtr input, SelectState& state);
  absl::Status ResolveOrderBy(const std::vector<sql::OrderItem>& items, SelectParts& parts);
  absl::StatusOr<ScalarPtr> ResolveOrderExpr(const sql::Expr& expr, SelectParts& parts);
  absl::StatusOr<std::vector<PlanColumn>> DistinctColumns(SelectParts& parts);
  ScalarPtr ShownAs(const Scalar& scalar, const SelectParts& parts, const std::vector<PlanColumn>& columns);
  absl::Status ReplaceItems(ScalarPtr& scalar, const SelectParts& parts, const std::vector<PlanColumn>& columns);
  absl::StatusOr<Named> FinishSelect(const sql::Select& select, SelectParts& parts);
  absl::StatusOr<Named> AsStruct(const sql::Select& select, Named row);

  // resolve_from.cc, resolve_join.cc, resolve_unnest.cc
  struct FromResult {
    PlanPtr plan;
    Scope scope;
  };
  // `left` is the preceding part of the same FROM clause, whose columns the item may unnest; nullptr: there is none.
  absl::StatusOr<FromResult> ResolveFrom(const sql::FromItem& item, const Scope* outer, FromResult* left);
  absl::StatusOr<FromResult> ResolveTable(const sql::TableItem& item, const Scope* outer, FromResult* left);
  absl::StatusOr<FromResult> ScanTable(const sql::TableItem& item, const Table& table, const std::string& alias,
                                       const Scope* outer);
  absl::StatusOr<FromResult> ScanCte(const sql::TableItem& item, const CteInfo& cte, const std::string& alias,
                                     const Scope* outer);
  // Tells the observer, if there is one, which columns the item makes.
  void Report(const sql::FromItem& item, const std::string& entry, bool of_endpoint,
              const std::vector<VisibleName>& names);
  // Counts scanned columns, because they can double with each WITH entry that reads the previous entry twice.
  absl::Status CountScanned(sql::Span place, size_t columns);
  // resolve_view.cc
  absl::StatusOr<FromResult> ReadView(const sql::TableItem& item, const View& view, const std::string& alias,
                                      const Scope* outer);
  void RedactColumns(const std::string& kinds, Named& named);
  absl::StatusOr<FromResult> FromNamed(Named named, const std::string& alias, const Scope* outer);
  absl::StatusOr<FromResult> ResolveJoin(const sql::JoinItem& item, const Scope* outer, FromResult* left);
  absl::StatusOr<FromResult> JoinWith(const sql::JoinItem& item, FromResult left, const Scope* outer);
  absl::StatusOr<FromResult> JoinUsing(const sql::JoinItem& item, FromResult left, FromResult right,
                                       const Scope* outer);
  absl::StatusOr<FromResult> JoinUnnest(const sql::JoinItem& item, FromResult left, const Scope* outer);
  // resolve_record.cc
  struct AbsentSide {
    ColumnSet columns;
    std::optional<PlanColumn> present = std::nullopt;  // NULL if the row is absent
  };
  AbsentSide MarkRows(FromResult& side);
  // Marks the sides of a join whose rows may be absent, for ReadWithRow.
  std::vector<AbsentSide> MarkAbsentSides(sql::JoinItem::Type type, FromResult& left, FromResult& right);
  // Makes the side's record names read as NULL where its row is absent.
  void ReadWithRow(const AbsentSide& side, Scope& scope);
  ScalarPtr ReadField(ScalarPtr base, int field, sql::Span span);
  // Returns whether the type is that of a record of a log of one's own.
  bool IsOwnRecord(const Type& type);
  // Returns such a record itself if `value` reads one of a row that may be absent; another value unchanged.
  ScalarPtr ReadOwnRecord(ScalarPtr value);
  // Returns the one element of a record of a log of one's own, which is NULL where the record is absent; another value unchanged.
  ScalarPtr ElementOfOwnRecord(ScalarPtr value);
  struct UnnestParts {
    std::vector<ScalarPtr> arrays;
    std::vector<std::string> aliases;
    std::optional<std::string> offset_alias;
    sql::Span span;
  };
  absl::StatusOr<UnnestParts> ResolveUnnestParts(const sql::FromItem& item, const Scope& visible);
  absl::StatusOr<FromResult> MakeUnnest(const sql::FromItem& item, UnnestParts parts, PlanPtr input,
                                        const Scope* outer);
  bool IsArrayPath(const sql::FromItem& item, const Scope& visible) const;
  absl::Status UnknownTable(const sql::TableItem& item, const std::string& name);
  // Gives every visible name a column of its own, also if it is a field or shares its column with another name.
  void Flatten(FromResult& from, sql::Span span);
  // Returns the visible columns as a query's output.
  Named ToNamed(FromResult from, sql::Span span);

  // resolve_pivot.cc
  absl::StatusOr<FromResult> ResolvePivot(const sql::PivotItem& item, FromResult input, const Scope* outer);
  absl::StatusOr<AggregateCall> ResolvePivotCall(const sql::Expr& expr, const ExprContext& context, Type& type);
  absl::StatusOr<ScalarPtr> ResolvePivotValue(const sql::Expr& expr, const Type& type);
  absl::StatusOr<FromResult> ResolveUnpivot(const sql::UnpivotItem& item, FromResult input, const Scope* outer);
  struct UnpivotRow;
  absl::StatusOr<std::vector<UnpivotRow>> ResolveUnpivotRows(const sql::UnpivotItem& item, const FromResult& input);
  absl::StatusOr<Type> CoerceUnpivotColumn(std::vector<UnpivotRow>& rows, size_t column, sql::Span span);

  // resolve_expr.cc, resolve_literal.cc, resolve_name.cc, resolve_operator.cc, resolve_equal.cc, resolve_subquery.cc
  absl::StatusOr<ScalarPtr> ResolveExpr(const sql::Expr& expr, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveExprOfKind(const sql::Expr& expr, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveIsTest(const sql::IsTest& test, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveBool(const sql::Expr& expr, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveLiteral(const sql::Literal& literal);
  absl::StatusOr<ScalarPtr> ResolveInterval(const sql::IntervalExpr& expr, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveParameter(const sql::ParameterExpr& parameter);
  absl::StatusOr<ScalarPtr> ResolvePath(const sql::PathExpr& path, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveFields(ScalarPtr base, const std::vector<sql::Identifier>& names, size_t from);
  absl::StatusOr<ScalarPtr> GetField(ScalarPtr base, const sql::Identifier& name);
  absl::Status ArrayOfRecordsError(const std::vector<sql::Identifier>& names, size_t field) const;
  absl::StatusOr<ScalarPtr> ResolveSubscript(const sql::Subscript& subscript, const ExprContext& context);
  absl::StatusOr<ScalarPtr> StructAt(const sql::Subscript& subscript, ScalarPtr base, ScalarPtr index);
  absl::StatusOr<ScalarPtr> MakeEqual(ScalarPtr a, ScalarPtr b, sql::Span span);
  absl::StatusOr<ScalarPtr> MakeIn(ScalarPtr value, std::vector<ScalarPtr> candidates, sql::Span span);
  absl::StatusOr<ScalarPtr> StructInRows(ScalarPtr value, PlanPtr rows, sql::Span span);
  absl::Status RefuseNull(const sql::Expr& operand);
  static Scope ScopeOfSubquery(const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveUnary(const sql::Unary& unary, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveIn(const sql::InExpr& in, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveInSubquery(const sql::InExpr& in, ScalarPtr value, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveLike(const sql::LikeExpr& like, const ExprContext& context);
  absl::StatusOr<ScalarPtr> LikeList(const sql::LikeExpr& like, ScalarPtr value, std::vector<ScalarPtr> patterns,
                                     bool any);
  absl::StatusOr<ScalarPtr> LikeRows(const sql::LikeExpr& like, ScalarPtr value, bool any, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveCase(const sql::CaseExpr& expr, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveCastZone(const sql::CastExpr& cast, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ClockIn(ScalarPtr timestamp, ScalarPtr zone, const sql::CastExpr& cast);
  absl::StatusOr<ScalarPtr> FormatTime(const sql::CastExpr& cast, ScalarPtr value, ScalarPtr format,
                                       const ExprContext& context);
  absl::StatusOr<ScalarPtr> ReadTime(const sql::CastExpr& cast, ScalarPtr value, ScalarPtr format,
                                     const ExprContext& context);
  absl::Status CheckTypeParameters(const sql::TypeName& type);
  absl::StatusOr<ScalarPtr> ApplyTypeParameters(const sql::TypeName& type, const sql::CastExpr& cast, ScalarPtr value);
  absl::StatusOr<ScalarPtr> ResolveCastParts(const sql::Expr& expr, const sql::TypeName& type,
                                             const sql::CastExpr& cast, const ExprContext& context);
  // CAST(expr AS type), of the whole cast or of a part of it.
  absl::StatusOr<ScalarPtr> ResolveCastOf(const sql::Expr& expr, const sql::TypeName& type, const sql::CastExpr& cast,
                                          const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveCast(const sql::CastExpr& cast, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveExtract(const sql::ExtractExpr& extract, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveStruct(const sql::StructExpr& expr, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveArray(const sql::ArrayExpr& expr, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveWithExpr(const sql::WithExpr& with, const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveSubquery(const sql::SubqueryExpr& expr, const ExprContext& context);
  ScalarPtr NameToScalar(const VisibleName& name, sql::Span span);
  absl::StatusOr<ScalarPtr> RangeToScalar(const RangeVariable& range, sql::Span span);
  // The path's first name is unknown.
  absl::Status UnknownName(const sql::PathExpr& path, const ExprContext& context);
  std::string UnknownNameHint(const sql::PathExpr& path, const ExprContext& context);
  // Resolve what an operator compares with `other`, or with each of these.
  absl::StatusOr<ScalarPtr> ResolveBeside(const Scalar& other, const sql::Expr& expr, const ExprContext& context);
  absl::StatusOr<std::vector<ScalarPtr>> ResolveAllBeside(const Scalar& other, const std::vector<sql::ExprPtr>& exprs,
                                                          const ExprContext& context);
  absl::StatusOr<std::vector<ScalarPtr>> ResolveAll(const std::vector<sql::ExprPtr>& exprs, const ExprContext& context);

  // resolve_call.cc, resolve_overload.cc, resolve_window.cc
  absl::StatusOr<ScalarPtr> ResolveCall(const sql::Call& call, const ExprContext& context);
  absl::StatusOr<const Function*> FindCalled(const sql::Call& call);
  absl::StatusOr<ScalarPtr> ResolveSpecial(const sql::Call& call, const std::string& name, const ExprContext& context,
                                           bool& handled);
  absl::StatusOr<ScalarPtr> ResolveAggregate(const sql::Call& call, const Function& function,
                                             const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveWindow(const sql::Call& call, const Function& function, const ExprContext& context);
  absl::StatusOr<AggregateCall> ResolveAggregateCall(const sql::Call& call, const Function& function,
                                                     const ExprContext& context, Type& type);
  absl::Status ResolveWindowSpec(const sql::WindowSpec& spec, const ExprContext& context, Window::Call& out, int depth);
  absl::StatusOr<WindowFramePlan> ResolveFrame(const sql::WindowFrame& written, const ExprContext& context,
                                               const Window::Call& call);
  absl::StatusOr<ScalarPtr> ResolveFrameOffset(const sql::Expr& expr, const Type& type, const ExprContext& context);
  absl::StatusOr<std::vector<ScalarPtr>> ResolveArguments(const sql::Call& call, const Function& function,
                                                          const ExprContext& context);
  absl::StatusOr<ScalarPtr> ResolveLambda(const sql::Lambda& lambda, const std::vector<ScalarPtr>& before,
                                          const ExprContext& context);
  // Picks the function's overload for these arguments and coerces them to it; sets `type` to the result's type.
  absl::Status CheckLambda(const Scalar& lambda, const Function& function, bool picks);
  absl::StatusOr<const Overload*> PickOverload(const Function& function, std::vector<ScalarPtr>& arguments, Type& type,
                                               sql::Span span);
  absl::StatusOr<ScalarPtr> MakeCall(std::string_view name, std::vector<ScalarPtr> arguments, sql::Span span);
  absl::StatusOr<ScalarPtr> MakeCall(std::string_view function, ScalarPtr a, sql::Span span);
  absl::StatusOr<ScalarPtr> MakeCall(std::string_view function, ScalarPtr a, ScalarPtr b, sql::Span span);

  // resolve_pipe.cc, resolve_pipe_rows.cc
  struct PipeState;
  absl::StatusOr<Named> ResolvePipes(const sql::Query& query, const Scope* outer, std::vector<WithEntry>& entries);
  absl::StatusOr<PipeState> BeginPipes(const sql::Query& query, const Scope* outer);
  absl::Status ResolvePipe(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer);
  absl::Status PipeWhere(const sql::PipeOperator& pipe, PipeState& state);
  absl::Status PipeSelect(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer);
  absl::Status PipeExtend(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer);
  absl::Status PipeSet(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer);
  absl::Status PipeDrop(const sql::PipeOperator& pipe, PipeState& state);
  absl::Status PipeRename(const sql::PipeOperator& pipe, PipeState& state);
  absl::Status PipeAs(const sql::PipeOperator& pipe, PipeState& state);
  absl::Status PipeAggregate(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer);
  absl::Status PipeGroupBy(const sql::GroupBy& group_by, SelectParts& parts);
  absl::Status AddPipeOrder(sql::Span span, bool descending, sql::NullsOrder nulls, size_t item, SelectParts& parts);
  absl::Status PipeOrderBy(const sql::PipeOperator& pipe, PipeState& state);
  absl::Status PipeDistinct(const sql::PipeOperator& pipe, PipeState& state);
  absl::Status PipeSetOperation(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer);
  absl::Status FinishPipeExprs(SelectState& select, sql::Span span, PlanPtr& plan);
  absl::StatusOr<VisibleName*> FindPipeColumn(const sql::Identifier& name, const char* clause, PipeState& state);

  absl::Status Error(sql::Span place, std::string_view message, std::vector<std::string> nearest = {}) const;
  absl::Status Unsupported(sql::Span place, std::string_view message) const;
  // Adds this place to `status` if it has none.
  absl::Status At(sql::Span place, const absl::Status& status) const;
  absl::StatusOr<ScalarPtr> CoerceAt(ScalarPtr scalar, const Type& type, const char* what);
  // InvalidArgument: the expression is too large to be written so often.
  absl::Status CheckRepeatable(const Scalar& scalar, size_t times, sql::Span span) const;
  PlanColumn NewColumn(std::string name, Type type) { return query_->NewColumn(std::move(name), std::move(type)); }
  const CteInfo* FindCte(std::string_view name) const;

  std::string_view text_;
  const ResolveOptions& options_;
  QueryPlan* query_;
  ColumnSet never_null_;       // STRUCT columns that are present in every row
  std::vector<CteInfo> ctes_;  // currently visible; the latest is last
  // Records a name that the caller's text uses in that list of `use_`.
  void NoteUse(std::vector<std::string> SandboxUse::*list, const std::string& name);

  OwnRecords own_records_{options_.catalog};
  size_t scanned_columns_ = 0;  // by all FROM clauses so far
  bool in_sandbox_ = false;
  SandboxUse* use_ = nullptr;               // nullptr: names are not recorded
  std::vector<std::string> sandbox_names_;  // the endpoint's CTEs, whose names callers can't redefine
  const std::vector<sql::Identifier>* table_names_ = nullptr;  // what the statement reads; nullptr: not known
  int views_read_ = 0;
  int* count_of_views_ = &views_read_;  // inside a view: the counter of the query that reads it
};

// Returns the overload's pattern for argument i; nullptr if it has no such argument.
const ParameterPattern* PatternAt(const Overload& overload, size_t i);

// Returns the record as an array that is NULL where its row is absent (resolve_record.cc).
ScalarPtr MakeRecordOfRow(ScalarPtr record, ScalarPtr row);
// For UNNEST, which treats NULL like an empty array: returns the record itself if the array was made from one.
ScalarPtr ReadAsRecord(ScalarPtr array);

// Returns a constant with this place.
ScalarPtr MakeLiteral(Value value, sql::Span span);

// Returns the name of a SELECT item without an alias: the last name of a path, or an empty name.
std::string ImplicitName(const sql::Expr& expr);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVER_IMPL_H_
