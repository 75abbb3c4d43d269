// Makes whole queries.
#include "tests/clickhouse_oracle/query_maker.h"

#include "tests/clickhouse_oracle/query_maker_impl.h"

namespace logquery::clickhouse_oracle {

using base::StrAppend;
using base::StrCat;

Query MakeQuery(uint64_t seed, int64_t number) { return Maker(seed, number).Make(); }

// Seeds that are near each other do not make queries that are alike.
Maker::Maker(uint64_t seed, int64_t number) : random_(seed * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(number)) {
  random_.discard(16);
}

Query Maker::Make() {
  switch (Below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return Rows(From());
    case 4:
    case 5:
    case 6:
    case 7:
      return Groups(From());
    case 8:
      return Union();
    case 9:
      return Aliases();
    default:
      return Windows(From());
  }
}

// The float as a value that is grouped by: 0 for -0 and one NaN, of which ClickHouse makes groups by their bits, and we do not.
std::string Maker::FloatKey(const std::string& value) { return StrCat("if(isNaN(", value, "), nan, ", value, " + 0)"); }

Kind Maker::AnyKind() { return static_cast<Kind>(Below(8)); }

// Kinds that can be keys.
Kind Maker::ScalarKind() {
  const std::initializer_list<Kind> kinds = {Kind::kInt,  Kind::kInt,      Kind::kText, Kind::kText,
                                             Kind::kTime, Kind::kDateTime, Kind::kDate};
  return kinds.begin()[Below(kinds.size())];
}

std::string Maker::Of(Kind kind, const Source& source, int depth) {
  switch (kind) {
    case Kind::kInt:
      return Int(source, depth);
    case Kind::kFloat:
      return Float(source, depth);
    case Kind::kText:
      return Text(source, depth);
    case Kind::kTime:
      return Time(source, depth);
    case Kind::kDateTime:
      return DateTime(source, depth);
    case Kind::kDate:
      return Date(source, depth);
    case Kind::kTexts:
      return Texts(source, depth);
    case Kind::kInts:
      return Ints(source, depth);
  }
  return "NULL";
}

std::string Maker::Items(const std::vector<std::string>& values) {
  std::vector<std::string> items;
  for (size_t i = 0; i < values.size(); ++i) items.push_back(StrCat(values[i], Chance(80) ? " AS c" : " c", i));
  return base::Join(items, ", ");
}

Query Maker::Rows(const Source& source) {
  std::vector<std::string> values;
  std::vector<Kind> kinds;
  const bool joins_array = Chance(10);
  for (size_t i = 0; i <= Below(3); ++i) {
    kinds.push_back(AnyKind());
    values.push_back(Of(kinds.back(), source, static_cast<int>(Below(4))));
  }
  if (joins_array) values.push_back(StrCat("arrayJoin(", Chance(50) ? Texts(source, 1) : Ints(source, 1), ")"));
  const bool distinct = !joins_array && Chance(15);
  for (size_t i = 0; distinct && i < kinds.size(); ++i) {
    if (kinds[i] == Kind::kFloat) values[i] = FloatKey(values[i]);
  }
  const std::string where = Chance(80) ? Where(source) : "";
  Query query{StrCat("SELECT ", distinct ? "DISTINCT " : "", Items(values), " FROM ", source.text, where)};
  if (distinct || joins_array || Chance(40)) return query;
  query.ordered = true;
  StrAppend(&query.sql, " ORDER BY ");
  if (Chance(50)) {
    const Kind kind = Chance(20) ? Kind::kFloat : ScalarKind();
    StrAppend(&query.sql, Of(kind, source, 1), OneOf({"", " DESC", " ASC", " DESC NULLS FIRST", " NULLS FIRST"}), ", ");
  }
  StrAppend(&query.sql, UniqueOrder(source));
  if (Chance(15)) StrAppend(&query.sql, " LIMIT ", 1 + Below(3), " BY ", Of(ScalarKind(), source, 1));
  if (Chance(50)) StrAppend(&query.sql, " LIMIT ", Below(30), Chance(30) ? " OFFSET 3" : "");
  return query;
}

Query Maker::Groups(const Source& source) {
  std::vector<std::string> values, keys;
  const size_t count = Below(3);
  for (size_t i = 0; i < count; ++i) {
    values.push_back(Of(ScalarKind(), source, static_cast<int>(Below(3))));
    keys.push_back(Chance(85) ? StrCat("c", i) : StrCat(i + 1));
  }
  for (size_t i = 0; i <= Below(3); ++i) values.push_back(Aggregate(source));
  std::string sql = StrCat("SELECT ", Items(values), " FROM ", source.text);
  if (Chance(60)) StrAppend(&sql, Where(source));
  if (keys.empty()) return {sql};
  const std::string list = base::Join(keys, ", ");
  StrAppend(&sql, " GROUP BY ", list);
  if (Chance(25))
    StrAppend(&sql, " HAVING ", OneOf({"count() > 1", "count(*) < 9", "c0 IS NOT NULL", "max(id) > 'b'"}));
  if (Chance(40)) return {sql};
  StrAppend(&sql, " ORDER BY ", list, Chance(50) ? StrCat(" LIMIT ", 1 + Below(12)) : "");
  return {sql, true};
}

Query Maker::Union() {
  const Kind first = AnyKind(), second = ScalarKind();
  const auto part = [&] {
    const Source source = Logs("");
    const bool grouped = Chance(40) && first != Kind::kTexts && first != Kind::kInts;
    const std::string made = Of(first, source, 1), b = Of(second, source, 1);
    const std::string a = first == Kind::kFloat ? FloatKey(made) : made;
    if (grouped) return StrCat("SELECT ", a, " AS c0, count() AS c1 FROM logs", Where(source), " GROUP BY c0");
    return StrCat("SELECT ", a, " AS c0, ", second == Kind::kInt ? b : StrCat("length(toString(", b, "))"),
                  " AS c1 FROM logs", Where(source), Chance(30) ? " ORDER BY id LIMIT 7" : "");
  };
  const bool distinct = Chance(25) && first != Kind::kTexts && first != Kind::kInts;
  const std::string op = distinct ? " UNION DISTINCT " : " UNION ALL ";
  std::string sql = StrCat("(", part(), ")", op, "(", part(), ")");
  if (Chance(30)) StrAppend(&sql, op, "(", part(), ")");
  if (Chance(30)) sql = StrCat("SELECT c0, sum(c1) AS c1 FROM (", sql, ") AS u GROUP BY c0");
  if (sql.starts_with("SELECT") && (first == Kind::kTexts || first == Kind::kInts)) return Rows(Logs(""));
  return {sql};
}

Query Maker::Windows(const Source& source) {
  std::vector<std::string> values = source.unique;
  for (size_t i = 0; i <= Below(2); ++i) values.push_back(Window(source));
  std::string sql = StrCat("SELECT ", Items(values), " FROM ", source.text);
  if (Chance(50)) StrAppend(&sql, Where(source));
  if (Chance(15))
    StrAppend(&sql, " QUALIFY row_number() OVER (PARTITION BY ", Of(ScalarKind(), source, 1), " ORDER BY ",
              UniqueOrder(source), ") <= ", 1 + Below(3));
  return {sql};
}

// Aliases that are columns, too, or are read where the other language has only columns.
Query Maker::Aliases() {
  const Source logs = Logs("");
  switch (Below(7)) {
    case 6:
      // Keys that are constant make other grouping sets in ClickHouse, so there are none of them.
      return {StrCat("SELECT source AS c0, ", OneOf({"severity_text", "toStartOfHour(timestamp)", "toHour(timestamp)"}),
                     " AS c1, ", Aggregate(logs), " AS c2 FROM logs", Where(logs),
                     OneOf({" GROUP BY ROLLUP(", " GROUP BY CUBE("}), "c0, c1)")};
    case 0:
      return {StrCat("SELECT ",
                     OneOf({"toStartOfHour(timestamp)", "toStartOfDay(timestamp)", "timestamp + INTERVAL 1 DAY"}),
                     " AS timestamp, count() AS c1 FROM logs WHERE timestamp ", OneOf({">", "<=", ">="}),
                     " '2026-03-02 ", 10 + Below(12), ":00:00' GROUP BY timestamp")};
    case 1:
      return {StrCat("SELECT ", Text(logs, 1), " AS source, count() AS c1 FROM logs WHERE ",
                     OneOf({"source = 'edge_logs'", "logs.source = 'edge_logs'", "source != ''"}), " GROUP BY source")};
    case 2:
      return {StrCat("SELECT c1 + 1 AS c0, ", IntLiteral(),
                     " + length(id) AS c1, upper(id) AS id FROM logs WHERE c1 > ", Below(9), " ORDER BY logs.id")};
    case 3:
      return {StrCat("SELECT (", Int(logs, 1), " AS c1) + 1 AS c0, c1 FROM logs WHERE c1 < 100")};
    case 4:
      return {StrCat("WITH ", IntLiteral(),
                     " AS k, lower(severity_text) AS low SELECT low AS c0, sum(length(id) * k) AS c1 "
                     "FROM logs",
                     Chance(50) ? " WHERE low != 'info'" : "", " GROUP BY low")};
    default:
      return {StrCat("WITH part AS (SELECT id, ", Text(logs, 2), " AS x FROM logs", Where(logs),
                     ") SELECT x AS c0, count() AS c1 FROM part GROUP BY x HAVING c1 > 1 ORDER BY c1 DESC, c0 LIMIT 5"),
              true};
  }
}

std::string Maker::Where(const Source& source) {
  const bool is_table = source.text.rfind("logs", 0) == 0;
  return StrCat(is_table && Chance(5) ? " PREWHERE " : " WHERE ", Condition(source, static_cast<int>(Below(3))));
}

std::string Maker::Condition(const Source& source, int depth) {
  if (depth > 0 && Chance(50)) {
    switch (Below(6)) {
      case 0:
        return StrCat("NOT (", Condition(source, depth - 1), ")");
      case 1:
      case 2:
        return StrCat("(", Condition(source, depth - 1), " AND ", Condition(source, depth - 1), ")");
      case 3:
      case 4:
        return StrCat("(", Condition(source, depth - 1), " OR ", Condition(source, depth - 1), ")");
      default:
        return InSubquery(source);
    }
  }
  const std::string op = OneOf({"=", "!=", "<>", "<", "<=", ">", ">="});
  switch (Below(11)) {
    case 0:
    case 1:
    case 2:
      return TextCondition(source, depth);
    case 3:
    case 4:
      return StrCat(Int(source, depth), " ", op, " ", Chance(50) ? IntLiteral() : Int(source, depth));
    case 5:
      return StrCat(Float(source, depth), " ", op, " ", OneOf({"0", "1.5", "-2", "100", "'2.5'"}));
    case 6:
      return StrCat(AnyTime(source, depth), " ", op, " ",
                    OneOf({"'2026-03-02 12:00:00'", "'2026-03-03'", "toDate('2026-03-03')",
                           "toDateTime('2026-03-02 20:06:00')"}));
    case 7:
      return StrCat(Int(source, depth), OneOf({" IN (", " NOT IN ("}), IntLiteral(), ", ", Chance(20) ? "NULL, " : "",
                    IntLiteral(), ")");
    case 8:
      return StrCat(Int(source, depth), OneOf({" BETWEEN ", " NOT BETWEEN "}), "-1 AND ", IntLiteral());
    case 9:
      return StrCat("(", Chance(50) ? Number(source, depth) : Text(source, depth), ")",
                    OneOf({" IS NULL", " IS NOT NULL"}));
    default:
      return Chance(50) ? StrCat("has(", Texts(source, depth), ", ", TextLiteral(), ")")
                        : OneOf({"1", "1 = 1", "0", "NOT 0", "true", "'a' IS NOT NULL"});
  }
}

}  // namespace logquery::clickhouse_oracle
