// Rewrites a ClickHouse query over `logs` as GoogleSQL over the nine logs. One object rewrites one query.
//
// `log_attributes['request.path']` is a field that UNNEST reads: `request.path`, and '' where that is NULL. The logs that
// `source` allows are one table, or a union of their rows with the keys that the query reads.
#ifndef LOGQUERY_LIB_TOOLS_REWRITE_SQL_TO_BIGQUERY_H_
#define LOGQUERY_LIB_TOOLS_REWRITE_SQL_TO_BIGQUERY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/clickhouse_sql/ast.h"
#include "lib/clickhouse_sql/resolve/type.h"
#include "lib/tools/rewrite_sql/notes.h"
#include "logquery/catalog.h"

namespace logquery::tools {

namespace ch = clickhouse_sql;

// How tightly the operator of a text binds, the loosest first.
enum class Binds { kOr, kAnd, kNot, kComparison, kSum, kProduct, kPrimary };

// An expression in GoogleSQL.
struct BqValue {
  std::string text;
  Binds binds = Binds::kPrimary;
  bool is_condition = false;  // BOOL, which is 0 or 1 in ClickHouse
  bool nullable = false;
};

// The project of all rows that logs.all shows, which does not show the column.
inline constexpr std::string_view kProject = "@project";

// Columns of a union of logs: log_attributes as an object, and its keys as a list.
inline constexpr std::string_view kMapColumn = "log_attributes", kKeysColumn = "attribute_keys";

using ChTypes = std::unordered_map<const ch::Expr*, ch::ChType>;

class ToBigQuery {
 public:
  ToBigQuery(std::string_view text, const Catalog& catalog, const ChTypes& types, Notes* notes)
      : text_(text), catalog_(catalog), types_(types), notes_(notes) {}

  // Returns the query's text, without comments.
  absl::StatusOr<std::string> Rewrite(const ch::Query& query);

 private:
  enum class Use { kValue, kCondition };

  // The rows that a SELECT reads: a log, a union of logs, or named rows.
  struct Source {
    std::string alias;  // of the table; empty: none
    bool is_logs = false;
    const Table* log = nullptr;                  // exactly one log
    bool qualifies = false;                      // records are unnested beside the columns
    std::vector<std::string> columns;            // of named rows
    std::map<std::string, std::string> records;  // of one log: "request.cf" to the alias that unnests it
    std::vector<std::string> joins;              // their UNNESTs, in order
    bool absent = false;                         // a side of a join whose rows may be missing
    bool empty = false;                          // no log has the name, so that no row matches
    bool has_map = false, has_keys = false;      // columns of a union, for log_attributes and its keys as a whole
  };
  struct Scope {
    std::vector<Source> sources;
    std::map<std::string, const ch::Expr*> aliases;  // of the list, and of WITH
    std::set<std::string> listed;                    // those of the list
    bool grouped = false;
    bool names_aliases = false;  // the clause may name aliases of the list
    bool in_aggregate = false;
    bool in_join = false;                           // a join's condition, which reads rows before they are absent
    std::map<std::string, std::string> parameters;  // of lambdas, to the names of elements
    std::vector<std::string> list_joins;            // UNNESTs of ARRAY JOIN and arrayJoin
    std::map<std::string, std::string> list_names;  // the text of such a list to the name of its elements
    bool has_windows = false;
    std::set<std::string> open;                    // aliases that are being written out
    const ch::Expr* picks_log = nullptr;           // the condition `source = 'x'` of which FROM is made
    std::map<std::string, std::string> subtotals;  // a key of ROLLUP to its default; empty: it is NULL
    std::map<std::string, size_t> ordinals;        // of ROLLUP: a column without an alias to its place
    bool null_elements = false;                    // the list's elements become rows, so that one may be NULL
  };

  // to_bigquery_query.cc
  absl::StatusOr<std::string> QueryText(const ch::Query& query, int indent);
  absl::StatusOr<std::string> SelectText(const ch::Select& select, int indent);
  // Without `with_order` ORDER BY, LIMIT and OFFSET are left out.
  absl::StatusOr<std::string> RowsText(const ch::Select& select, int indent, bool with_order);
  absl::StatusOr<std::string> ItemText(const ch::Expr& item, Scope& scope, std::vector<std::string>& columns);
  absl::StatusOr<std::string> GroupText(const ch::Select& select, Scope& scope);
  absl::StatusOr<std::string> OrderText(const ch::OrderItem& item, Scope& scope);
  absl::StatusOr<std::string> WhereText(const ch::Select& select, Scope& scope);
  absl::Status JoinLists(const ch::Select& select, Scope& scope);
  // Returns whether the value is a float that can be NaN, as far as that is seen.
  bool MayBeNan(const ch::Expr& expr, const Scope& scope, int depth = 0) const;
  // The condition of QUALIFY that LIMIT BY or WITH TIES stands for; empty: there is neither.
  absl::StatusOr<std::string> RankText(const ch::Select& select, const std::vector<std::string>& order, Scope& scope);
  absl::StatusOr<std::vector<std::string>> OrderTexts(const ch::Select& select, Scope& scope);

  // to_bigquery_fill.cc
  absl::StatusOr<std::string> FilledText(const ch::Select& select, int indent);

  // to_bigquery_from.cc
  absl::StatusOr<std::string> FromText(const ch::Select& select, Scope& scope, int indent);
  absl::StatusOr<std::string> LogsText(const ch::Select& select, Source& source, Scope& scope, int indent);
  absl::StatusOr<std::string> UnionText(const std::vector<const Table*>& logs, const std::set<std::string>& keys,
                                        const std::set<std::string>& columns, const Source& source, int indent);
  // The columns of a log in a union, as UnionText writes it.
  absl::StatusOr<std::vector<std::string>> UnionItems(const Table& log, const std::set<std::string>& keys,
                                                      const std::set<std::string>& columns, const Source& source,
                                                      Source& branch) const;
  // The field of a key in the log, with the UNNESTs that it needs; nullopt: no field has the key. The key of a column that
  // logs.all does not show is @project, which is the project of all its rows, or has the type BYTES.
  std::optional<std::pair<std::string, Type>> FieldOf(const Table& log, const std::string& key, Source& source) const;
  absl::StatusOr<std::string> SeverityOf(const Table& log, Source& source, sql::Span span) const;
  static std::string ColumnOfKey(const std::string& key);
  // The text that log_attributes has of a field, '' where it has none; empty: there is no equal.
  static std::string TextOf(const std::pair<std::string, Type>& field);

  // to_bigquery_expr.cc
  absl::StatusOr<BqValue> Expr(const ch::Expr& expr, Scope& scope, Use use = Use::kValue);
  absl::StatusOr<BqValue> Name(const ch::Expr& expr, Scope& scope, Use use);
  absl::StatusOr<BqValue> Attribute(const ch::Expr& call, Scope& scope, bool plain);
  absl::StatusOr<BqValue> Condition(const ch::Expr& expr, Scope& scope, Use use = Use::kCondition);
  absl::StatusOr<BqValue> Comparison(const ch::Expr& call, Scope& scope, Use use);
  absl::StatusOr<BqValue> In(const ch::Expr& call, Scope& scope, Use use);
  absl::StatusOr<BqValue> Like(const ch::Expr& call, Scope& scope, Use use);
  absl::StatusOr<BqValue> Arithmetic(const ch::Expr& call, Scope& scope);
  absl::StatusOr<BqValue> Choice(const ch::Expr& call, Scope& scope);
  // A value that is no BOOL: conditions become 1 and 0.
  absl::StatusOr<BqValue> Value(const ch::Expr& expr, Scope& scope);
  // The operand of a comparison with `other`: a text beside a time is that time.
  absl::StatusOr<BqValue> Operand(const ch::Expr& expr, const ch::Expr& other, Scope& scope, bool plain);
  static std::string In(const BqValue& value, Binds level);
  // The operand as an attribute, if it is one, also by its alias; nullptr: it is none.
  const ch::Expr* AttributeOf(const ch::Expr& expr, const Scope& scope) const;

  // to_bigquery_call.cc
  absl::StatusOr<BqValue> Call(const ch::Expr& call, Scope& scope, Use use);
  absl::StatusOr<BqValue> HasKey(const ch::Expr& call, Scope& scope);
  absl::StatusOr<BqValue> NumberOfText(const ch::Expr& call, Scope& scope, Use use);
  absl::StatusOr<BqValue> IntegerOfLiteral(const ch::Expr& call) const;
  absl::StatusOr<BqValue> Round(const ch::Expr& call, Scope& scope);

  // to_bigquery_text.cc
  absl::StatusOr<BqValue> TextCall(const ch::Expr& call, const std::string& name, Scope& scope, bool& handled);
  absl::StatusOr<BqValue> ByteCall(const ch::Expr& call, const std::string& name, Scope& scope, bool& handled);
  absl::StatusOr<BqValue> PatternCall(const ch::Expr& call, const std::string& name, Scope& scope, bool& handled);
  absl::StatusOr<BqValue> JsonText(const ch::Expr& call, Scope& scope);

  // to_bigquery_url.cc
  absl::StatusOr<BqValue> UrlCall(const ch::Expr& call, const std::string& name, Scope& scope, bool& handled);

  // to_bigquery_time.cc
  absl::StatusOr<BqValue> TimeCall(const ch::Expr& call, const std::string& name, Scope& scope, bool& handled);
  absl::StatusOr<BqValue> TimeOf(const ch::Expr& call, const std::string& name, Scope& scope, bool& handled);
  absl::StatusOr<BqValue> TimeLiteral(const ch::Expr& call, bool to_seconds) const;
  absl::StatusOr<BqValue> TimeShift(const ch::Expr& call, Scope& scope);
  // The time, later or earlier by `count` units.
  absl::StatusOr<BqValue> Shifted(const ch::Expr& time, const std::string& count, const std::string& unit, bool back,
                                  sql::Span span, Scope& scope);
  absl::StatusOr<BqValue> CompleteUnits(const ch::Expr& call, Scope& scope);
  absl::StatusOr<BqValue> Formatted(const ch::Expr& call, Scope& scope);
  absl::StatusOr<BqValue> Boundaries(const ch::Expr& call, Scope& scope);
  absl::StatusOr<BqValue> StartOfInterval(const ch::Expr& call, Scope& scope);

  // to_bigquery_list.cc
  absl::StatusOr<BqValue> ListCall(const ch::Expr& call, const std::string& name, Scope& scope, bool& handled);
  absl::StatusOr<BqValue> LambdaCall(const ch::Expr& call, const std::string& name, Scope& scope);
  absl::StatusOr<BqValue> Element(const ch::Expr& call, Scope& scope);
  absl::StatusOr<BqValue> MapKeys(const ch::Expr& call, Scope& scope);
  absl::StatusOr<BqValue> WholeMap(const ch::Expr& name, Scope& scope);
  // The object and the list of its keys, of a row of the source's log.
  absl::StatusOr<std::string> MapText(Source& source, sql::Span span) const;
  absl::StatusOr<std::string> KeysText(Source& source, const std::string& element, sql::Span span) const;
  // Adds the key and the text of each field below the record, which is NULL where the field has no value.
  absl::Status AddTexts(const Type& record, const std::string& prefix, sql::Span span, Source& source,
                        std::vector<std::string>& keys, std::vector<std::string>& values) const;
  absl::Status AddKeys(const Type& record, const std::string& prefix, sql::Span span, Source& source,
                       std::vector<std::string>& keys) const;
  // The name of a list's elements, which FROM unnests.
  absl::StatusOr<BqValue> Elements(const ch::Expr& list, const std::string& alias, sql::Span span, Scope& scope);
  std::string NewName(std::string wanted, const Scope& scope) const;

  // to_bigquery_aggregate.cc
  struct AggregateParts {
    std::string name;  // without the combinators
    bool or_null = false;
    std::vector<const ch::Expr*> args;  // without the condition of -If
    std::vector<BqValue> values;        // of the arguments
    std::string filter;                 // empty: none
  };
  absl::StatusOr<BqValue> Aggregate(const ch::Expr& call, Scope& scope, bool& handled);
  absl::StatusOr<AggregateParts> PartsOf(const ch::Expr& call, std::string name, bool filtered, Scope& scope);
  absl::StatusOr<BqValue> CountCall(const ch::Expr& call, const AggregateParts& parts, Scope& scope);
  absl::StatusOr<BqValue> QuantileCall(const ch::Expr& call, const AggregateParts& parts, Scope& scope);
  absl::StatusOr<BqValue> ByOtherCall(const ch::Expr& call, const AggregateParts& parts, Scope& scope);
  absl::StatusOr<BqValue> ListAggregate(const ch::Expr& call, const AggregateParts& parts, Scope& scope);
  absl::StatusOr<BqValue> ValueAggregate(const ch::Expr& call, const AggregateParts& parts, Scope& scope);
  absl::StatusOr<BqValue> ElementsAggregate(const ch::Expr& call, const AggregateParts& parts);
  static bool IsAggregate(const ch::Expr& expr);
  // The result of the aggregate over no values; empty: there is no literal of the type.
  static std::string DefaultOf(const ch::ChType& type);

  // to_bigquery_rollup.cc
  // GROUP BY with subtotals: fills the scope's `subtotals`, and returns the clause.
  absl::StatusOr<std::string> SubtotalsText(const ch::Select& select, Scope& scope);
  absl::Status CheckSubtotalOrder(const ch::Select& select, Scope& scope) const;
  // A column of the result: a key, which has its default where it is summed over, or an aggregate.
  absl::StatusOr<BqValue> SubtotalItem(const ch::Expr& item, const BqValue& value, const Scope& scope) const;

  // to_bigquery_window.cc
  absl::StatusOr<std::string> WindowText(const ch::WindowSpec& spec, Scope& scope, bool with_frame = true);
  absl::StatusOr<BqValue> WindowCall(const ch::Expr& call, Scope& scope, bool& handled);

  static std::string Indented(int indent, std::string_view text);
  absl::Status Unsupported(sql::Span place, std::string_view message) const;
  void Note(sql::Span place, std::string_view text) { notes_->Add(place, text); }
  ch::ChType TypeOf(const ch::Expr& expr) const;

  std::string_view text_;
  const Catalog& catalog_;
  const ChTypes& types_;
  Notes* notes_;
  std::map<std::string, std::vector<std::string>> entries_;  // of WITH: their columns
  std::map<std::string, const ch::Expr*> values_;            // WITH expression AS name
  std::vector<std::string> last_columns_;                    // of the query that was written last
};

}  // namespace logquery::tools

#endif  // LOGQUERY_LIB_TOOLS_REWRITE_SQL_TO_BIGQUERY_H_
