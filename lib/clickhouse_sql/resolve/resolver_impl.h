// The resolver's implementation. One object resolves one statement. Its functions are grouped by the files that define
// them.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_RESOLVER_IMPL_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_RESOLVER_IMPL_H_

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/clickhouse_sql/ast.h"
#include "lib/clickhouse_sql/resolve/resolver.h"
#include "lib/clickhouse_sql/resolve/type.h"
#include "lib/clickhouse_sql/resolve/value.h"
#include "lib/rewrite/column_set.h"
#include "lib/rewrite/plan.h"

namespace logquery::clickhouse_sql {

using rewrite::ColumnId;
using rewrite::PlanColumn;
using rewrite::PlanPtr;

// A column of a FROM item or of a query's result.
struct RelColumn {
  enum class Role {
    kPlain,
    kMap,        // log_attributes: JSON in the plan
    kAttribute,  // hidden: the value of one key, stored or as text; NULL if absent
  };
  std::string table;
  std::string name;
  PlanColumn column;
  ChType type;  // of an attribute: that of the stored value
  Role role = Role::kPlain;
  std::string key = {};
  bool merged = false;  // of a join with USING: the column of both sides
};

// The union of logs below a relation, as long as nothing but projections and filters stand between them.
struct LogsView {
  rewrite::SetOperationPlan* set = nullptr;
  std::vector<std::string> sources;  // of the inputs of `set`
  // The columns of the relation that are the log's name, the row's time and its project, by their index in `set`.
  std::map<ColumnId, size_t> shown;
  size_t source = 0, time = 0, project = 0;
};

struct Relation {
  PlanPtr plan;
  std::vector<RelColumn> columns;
  std::shared_ptr<LogsView> logs = nullptr;
};

// The keys of log_attributes that a SELECT reads by a literal, and whether it needs all of them.
struct WantedKeys {
  std::set<std::string> keys;
  bool whole = false;
  bool star = false;  // it has `*`
};

// One SELECT while it is resolved.
struct SelectScope {
  enum class Clause { kRows, kGroups };  // before GROUP BY: no aggregates
  const Select* select = nullptr;
  Relation rows;
  std::map<std::string, const Expr*> aliases;
  std::map<std::string, Ex> resolved;  // aliases
  std::set<std::string> resolving;
  Clause clause = Clause::kRows;
  bool in_aggregate = false;
  bool in_window = false;
  std::vector<rewrite::Aggregate::Call> calls;
  std::vector<rewrite::Window::Call> windows;
  rewrite::ColumnSet made;  // columns of calls and windows
  std::vector<std::pair<std::string, Ex>> lambda_names;
  std::vector<std::pair<ScalarPtr, PlanColumn>> array_joins;
  std::vector<rewrite::Computed> keys;
  std::vector<ChType> key_types;
  ScalarPtr qualify;  // nullptr: there is none
};

class Resolver {
 public:
  Resolver(std::string_view text, const ResolveOptions& options, rewrite::QueryPlan* query)
      : text_(text), options_(options), query_(query) {}

  // Callers' SQL reads the entries of this definition instead of logs.
  void EnterSandbox(const Definition& definition, rewrite::SandboxUse* use);

  absl::Status Run(const Query& query);

  // ---- for the functions' files

  absl::StatusOr<Ex> ResolveExpr(const Expr& expr, SelectScope& scope);
  absl::Status Error(Span span, std::string_view message, std::vector<std::string> nearest = {}) const;
  absl::StatusOr<ScalarPtr> ToBool(Ex value, Span span);
  // The value with its plain scalar: a condition becomes 0 or 1.
  Ex Plain(Ex value);
  absl::StatusOr<Ex> Convert(Ex value, const ChType& type, Span span);
  absl::StatusOr<ChType> Common(const std::vector<const ChType*>& types, Span span);
  absl::StatusOr<Ex> Compare(const std::string& function, Ex a, Ex b, Span span);
  absl::StatusOr<Ex> CastValue(Ex value, const ChType& type, Span span);
  absl::StatusOr<Ex> CastParts(Ex value, const ChType& type, Span span);
  absl::StatusOr<ScalarPtr> ToText(Ex value, Span span);
  absl::StatusOr<ScalarPtr> ElementText(Ex value, Span span);
  absl::StatusOr<ScalarPtr> ToFloat(Ex value, Span span);
  absl::StatusOr<ScalarPtr> ToInt(Ex value, Span span);
  // Converts to a time; a literal text is read as one.
  absl::StatusOr<ScalarPtr> ToTime(Ex value, Span span);
  absl::StatusOr<std::string> WantText(const Ex& value, Span span, std::string_view what);
  absl::StatusOr<int64_t> WantInt(const Ex& value, Span span, std::string_view what);
  absl::StatusOr<Ex> ResolveLambda(const Expr& lambda, const std::vector<ChType>& parameters, SelectScope& scope);
  PlanColumn NewColumn(std::string name, Type type) { return query_->NewColumn(std::move(name), std::move(type)); }
  absl::StatusOr<const RelColumn*> FindAttribute(const Expr& map, const std::string& key, SelectScope& scope);
  absl::Status CheckSize(const Ex& value, Span span);

 private:
  struct Named {
    const Query* query = nullptr;  // a WITH entry
    const Expr* value = nullptr;   // or WITH expr AS name
    int entry = -1;                // the resolved entry's id
    std::vector<RelColumn> columns;
    bool resolving = false;
  };
  using Names = std::map<std::string, Named>;

  // resolve_query.cc
  absl::StatusOr<Relation> ResolveQuery(const Query& query, const WantedKeys* wanted);
  absl::StatusOr<Relation> ResolvePart(const Query::Part& part, const WantedKeys* wanted);
  absl::StatusOr<Relation> Unite(Relation left, Relation right, bool distinct, Span span);
  absl::StatusOr<Relation> Distinct(Relation rows);
  absl::StatusOr<Relation> ConvertColumns(Relation rows, const std::vector<ChType>& types, Span span);
  absl::Status Finish(Relation rows);
  absl::StatusOr<ScalarPtr> AnswerForm(Ex value, Span span);

  // resolve_select.cc, aliases.cc, groups.cc, order.cc
  absl::StatusOr<Relation> ResolveSelect(const Select& select, const WantedKeys* wanted);
  absl::Status CollectAliases(const Select& select, SelectScope& scope);
  absl::Status AddAliases(const Expr& expr, SelectScope& scope);
  absl::Status ApplyWhere(const Expr* condition, SelectScope& scope);
  absl::Status ApplyArrayJoin(const Select& select, SelectScope& scope);
  void AddArrayJoins(SelectScope& scope);
  absl::Status ResolveKeys(const Select& select, SelectScope& scope);
  absl::Status ReplaceKeys(ScalarPtr& scalar, SelectScope& scope, Span span);
  absl::Status CheckGrouped(const Ex& value, SelectScope& scope, Span span);
  struct Item {
    RelColumn column;
    Ex value;
    Span span;
  };
  absl::StatusOr<std::vector<Item>> ResolveItems(const Select& select, SelectScope& scope);
  absl::Status ExpandStar(const Expr& star, SelectScope& scope, std::vector<Item>& items);
  struct SortKey {
    Ex value;
    Span span;
    bool descending = false;
    bool nulls_first = false;
  };
  absl::StatusOr<std::vector<SortKey>> ResolveOrder(const Select& select, const std::vector<Item>& items,
                                                    SelectScope& scope);
  absl::StatusOr<Ex> ResolveOrdinal(const Expr& expr, const std::vector<Item>& items, SelectScope& scope);
  absl::Status BuildGroups(SelectScope& scope, const Select& select);
  std::vector<rewrite::OrderKey> MakeKeys(const std::vector<SortKey>& keys);
  absl::StatusOr<Relation> BuildRows(const Select& select, std::vector<Item> items, std::vector<SortKey> keys,
                                     SelectScope& scope);
  absl::StatusOr<PlanPtr> ApplyLimits(const Select& select, PlanPtr plan, const std::vector<rewrite::OrderKey>& order,
                                      std::vector<ScalarPtr> by, SelectScope& scope);
  absl::StatusOr<int64_t> ResolveCount(const Expr& expr, std::string_view what, SelectScope& scope);

  // fill.cc
  absl::StatusOr<int64_t> FillStep(const OrderItem& item, const ChType& type, SelectScope& scope);
  absl::StatusOr<ScalarPtr> FillBound(const Expr* bound, const ChType& type, SelectScope& scope);
  ScalarPtr EntryExtreme(int id, const std::vector<RelColumn>& columns, size_t key, bool greatest);
  absl::StatusOr<PlanPtr> FillRows(const OrderItem& item, PlanPtr plan, std::vector<RelColumn>& columns,
                                   SortKey& sorted, SelectScope& scope);

  // resolve_from.cc
  absl::StatusOr<Relation> ResolveFrom(const From& from, const WantedKeys& wanted);
  absl::StatusOr<Relation> ResolveTable(const From& from, const WantedKeys& wanted);
  absl::StatusOr<Relation> ReadEntry(const std::string& name, Named& named, const From& from);
  absl::StatusOr<Relation> ReadDefinition(const std::string& name, const Query& query, const WantedKeys& wanted);
  Relation AddEntry(const std::string& name, Relation rows, bool endpoint);
  Relation ScanEntry(int id, const std::vector<RelColumn>& columns);
  absl::StatusOr<Relation> ResolveJoin(const From& from, const WantedKeys& wanted);
  absl::StatusOr<std::vector<std::pair<RelColumn, RelColumn>>> UsingColumns(const From& from, const Relation& left,
                                                                            const Relation& right) const;
  absl::StatusOr<Relation> MergeUsing(const From& from, Relation rows,
                                      const std::vector<std::pair<RelColumn, RelColumn>>& pairs);
  Relation FillAbsent(Relation rows, size_t begin, size_t end);
  absl::Status UnknownTable(const From& from) const;

  // resolve_logs.cc, logs_filters.cc
  absl::StatusOr<Relation> ReadLogs(const WantedKeys& wanted);
  struct Branch;
  absl::StatusOr<Branch> MakeBranch(const Table& table, const WantedKeys& wanted);
  absl::StatusOr<Branch> MakeWhole(const Table& table, const WantedKeys& wanted);
  Relation MakeView(std::vector<Branch> branches, const WantedKeys& wanted);
  void PruneLogs(const rewrite::Scalar& condition, Relation& rows);
  bool PushIntoLogs(const rewrite::Scalar& condition, Relation& rows, bool trusted);
  void CollapseUnions();

  // resolve_name.cc
  absl::StatusOr<Ex> ResolveName(const Expr& name, SelectScope& scope);
  absl::StatusOr<Ex> ResolveAlias(const std::string& name, const Expr& expr, SelectScope& scope);
  absl::StatusOr<const RelColumn*> FindColumn(const Expr& name, SelectScope& scope) const;
  absl::Status UnknownColumn(const Expr& name, const SelectScope& scope) const;
  Ex ReadColumn(const RelColumn& column);
  absl::StatusOr<Ex> ResolveParameter(const Expr& parameter);
  absl::StatusOr<Ex> ResolveNumber(const Expr& number);

  // resolve_expr.cc, compare.cc
  absl::StatusOr<Ex> ResolveKind(const Expr& expr, SelectScope& scope);
  absl::StatusOr<Ex> ResolveOfKind(const Expr& expr, SelectScope& scope);
  absl::StatusOr<Ex> ResolveCall(const Expr& call, SelectScope& scope);
  absl::StatusOr<Ex> ResolveElement(const Expr& call, SelectScope& scope);
  absl::StatusOr<Ex> ResolveIn(const Expr& call, SelectScope& scope);
  absl::StatusOr<Ex> InSubquery(Ex value, const Expr& rows, Span span);
  absl::StatusOr<Ex> ScalarSubquery(const Expr& subquery);
  absl::StatusOr<Ex> ResolveArrayJoin(const Expr& call, SelectScope& scope);
  absl::StatusOr<Ex> EqualText(const std::string& function, Ex& attribute, const std::string& text);

  // aggregates.cc, windows.cc
  absl::StatusOr<std::optional<Ex>> ResolveAggregate(const Expr& call, SelectScope& scope);
  absl::StatusOr<std::optional<Ex>> ResolveWindowFunction(const Expr& call, SelectScope& scope);
  absl::StatusOr<rewrite::WindowFramePlan> ResolveFrame(const Expr& call, const std::vector<ChType>& types,
                                                        rewrite::Window::Call& window, SelectScope& scope);
  absl::StatusOr<Ex> AddWindow(const Expr& call, rewrite::AggregateCall made, const Type& type, SelectScope& scope);

  std::string_view text_;
  const ResolveOptions& options_;
  rewrite::QueryPlan* const query_;
  const Definition* definition_ = nullptr;  // callers' SQL: the definition whose entries it reads
  bool in_definition_ = true;
  rewrite::SandboxUse* use_ = nullptr;
  std::vector<rewrite::WithEntry> entries_;
  std::vector<Names> names_;  // of the WITH clauses around
  WantedKeys keys_of_with_;   // read by WITH expr AS name, at any place
  int selects_ = 0;
  int64_t size_ = 0;
  int entry_count_ = 0;
};

// Collects the literal keys that a SELECT reads, not those of its subqueries.
WantedKeys KeysOf(const Select& select);
void AddKeys(const Expr& expr, WantedKeys& wanted);

// A call of a function with its resolved arguments.
struct CallArgs {
  Resolver& resolver;
  SelectScope& scope;
  const Expr& call;
  std::vector<Ex> args;

  size_t size() const { return args.size(); }
  Ex& operator[](size_t i) { return args[i]; }
  Span SpanOf(size_t i) const { return i < call.args.size() ? call.args[i]->span : call.span; }
  bool AnyNullable() const;
};

struct FunctionInfo {
  size_t least = 0;
  size_t most = 0;
  absl::StatusOr<Ex> (*resolve)(CallArgs& call) = nullptr;
  bool takes_lambda = false;     // lambdas are resolved by the function itself
  bool resolves_itself = false;  // all arguments are
};

// The functions that callers may use: by ClickHouse's name, some in any case. nullptr: there is none.
const FunctionInfo* FindFunction(std::string_view name);
// The allowed functions' names, sorted, for errors and documentation.
const std::vector<std::string>& FunctionNames();

// The argument as a text; another type is an error.
absl::StatusOr<ScalarPtr> TextAt(CallArgs& call, size_t i);
// The same, '' in place of NULL: for functions whose result can't be NULL.
absl::StatusOr<ScalarPtr> FilledTextAt(CallArgs& call, size_t i);
Ex TextOf(ScalarPtr value, bool nullable);
// The argument as a time. A text is not one: it must be converted.
absl::StatusOr<ScalarPtr> TimeAt(CallArgs& call, size_t i);
// The time zone that the argument names; `otherwise`: the call has no such argument.
absl::StatusOr<std::string> ZoneAt(CallArgs& call, size_t i, const std::string& otherwise);
absl::StatusOr<Ex> ArrayAt(CallArgs& call, size_t i);
// The array, or an error that names the function where the other one has another length.
ScalarPtr OfSameLength(ScalarPtr list, const ScalarPtr& other, const std::string& function);
// The array as rows of one column, for a subquery.
std::unique_ptr<rewrite::Unnest> ElementRows(ScalarPtr list, const PlanColumn& column);

using FunctionMap = std::map<std::string, FunctionInfo, std::less<>>;
void AddConditionFunctions(FunctionMap& functions);
void AddNumberFunctions(FunctionMap& functions);
void AddExtremeFunctions(FunctionMap& functions);
void AddConversionFunctions(FunctionMap& functions);
void AddTextFunctions(FunctionMap& functions);
void AddPatternFunctions(FunctionMap& functions);
void AddJsonFunctions(FunctionMap& functions);
void AddTimeFunctions(FunctionMap& functions);
void AddUnixTimeFunctions(FunctionMap& functions);
void AddArrayFunctions(FunctionMap& functions);
void AddLambdaFunctions(FunctionMap& functions);
void AddMapFunctions(FunctionMap& functions);

// The time without the digits of its fraction after the first ones.
ScalarPtr CutFraction(ScalarPtr time, int digits);

// The time of a text, or the first or last one of the type, a DateTime or a Date, where it has no such time.
ScalarPtr NearestIn(const ChType& type, ScalarPtr time);

// The type of a time to which units are added: milliseconds need a type that has them.
ChType SumType(const ChType& time, std::string_view unit);

// The canonical text of an expression, which names a column without an alias.
std::string CanonicalText(const Expr& expr);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_RESOLVER_IMPL_H_
