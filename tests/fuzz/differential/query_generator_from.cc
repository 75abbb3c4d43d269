// Sources behind FROM: logs, UNNEST, joins, queries in parentheses.
#include "lib/base/strings.h"
#include "tests/fuzz/differential/logs.h"
#include "tests/fuzz/differential/query_generator.h"

namespace logquery::fuzz {
namespace {

// Columns as they are named behind `alias`.
std::vector<Column> Behind(const std::string& alias, std::vector<Column> columns) {
  for (Column& column : columns) column.text = base::StrCat(alias, ".", column.text);
  return columns;
}

Relation Aliased(const Relation& query, const std::string& text, const std::string& alias) {
  Relation made{base::StrCat(text, " AS ", alias), Behind(alias, query.columns), std::nullopt};
  if (query.key.has_value()) {
    made.key.emplace();
    for (const std::string& column : *query.key) made.key->push_back(base::StrCat(alias, ".", column));
  }
  return made;
}

void Append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Relation QueryGenerator::Table() {
  const std::string log = choices_.Chance(35) ? "relay_logs" : "edge_logs";
  return Aliased({"", LogColumns(log), {{"id"}}}, choices_.Chance(20) ? base::StrCat("`", log, "`") : log,
                 NewName("t"));
}

Relation QueryGenerator::Derived(int depth) {
  const Relation query = Query(depth - 1);
  return Aliased(query, base::StrCat("(", query.text, ")"), NewName("s"));
}

Relation QueryGenerator::Pivoted() {
  const Relation from = Table();
  const std::string alias = NewName("v");
  if (choices_.Chance(50)) {
    const std::string query =
        base::StrCat("(SELECT ", Expression("STRING", from, 1), " AS a, ", Expression("STRING", from, 1), " AS b, ",
                     Expression("INT64", from, 2), " AS c FROM ", from.text,
                     ") PIVOT(SUM(c) AS s, COUNT(*) AS n FOR b IN ('error' AS e, 'GET' AS g))");
    return Aliased(
        {"", {{"a", "STRING"}, {"s_e", "INT64"}, {"n_e", "INT64"}, {"s_g", "INT64"}, {"n_g", "INT64"}}, {{"a"}}}, query,
        alias);
  }
  const std::string id = from.columns[0].text;
  const std::string query = base::StrCat("(SELECT ", id, " AS k, ", Expression("INT64", from, 2), " AS x, ",
                                         Expression("INT64", from, 2), " AS y FROM ", from.text, ") UNPIVOT",
                                         choices_.Chance(50) ? " INCLUDE NULLS" : "", " (v FOR w IN (x, y AS 'two'))");
  return Aliased({"", {{"k", "STRING"}, {"v", "INT64"}, {"w", "STRING"}}, {{"k", "w"}}}, query, alias);
}

Relation QueryGenerator::Source(int depth) {
  const int choice = choices_.Below(20);
  if (choice >= 14 && !entries_.empty()) {
    const Relation& entry = choices_.Of(entries_);
    return Aliased(entry, entry.text, NewName("e"));
  }
  if (choice >= 11 && depth > 0) return Derived(depth);
  if (choice == 10) return Pivoted();
  return Table();
}

void QueryGenerator::AddUnnestOfRecord(Relation& from, const Column& record) {
  const std::string alias = NewName("m");
  std::vector<Column> columns = Behind(alias, RecordColumns(record.type));
  std::string item = base::StrCat("UNNEST(", record.text, ") AS ", alias);
  if (choices_.Chance(15)) {
    const std::string offset = NewName("o");
    base::StrAppend(&item, " WITH OFFSET AS ", offset);
    columns.push_back({offset, "INT64"});
  }
  const int form = choices_.Below(10);
  const Relation inside{"", columns, std::nullopt};
  from.columns.insert(from.columns.end(), columns.begin(), columns.end());
  if (form < 3) {
    base::StrAppend(&from.text, " CROSS JOIN ", item);
  } else if (form < 4) {
    base::StrAppend(&from.text, ", ", item);
  } else if (form < 5) {
    base::StrAppend(&from.text, " INNER JOIN ", item, " ON ", Expression("BOOL", from, 2));
  } else if (form < 9) {
    base::StrAppend(&from.text, " LEFT JOIN ", item, " ON TRUE");
  } else {
    base::StrAppend(&from.text, " LEFT JOIN ", item, " ON ",
                    Expression("BOOL", choices_.Chance(50) ? inside : from, 2));
  }
}

void QueryGenerator::AddUnnestOfArray(Relation& from, const Column& array) {
  const std::string alias = NewName("x");
  std::string item = base::StrCat("UNNEST(", array.text, ") AS ", alias);
  from.columns.push_back({alias, array.type == "ARRAY<INT64>" ? "INT64" : "STRING"});
  if (choices_.Chance(40)) {
    const std::string offset = NewName("o");
    base::StrAppend(&item, " WITH OFFSET AS ", offset);
    from.columns.push_back({offset, "INT64"});
    if (from.key.has_value()) from.key->push_back(offset);
  } else {
    from.key.reset();
  }
  if (choices_.Chance(40)) {
    base::StrAppend(&from.text, " LEFT JOIN ", item, " ON ",
                    choices_.Chance(60) ? "TRUE" : Expression("BOOL", from, 1));
  } else {
    base::StrAppend(&from.text, choices_.Chance(30) ? ", " : " CROSS JOIN ", item);
  }
}

void QueryGenerator::AddUnnest(Relation& from) {
  std::vector<Column> records, arrays;
  for (const Column& column : from.columns) {
    if (column.type.starts_with("RECORD:")) records.push_back(column);
    if (column.type.starts_with("ARRAY<")) arrays.push_back(column);
  }
  if (!records.empty() && !choices_.Chance(25)) {
    // The newest one, as they are taken apart level by level.
    return AddUnnestOfRecord(from, choices_.Chance(70) ? records.back() : choices_.Of(records));
  }
  if (choices_.Chance(20)) {
    const std::string type = choices_.Chance(50) ? "ARRAY<INT64>" : "ARRAY<STRING>";
    return AddUnnestOfArray(from, {Expression(type, from, 2), type});
  }
  if (!arrays.empty()) AddUnnestOfArray(from, choices_.Of(arrays));
}

// After a comma RIGHT and FULL JOIN want parentheses.
std::string QueryGenerator::JoinKind(const Relation& from) {
  static const auto* kinds = new std::vector<std::string>{" JOIN ",      " INNER JOIN ", " LEFT JOIN ",
                                                          " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "};
  const int count = from.text.find(", UNNEST") == std::string::npos ? 6 : 4;
  return (*kinds)[static_cast<size_t>(choices_.Below(count))];
}

void QueryGenerator::AddJoin(Relation& from, int depth) {
  Relation right = Source(depth);
  if (right.key.has_value() && from.key.has_value()) {
    Append(*from.key, *right.key);
  } else {
    from.key.reset();
  }
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Column& left : from.columns) {
    for (const Column& other : right.columns) {
      if (left.type == other.type && IsOrdered(left.type)) pairs.emplace_back(left.text, other.text);
    }
  }
  const bool crossed = pairs.empty() || choices_.Chance(10);
  base::StrAppend(&from.text, crossed ? " CROSS JOIN " : JoinKind(from), right.text);
  from.columns.insert(from.columns.end(), right.columns.begin(), right.columns.end());
  if (crossed) return;
  const auto& [left, other] = choices_.Of(pairs);
  base::StrAppend(&from.text, " ON ", left, choices_.Chance(10) ? " IS NOT DISTINCT FROM " : " = ", other);
  if (choices_.Chance(25)) base::StrAppend(&from.text, " AND ", Expression("BOOL", from, 2));
}

Relation QueryGenerator::From(int depth) {
  Relation from = Source(depth);
  for (int i = choices_.Below(4); i > 0; --i) AddUnnest(from);
  if (depth > 0 && choices_.Chance(35)) {
    AddJoin(from, depth);
    for (int i = choices_.Below(3); i > 0; --i) AddUnnest(from);
  }
  return from;
}

}  // namespace logquery::fuzz
