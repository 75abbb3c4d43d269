// Queries in pipe syntax.
#include <algorithm>

#include "lib/base/strings.h"
#include "tests/fuzz/differential/query_generator.h"

namespace logquery::fuzz {

// |> SELECT: from here on columns have but their names.
void QueryGenerator::PipeSelect(Relation& query, int columns) {
  Relation made;
  std::string list;
  for (int i = 0; i < columns; ++i) {
    const std::string type = AnyType(), name = NewName("c");
    base::StrAppend(&list, list.empty() ? "" : ", ", Expression(type, query, 2), " AS ", name);
    made.columns.push_back({name, type});
  }
  made.text = base::StrCat(query.text, " |> SELECT ", list);
  query = std::move(made);
}

void QueryGenerator::PipeAggregate(Relation& query) {
  Relation made;
  std::string calls, keys;
  for (int i = 1 + choices_.Below(2); i > 0; --i) {
    std::string type;
    const std::string name = NewName("a"), call = maker_.MakeOf("aggregates", type, query.columns, 2);
    base::StrAppend(&calls, calls.empty() ? "" : ", ", call, " AS ", name);
    made.columns.push_back({name, type});
  }
  made.text = base::StrCat(query.text, " |> AGGREGATE ", calls);
  std::vector<Column> grouped;
  for (int i = choices_.Below(3); i > 0; --i) {
    const std::string type = choices_.Chance(50) ? "INT64" : "STRING", name = NewName("g");
    // A number alone would be taken for a place.
    base::StrAppend(&keys, keys.empty() ? " GROUP BY " : ", ", type == "INT64" ? "ABS(" : "LOWER(",
                    Expression(type, query, 2), ") AS ", name);
    grouped.push_back({name, type});
  }
  made.text += keys;
  // Keys come before the aggregates.
  made.columns.insert(made.columns.begin(), grouped.begin(), grouped.end());
  if (!grouped.empty()) {
    made.key.emplace();
    for (const Column& column : grouped) made.key->push_back(column.text);
  }
  query = std::move(made);
}

void QueryGenerator::PipeStep(Relation& query, int depth) {
  switch (choices_.Below(8)) {
    case 0:
    case 1:
      base::StrAppend(&query.text, " |> WHERE ", Expression("BOOL", query, 3));
      return;
    case 2: {
      const std::string type = AnyType(), name = NewName("x");
      base::StrAppend(&query.text, " |> EXTEND ", Expression(type, query, 2), " AS ", name);
      query.columns.push_back({name, type});
      return;
    }
    case 3:
      return PipeAggregate(query);
    case 4:
      return PipeSelect(query, 1 + choices_.Below(3));
    case 5: {
      if (depth <= 0) return;
      const Relation other = Table();
      base::StrAppend(&query.text, choices_.Chance(50) ? " |> JOIN " : " |> LEFT JOIN ", other.text, " ON ",
                      Expression("STRING", query, 1), " = ", other.columns[choices_.Chance(70) ? 3 : 0].text);
      query.columns.insert(query.columns.end(), other.columns.begin(), other.columns.end());
      query.key.reset();
      return;
    }
    default: {
      PipeSelect(query, 1 + choices_.Below(2));
      const Column& first = query.columns[0];
      if (first.type != "INT64" && first.type != "STRING") return;
      if (choices_.Chance(50)) {
        base::StrAppend(&query.text, " |> SET ", first.text, " = ", Expression(first.type, query, 2));
      } else {
        const std::string name = NewName("n");
        base::StrAppend(&query.text, " |> RENAME ", first.text, " AS ", name);
        query.columns[0].text = name;
      }
      return;
    }
  }
}

Relation QueryGenerator::Pipe(int depth) {
  Relation query = From(depth);
  query.text = base::StrCat("FROM ", query.text);
  for (int i = choices_.Below(4); i > 0; --i) PipeStep(query, depth);
  if (choices_.Chance(40)) {
    PipeAggregate(query);
  } else {
    PipeSelect(query, 1 + choices_.Below(3));
  }
  const bool groupable =
      std::all_of(query.columns.begin(), query.columns.end(), [](const Column& c) { return IsOrdered(c.type); });
  if (groupable && choices_.Chance(20)) {
    base::StrAppend(&query.text, " |> DISTINCT");
  }
  if (choices_.Chance(30)) AddLimit(query, " |> ");
  return query;
}

}  // namespace logquery::fuzz
