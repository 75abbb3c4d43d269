// Makes whole queries: rows, groups, windows, set operations.
#include "tests/oracle/query_maker.h"

#include <algorithm>
#include <cmath>

#include "tests/oracle/query_maker_impl.h"
#include "tests/oracle/stored_logs.h"

namespace logquery::oracle {
namespace {

// Columns of the log that every query reads by way of this entry, as a caller's SQL reads an endpoint's.
constexpr char kLogs[] = "WITH logs AS (SELECT t.n, t.k, t.v, t.s, t.b, t.f, t.ts, t.tags FROM ";
constexpr char kOfProject[] = "`oracle.logs` AS t WHERE t.project = @project)";
constexpr char kFew[] = ", few AS (SELECT n, k, v, s, b, f, ts, tags FROM logs WHERE n < 7)";
// An entry that the engine materializes: a query around a subquery that reads it has no filter then, for which engines plan other
// joins.
constexpr char kKept[] =
    ", few AS (SELECT n, k, v, s, b, f, ts, tags FROM logs WHERE n < 5 UNION ALL "
    "SELECT n, k, v, s, b, f, ts, tags FROM logs WHERE n > 6 AND n < 10)";

}  // namespace

Query MakeQuery(uint64_t seed, int64_t number, int64_t work) { return Maker(seed, number, work).Make(); }

// Seeds that are near each other do not make queries that are alike.
Maker::Maker(uint64_t seed, int64_t number, int64_t work)
    : random_(seed * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(number)), work_(work) {
  random_.discard(16);
}

Query Maker::Make() {
  has_entry_ = Chance(50);
  const char* const entry = !has_entry_ ? "" : Chance(70) ? kKept : kFew;
  const bool is_alone = Chance(30);
  const std::string body = Body();
  const int64_t rows = Rows();
  const std::string from = is_alone ? base::StrCat("`", TableOf(rows), "` AS t)") : kOfProject;
  return {base::StrCat(kLogs, from, entry, " ", body), rows};
}

int64_t Maker::Rows() const {
  int64_t most = kProjectRows[0];
  for (const int64_t rows : kProjectRows) {
    // A window costs more than its rows.
    if (is_windowed_ && rows > work_ / 20) continue;
    if (std::pow(static_cast<double>(rows), deepest_) <= static_cast<double>(work_)) most = std::max(most, rows);
  }
  return most;
}

// A subquery over the entry: nothing but comparisons of columns, which an engine may take for the conditions of a join. As a
// condition, beside another one, or as a value, for which engines make other joins.
std::string Maker::EntryBody() {
  const Source source = Entry();
  const Source inner = Entry();
  const std::string rows = base::StrCat(" FROM ", inner.text, " WHERE ", Correlations(inner, source), ")");
  const Kind kind = AnyKind();
  const std::string test =
      Chance(70) ? base::StrCat(OneOf({"", "NOT "}), "EXISTS (SELECT 1", rows)
      : Chance(50)
          ? base::StrCat(Column(kind, source), OneOf({" IN (", " NOT IN ("}), "SELECT ", Column(kind, inner), rows)
          : base::StrCat(Column(kind, source), " = (SELECT MIN(", Column(kind, inner), ")", rows);
  const std::string select = base::StrCat("SELECT ", source.unique[0], " AS c0");
  if (Chance(30)) return base::StrCat(select, ", ", test, " AS c1 FROM ", source.text);
  const std::string other = Chance(40) ? base::StrCat(Column(AnyKind(), source), " IS NULL OR ") : "";
  return base::StrCat(select, " FROM ", source.text, " WHERE ", other, test);
}

std::string Maker::Body() {
  if (has_entry_ && Chance(15)) return EntryBody();
  switch (Below(10)) {
    case 0:
    case 1:
      return GroupsBody();
    case 2:
    case 3:
      return WindowsBody();
    case 4:
      return SetBody();
    default:
      return RowsBody();
  }
}

std::string Maker::RowsBody() {
  int loops = 0;
  const int nesting = static_cast<int>(Below(3));
  const Source source = From({}, nesting, loops);
  std::vector<std::string> items;
  for (size_t i = 0; i <= Below(3); ++i) {
    const bool is_array = nesting > 0 && Chance(10);
    items.push_back(is_array ? ArraySubquery(source, {}, nesting - 1, loops)
                             : Scalar(AnyKind(), source, {}, nesting, loops));
  }
  // DISTINCT takes no arrays.
  const bool has_array =
      std::any_of(items.begin(), items.end(), [](const std::string& item) { return item.find("ARRAY(") == 0; });
  const bool limited = Chance(15);
  const bool distinct = !limited && !has_array && Chance(15);
  if (!distinct) items.push_back(source.unique[0]);
  for (size_t i = 0; i < items.size(); ++i) base::StrAppend(&items[i], " AS c", i);
  std::string sql = base::StrCat("SELECT ", distinct ? "DISTINCT " : "", base::Join(items, ", "), " FROM ", source.text,
                                 Chance(85) ? " WHERE " + Where(source, {}, nesting, loops) : "");
  if (limited) base::StrAppend(&sql, " ", OrderByUnique(source), " LIMIT ", Below(20), Chance(30) ? " OFFSET 2" : "");
  return sql;
}

std::string Maker::GroupsBody() {
  int loops = 0;
  const int nesting = static_cast<int>(Below(2));
  const Source source = From({}, nesting, loops);
  std::vector<std::string> keys, items;
  for (size_t i = 0; i < Below(3); ++i) {
    keys.push_back(base::StrCat("g", i));
    items.push_back(base::StrCat(Column(AnyKind(), source), " AS g", i));
  }
  for (size_t i = 0; i <= Below(3); ++i) {
    items.push_back(base::StrCat(Aggregate(source, {}, nesting, loops), " AS c", i));
  }
  std::string sql = base::StrCat("SELECT ", base::Join(items, ", "), " FROM ", source.text);
  if (Chance(60)) base::StrAppend(&sql, " WHERE ", Where(source, {}, nesting, loops));
  if (!keys.empty()) {
    const std::string list = base::Join(keys, ", ");
    base::StrAppend(&sql, " GROUP BY ", Chance(25) ? "ROLLUP(" + list + ")" : list);
    if (Chance(25)) base::StrAppend(&sql, " HAVING COUNT(*) > ", Below(4));
  }
  return sql;
}

std::string Maker::WindowsBody() {
  is_windowed_ = true;
  int loops = 0;
  const Source source = From({}, 0, loops);
  std::vector<std::string> items = source.unique;
  const size_t windows = 1 + Below(3);
  for (size_t i = 0; i < windows; ++i) items.push_back(Window(source));
  if (Chance(15)) items.push_back(ScalarSubquery(AnyKind(), source, {}, 0, loops));
  for (size_t i = 0; i < items.size(); ++i) base::StrAppend(&items[i], " AS c", i);
  std::string sql = base::StrCat("SELECT ", base::Join(items, ", "), " FROM ", source.text, " WHERE ",
                                 Chance(40) ? Where(source, {}, 0, loops) : "TRUE");
  if (Chance(20)) {
    base::StrAppend(&sql, " QUALIFY ROW_NUMBER() OVER (PARTITION BY ", Column(PartitionKind(), source), " ",
                    OrderByUnique(source), OneOf({"", " DESC"}), ") <= ", 1 + Below(4));
  }
  return sql;
}

std::string Maker::SetBody() {
  const Kind first = AnyKind(), second = AnyKind();
  const auto select = [&] {
    int loops = 0;
    const int nesting = static_cast<int>(Below(2));
    const Source source = From({}, nesting, loops);
    return base::StrCat("SELECT ", Scalar(first, source, {}, 0, loops), " AS c0, ", Column(second, source),
                        " AS c1 FROM ", source.text, " WHERE ", Where(source, {}, nesting, loops));
  };
  const std::string op = OneOf({"UNION ALL", "UNION DISTINCT", "INTERSECT DISTINCT", "EXCEPT DISTINCT"});
  std::string sql = base::StrCat("(", select(), ") ", op, " (", select(), ")");
  if (Chance(30)) base::StrAppend(&sql, " ", op, " (", select(), ")");
  return sql;
}

}  // namespace logquery::oracle
