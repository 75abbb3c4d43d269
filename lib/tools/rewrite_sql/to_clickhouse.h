// Rewrites a GoogleSQL syntax tree over the nine logs as a ClickHouse one over `logs`. One object rewrites one query; its
// functions are grouped by the files that define them.
//
// A log's record is flattened: `r.path`, where r is unnested from `m.request`, is `log_attributes['request.path']`. An
// absent key is '' there, and NULL in BigQuery; so a text is read by `if(mapContains(…), …, NULL)`, but plainly where a
// condition is false for '' as it is for NULL.
#ifndef LOGQUERY_LIB_TOOLS_REWRITE_SQL_TO_CLICKHOUSE_H_
#define LOGQUERY_LIB_TOOLS_REWRITE_SQL_TO_CLICKHOUSE_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/clickhouse_sql/ast.h"
#include "lib/sql/ast.h"
#include "lib/tools/rewrite_sql/notes.h"
#include "lib/tools/rewrite_sql/resolved_names.h"
#include "logquery/catalog.h"

namespace logquery::tools {

namespace ch = clickhouse_sql;

// An expression in ClickHouse's SQL, and what the rewrite has to know of its value.
struct ChValue {
  ch::ExprPtr expr;
  Type type;                 // in GoogleSQL
  bool nullable = true;      // may be NULL in ClickHouse
  bool is_datetime = false;  // a TIMESTAMP or DATETIME that is a DateTime: whole seconds
};

struct ChColumn {
  std::string name;
  Type type;
  bool nullable = true;
  bool is_datetime = false;
};

class ToClickHouse {
 public:
  ToClickHouse(std::string_view text, const Catalog& catalog, const ResolvedNames& names, RewriteOptions options,
               Notes* notes)
      : text_(text), catalog_(catalog), names_(names), options_(options), notes_(notes) {}

  absl::StatusOr<ch::QueryPtr> Rewrite(const sql::Query& query);

 private:
  // Where an expression stands: a condition of which only the truth counts, so that NULL is as good as false, or a
  // place that shows the value.
  enum class Use { kValue, kCondition };

  static constexpr size_t kMaxSources = 64;  // of one FROM; pointers to them stay valid

  // A record of a log without which there is no row.
  struct Required {
    std::vector<std::string> fields;  // below metadata
    sql::Span span;
  };
  // An item of FROM that ClickHouse's query reads.
  struct Source {
    const sql::FromItem* item = nullptr;
    const Table* log = nullptr;  // nullptr: rows of a WITH entry or subquery, or a list's elements
    std::string log_name;
    std::string alias;              // as written; empty: none
    std::string qualifier;          // what its columns are qualified with
    std::vector<ChColumn> columns;  // not of a log
    bool absent = false;            // a side of a join whose rows may be missing
    std::vector<Required> required;
  };
  struct Item {
    std::string name;
    const sql::Expr* expr = nullptr;  // nullptr: of a star
    std::optional<NameSource> source;
  };
  struct Scope {
    const Scope* outer = nullptr;
    std::vector<Source> sources;
    std::vector<Item> items;    // the SELECT list
    bool grouped = false;       // has GROUP BY with keys
    bool sees_aliases = false;  // the clause being rewritten sees the list's aliases
    const std::vector<sql::Select::NamedWindow>* windows = nullptr;
    std::vector<ch::ExprPtr> conditions;  // that FROM adds to WHERE
    std::vector<ch::ExprPtr> array_join;
    std::vector<std::pair<std::string, std::string>> printed;  // an item's text, and its name
  };
  struct Rows {
    ch::QueryPtr query;
    std::vector<ChColumn> columns;
  };

  // to_clickhouse_query.cc
  absl::StatusOr<Rows> QueryRows(const sql::Query& query, const Scope* outer);
  absl::StatusOr<Rows> BodyRows(const sql::Query& query, const sql::QueryBody& body, const Scope* outer);
  absl::StatusOr<Rows> UnionRows(const sql::SetOperation& set, const Scope* outer);
  absl::StatusOr<Rows> IntersectRows(const sql::SetOperation& set, const Scope* outer);
  absl::Status AddWith(const sql::Query& query, std::vector<ch::WithItem>& entries, const Scope* outer);
  static Rows SelectFrom(Rows rows);
  absl::Status OrderRows(const sql::Query& query, Rows& rows);
  absl::Status AddLimit(const sql::Expr* limit, const sql::Expr* offset, ch::Select& select);

  // to_clickhouse_select.cc
  absl::StatusOr<Rows> SelectRows(const sql::Select& select, const sql::Query* query, const Scope* outer);
  void NameItems(const std::vector<sql::SelectItem>& items, Scope& scope);
  absl::Status AddItems(const std::vector<sql::SelectItem>& items, Scope& scope, Rows& rows);
  absl::Status AddStar(const sql::SelectItem& item, Scope& scope, Rows& rows);
  void AddItem(std::string name, ChValue value, sql::Span span, Scope& scope, Rows& rows);
  absl::Status AddWhere(const sql::Select& select, Scope& scope, ch::Select& out);
  absl::Status AddGroupBy(const sql::GroupBy& group_by, Scope& scope, ch::Select& out);
  absl::StatusOr<ch::OrderItem> Order(const sql::OrderItem& item, const Scope& scope);
  // The item's name, if the list shows the same expression; otherwise the expression.
  static ch::ExprPtr ByName(ch::ExprPtr expr, const Scope& scope);

  // to_clickhouse_pipe.cc
  absl::StatusOr<Rows> PipeRows(const sql::Query& query, const Scope* outer);
  absl::Status NameGroups(const sql::PipeOperator& pipe, Scope& scope);
  absl::Status AddGroups(const sql::PipeOperator& pipe, Scope& scope, Rows& rows);

  // to_clickhouse_from.cc
  absl::StatusOr<ch::FromPtr> From(const sql::FromItem& item, Scope& scope);
  absl::StatusOr<ch::FromPtr> TableFrom(const sql::TableItem& item, Scope& scope);
  absl::StatusOr<ch::FromPtr> JoinFrom(const sql::JoinItem& item, ch::FromPtr left, Scope& scope);
  absl::Status Unnest(const sql::FromItem& item, bool left, Scope& scope);
  absl::StatusOr<ch::FromPtr> ListFrom(const sql::UnnestItem& item, Scope& scope);
  absl::Status AddPresence(const sql::Expr* where, Scope& scope);
  // Whether a conjunct of the condition is not true where the record is absent.
  bool Implies(const sql::Expr& condition, const Source& source, const std::vector<std::string>& record) const;

  // to_clickhouse_name.cc
  absl::StatusOr<ChValue> Name(const sql::Expr& expr, const Scope& scope, Use use);
  absl::StatusOr<ChValue> ColumnOf(const Source& source, const std::string& name, const Scope& scope, sql::Span span);
  absl::StatusOr<ChValue> FieldOf(const Source& source, const NameSource& name, const Type& type, sql::Span span,
                                  const Scope& scope, Use use);
  static ch::ExprPtr Qualified(const Source& source, const std::string& name, const Scope& scope);
  static ch::ExprPtr Attribute(const Source& source, const std::string& key, const Scope& scope);
  static ch::ExprPtr HasKey(const Source& source, const std::string& key, const Scope& scope);
  static ch::ExprPtr HasRecord(const Source& source, const std::string& key, const Scope& scope);
  static const Source* FindSource(const sql::FromItem* item, const Scope& scope);
  // The attribute itself, if the expression is a log's text field; otherwise nullptr.
  ch::ExprPtr PlainText(const sql::Expr& expr, const Scope& scope) const;
  static Type ListElement(const Source& source, const NameSource& name);
  // The elements of a stored list, of its JSON text.
  absl::StatusOr<ch::ExprPtr> ListOf(ch::ExprPtr text, const Type& element, sql::Span span) const;
  absl::StatusOr<std::string> KeyOf(const Source& source, const NameSource& name, sql::Span span) const;

  // to_clickhouse_record.cc
  // A value of the result, which may be a record.
  absl::StatusOr<ChValue> Shown(const sql::Expr& expr, const Scope& scope);
  absl::StatusOr<ChValue> NamedStruct(const sql::StructExpr& made, const Scope& scope);
  absl::StatusOr<ChValue> StoredRecord(const Source& source, const NameSource& name, const Type& type, sql::Span span,
                                       const Scope& scope);
  absl::StatusOr<ch::ExprPtr> RecordParts(const Source& source, const std::vector<std::string>& path,
                                          const Type& record, sql::Span span, const Scope& scope);
  absl::StatusOr<ch::ExprPtr> RecordList(const Source& source, const std::vector<std::string>& path, const Type& record,
                                         sql::Span span, const Scope& scope);

  // to_clickhouse_expr.cc
  absl::StatusOr<ChValue> Expr(const sql::Expr& expr, const Scope& scope, Use use = Use::kValue);
  absl::StatusOr<ChValue> ExprOfKind(const sql::Expr& expr, const Scope& scope, Use use);
  absl::StatusOr<ChValue> Literal(const sql::Literal& literal);
  absl::StatusOr<ChValue> Unary(const sql::Unary& unary, const Scope& scope, Use use);
  absl::StatusOr<ChValue> Binary(const sql::Binary& binary, const Scope& scope, Use use);
  absl::StatusOr<ChValue> Arithmetic(const sql::Binary& binary, const Scope& scope);
  absl::StatusOr<ChValue> Nary(const sql::Nary& nary, const Scope& scope, Use use);
  absl::StatusOr<ChValue> Test(const sql::IsTest& test, const Scope& scope, Use use);
  absl::StatusOr<ChValue> Array(const sql::ArrayExpr& array, const Scope& scope);
  absl::StatusOr<ChValue> Subscript(const sql::Subscript& subscript, const Scope& scope);
  absl::StatusOr<ChValue> Struct(const sql::StructExpr& tuple, const Scope& scope);

  // to_clickhouse_compare.cc
  absl::StatusOr<ChValue> Between(const sql::Between& between, const Scope& scope, Use use);
  absl::StatusOr<ChValue> In(const sql::InExpr& in, const Scope& scope, Use use);
  absl::StatusOr<ChValue> InQuery(const sql::InExpr& in, const Scope& scope, Use use);
  absl::StatusOr<ChValue> Like(const sql::LikeExpr& like, const Scope& scope, Use use);
  absl::StatusOr<ChValue> Case(const sql::CaseExpr& expr, const Scope& scope);
  // The operand of a comparison: a literal text beside a time is that time.
  absl::StatusOr<ChValue> Operand(const sql::Expr& expr, const Type* other, const Scope& scope);
  // The operand, plainly if `plain` says that the condition is false for ''.
  absl::StatusOr<ChValue> TextOperand(const sql::Expr& expr, bool plain, const Type* other, const Scope& scope);

  // to_clickhouse_cast.cc
  absl::StatusOr<ChValue> Cast(const sql::CastExpr& cast, const Scope& scope);
  absl::StatusOr<ChValue> Round(ChValue value, int64_t digits, sql::Span span);
  absl::StatusOr<ChValue> TimeLiteral(std::string_view text, const Type& type, sql::Span span);

  // to_clickhouse_call.cc
  absl::StatusOr<ChValue> Call(const sql::Call& call, const Scope& scope, Use use);
  absl::StatusOr<ChValue> TableCall(const sql::Call& call, const std::string& name, const Scope& scope);
  absl::StatusOr<ChValue> TextCall(const sql::Call& call, const std::string& name, const Scope& scope, Use use,
                                   bool& handled);
  absl::StatusOr<ChValue> PatternCall(const sql::Call& call, const std::string& name, const Scope& scope, Use use);
  absl::StatusOr<ChValue> ChoiceCall(const sql::Call& call, const std::string& name, const Scope& scope, bool& handled);
  absl::StatusOr<ChValue> JsonCall(const sql::Call& call, const Scope& scope);
  absl::StatusOr<ChValue> Printed(const sql::Call& call, const Scope& scope);

  // to_clickhouse_time.cc
  absl::StatusOr<ChValue> TimeCall(const sql::Call& call, const std::string& name, const Scope& scope, bool& handled);
  absl::StatusOr<ChValue> Truncated(const sql::Call& call, const Scope& scope);
  absl::StatusOr<ChValue> Shifted(const sql::Call& call, bool back, const Scope& scope);
  absl::StatusOr<ChValue> Difference(const sql::Call& call, const std::string& name, const Scope& scope);
  absl::StatusOr<ChValue> Formatted(const sql::Call& call, const Scope& scope);
  absl::StatusOr<ChValue> Series(const sql::Call& call, const Scope& scope);
  absl::StatusOr<ChValue> Extract(const sql::ExtractExpr& extract, const Scope& scope);
  absl::StatusOr<ch::ExprPtr> IntervalOf(const sql::Expr& expr, const Scope& scope);
  static ch::ExprPtr Micros(ChValue value);

  // to_clickhouse_aggregate.cc
  // The argument of an aggregate, in which the SELECT list's aliases are not seen.
  absl::StatusOr<ChValue> Argument(const sql::Expr& expr, const Scope& scope, Use use = Use::kValue);
  absl::StatusOr<ChValue> Aggregate(const sql::Call& call, const std::string& name, const Scope& scope, bool& handled);
  absl::StatusOr<ChValue> Simple(const sql::Call& call, const std::string& name, const Scope& scope);
  absl::StatusOr<ChValue> Count(const sql::Call& call, const Scope& scope);
  absl::StatusOr<ChValue> Joined(const sql::Call& call, const Scope& scope);
  absl::StatusOr<ChValue> Listed(const sql::Call& call, const Scope& scope);
  absl::StatusOr<ChValue> Quantile(const sql::Subscript& subscript, const sql::Call& call, const Scope& scope);
  absl::StatusOr<ChValue> FirstOfList(const sql::FieldAccess& access, const Scope& scope);
  static bool CanBeEmpty(const sql::WindowSpec& spec);
  absl::StatusOr<ChValue> WindowCall(const sql::Call& call, const std::string& name, const Scope& scope, bool& handled);
  absl::StatusOr<std::unique_ptr<ch::WindowSpec>> Window(const sql::WindowSpec& spec, const Scope& scope);

  // to_clickhouse_subquery.cc
  absl::StatusOr<ChValue> Subquery(const sql::SubqueryExpr& subquery, const Scope& scope);
  absl::StatusOr<std::optional<ChValue>> OverRecords(const sql::SubqueryExpr& subquery, const Scope& scope);
  absl::StatusOr<ChValue> Exists(const sql::SubqueryExpr& subquery, const Scope& scope);

  absl::Status Unsupported(sql::Span place, std::string_view message) const;
  void Note(sql::Span place, std::string_view text) { notes_->Add(place, text); }
  const Type& TypeOf(const sql::Expr& expr) const;
  const std::vector<ChColumn>* FindEntry(std::string_view name, std::string& written) const;

  std::string_view text_;
  const Catalog& catalog_;
  const ResolvedNames& names_;
  const RewriteOptions options_;
  Notes* notes_;
  struct Entry {
    std::string name;
    std::vector<ChColumn> columns;
  };
  std::vector<Entry> entries_;  // of WITH, visible here; the latest is last
  int made_names_ = 0;
  bool skips_null_ = false;    // who reads the list leaves NULL out
  bool in_aggregate_ = false;  // of an aggregate's arguments: aliases of the list are not seen there
};

}  // namespace logquery::tools

#endif  // LOGQUERY_LIB_TOOLS_REWRITE_SQL_TO_CLICKHOUSE_H_
