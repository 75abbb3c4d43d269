#include "tests/fuzz/differential/query_generator.h"

#include <algorithm>

#include "lib/base/strings.h"

namespace logquery::fuzz {
namespace {

// At most this many queries inside each other.
constexpr int kQueryDepth = 2;

}  // namespace

bool IsOrdered(const std::string& type) {
  return type != "JSON" && !type.starts_with("ARRAY<") && !type.starts_with("RECORD:");
}

std::string QueryGenerator::NewName(const char* kind) { return base::StrCat(kind, ++names_); }

std::string QueryGenerator::Expression(const std::string& type, const Relation& from, int depth) {
  return maker_.Make(type, from.columns, depth);
}

const std::string& QueryGenerator::AnyType() {
  static const auto* types =
      new Types{"INT64", "STRING", "INT64",    "STRING", "BOOL", "FLOAT64", "TIMESTAMP",     "TIMESTAMP",   "DATE",
                "BOOL",  "BYTES",  "DATETIME", "TIME",   "JSON", "NUMERIC", "ARRAY<STRING>", "ARRAY<INT64>"};
  return choices_.Of(*types);
}

bool QueryGenerator::AddLimit(Relation& query, const char* before) {
  const bool all = std::all_of(query.columns.begin(), query.columns.end(),
                               [](const Column& column) { return IsOrdered(column.type); });
  if (!all) return false;
  std::vector<std::string> order;
  for (const Column& column : query.columns) {
    static const auto* ways = new Types{"", " DESC", " NULLS LAST", " DESC NULLS FIRST"};
    order.push_back(base::StrCat(column.text, choices_.Of(*ways)));
  }
  std::rotate(order.begin(), order.begin() + choices_.Below(static_cast<int>(order.size())), order.end());
  base::StrAppend(&query.text, before, "ORDER BY ", base::Join(order, ", "));
  if (choices_.Chance(85)) {
    base::StrAppend(&query.text, before, "LIMIT ", choices_.Below(12));
    if (choices_.Chance(25)) base::StrAppend(&query.text, " OFFSET ", choices_.Below(4));
  }
  return true;
}

Relation QueryGenerator::SetOperation(int depth) {
  const Types types = SomeTypes(1, true);
  Relation made = Select(depth, &types);
  Relation other = Select(depth, &types);
  // Both have the columns of `types` first; a key or a record may follow them in one.
  const auto only = [&](const Relation& query) {
    if (query.columns.size() == types.size()) return query.text;
    std::vector<std::string> names;
    for (size_t i = 0; i < types.size(); ++i) names.push_back(query.columns[i].text);
    return base::StrCat("(SELECT ", base::Join(names, ", "), " FROM (", query.text, "))");
  };
  static const auto* operators =
      new Types{" UNION ALL ", " UNION DISTINCT ", " INTERSECT DISTINCT ", " EXCEPT DISTINCT "};
  const std::string& op = choices_.Of(*operators);
  made.text = base::StrCat(only(made), op, only(other));
  made.columns.resize(types.size());
  for (Column& column : made.columns) column.dyadic = false;
  made.key.reset();
  if (op == " UNION ALL ") return made;
  made.key.emplace();
  for (const Column& column : made.columns) made.key->push_back(column.text);
  return made;
}

Relation QueryGenerator::Query(int depth) {
  const int form = choices_.Below(10);
  if (form == 9) return Pipe(depth);
  Relation made = form == 8 ? SetOperation(depth) : Select(depth, nullptr);
  if (choices_.Chance(30)) AddLimit(made, " ");
  return made;
}

Relation QueryGenerator::Recursive() {
  return {"(SELECT 1 AS n, 'a' AS s UNION ALL SELECT n + 1, CONCAT(s, 'b') FROM ",
          {{"n", "INT64"}, {"s", "STRING"}},
          {{"n"}}};
}

std::string QueryGenerator::With(int depth) {
  const int count = std::max(0, choices_.Below(5) - 1);
  if (count == 0) return "";
  std::vector<std::string> entries;
  bool recursive = false;
  for (int i = 0; i < count; ++i) {
    const std::string name = NewName("w");
    const int form = choices_.Below(12);
    Relation query;
    if (form == 11) {
      recursive = true;
      query = Recursive();
      base::StrAppend(&query.text, name, " WHERE n < ", choices_.Below(6), ")");
    } else if (form >= 9) {
      // One row of what parameters say, as definitions of endpoints have it.
      const Relation nothing;
      query.columns = {{"lo", "TIMESTAMP"}, {"wanted", "STRING"}};
      query.key.emplace();
      query.text = base::StrCat("(SELECT ", Expression("TIMESTAMP", nothing, 2), " AS lo, ",
                                Expression("STRING", nothing, 2), " AS wanted)");
    } else {
      query = Query(depth - 1);
      query.text = base::StrCat("(", query.text, ")");
    }
    entries.push_back(base::StrCat(name, " AS ", query.text));
    query.text = name;
    entries_.push_back(std::move(query));
  }
  return base::StrCat(recursive ? "WITH RECURSIVE " : "WITH ", base::Join(entries, ", "), " ");
}

// Adds expressions that may fail where every run has to evaluate them: over the rows that are left, in the outermost list.
void QueryGenerator::AddFailing(Relation& query, const Relation& from) {
  std::string list;
  for (int i = 1 + choices_.Below(2); i > 0; --i) {
    std::string type;
    const std::string name = NewName("f"), item = maker_.MakeOf("failing", type, from.columns, 2);
    base::StrAppend(&list, list.empty() ? "" : ", ", item, " AS ", name);
    query.columns.push_back({name, type});
  }
  query.text = base::StrCat("SELECT ", list, " FROM ", from.text, " WHERE ", Expression("BOOL", from, 2));
}

FuzzQuery QueryGenerator::Make() {
  const std::string with = With(kQueryDepth);
  Relation query;
  std::vector<std::string> ordered_by;
  const int form = choices_.Below(12);
  if (form == 11) {
    AddFailing(query, From(1));
  } else if (form == 10) {
    const Relation from = From(1);
    std::string type;
    const std::string call = maker_.MakeOf("noisy", type, from.columns, 2);
    query.text = base::StrCat("SELECT ", Expression("STRING", from, 2), " AS g, ", call, " AS n FROM ", from.text,
                              " GROUP BY g");
  } else {
    query = Query(kQueryDepth);
    // The order of some columns, where there is none of all.
    const bool open = query.text.find("ORDER BY") == std::string::npos && query.text.find("|>") == std::string::npos;
    if (open && IsOrdered(query.columns[0].type) && choices_.Chance(30)) {
      ordered_by.push_back(query.columns[0].text);
      base::StrAppend(&query.text, " ORDER BY ", query.columns[0].text, choices_.Chance(50) ? " DESC" : "");
    }
  }
  return {with + query.text, std::move(ordered_by)};
}

}  // namespace logquery::fuzz
