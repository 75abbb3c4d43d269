// SELECT in its forms: plain, with stars, DISTINCT, aggregates, window functions.
#include <algorithm>

#include "lib/base/strings.h"
#include "tests/fuzz/differential/query_generator.h"

namespace logquery::fuzz {
namespace {

constexpr int kDepth = 3;  // of expressions

void AddItem(std::string& list, const std::string& item, const std::string& name) {
  base::StrAppend(&list, list.empty() ? "" : ", ", item, " AS ", name);
}

const Column* Find(const std::vector<Column>& columns, const std::string& text) {
  for (const Column& column : columns) {
    if (column.text == text) return &column;
  }
  return nullptr;
}

}  // namespace

QueryGenerator::Types QueryGenerator::SomeTypes(int least, bool groupable) {
  Types types;
  for (int i = least + choices_.Below(3); i > 0; --i) {
    std::string type = AnyType();
    if (groupable && !IsOrdered(type)) type = "STRING";
    types.push_back(std::move(type));
  }
  return types;
}

Relation QueryGenerator::PlainSelect(Relation from, const Types& types) {
  Relation made;
  std::string list;
  for (const std::string& type : types) {
    const std::string name = NewName("c"), item = Expression(type, from, kDepth);
    const Column* column = Find(from.columns, item);
    AddItem(list, item, name);
    made.columns.push_back({name, type, column != nullptr && column->dyadic});
  }
  if (from.key.has_value() && choices_.Chance(50)) {
    made.key.emplace();
    for (const std::string& column : *from.key) {
      const std::string name = NewName("k");
      AddItem(list, column, name);
      const Column* found = Find(from.columns, column);
      made.columns.push_back({name, found != nullptr ? found->type : "INT64"});
      made.key->push_back(name);
    }
  }
  for (const Column& column : from.columns) {
    if (!column.type.starts_with("RECORD:") || !choices_.Chance(15)) continue;
    const std::string name = NewName("r");
    AddItem(list, column.text, name);
    made.columns.push_back({name, column.type});
  }
  made.text = base::StrCat("SELECT ", list, " FROM ", from.text);
  if (choices_.Chance(60)) base::StrAppend(&made.text, " WHERE ", Expression("BOOL", from, kDepth));
  return made;
}

// SELECT t.*, or all but some, with something in the place of one.
Relation QueryGenerator::StarSelect(Relation from) {
  from = Table();
  Relation made{"", {}, {{"id"}}};
  const std::string alias = from.columns[0].text.substr(0, from.columns[0].text.find('.'));
  for (const Column& column : from.columns) {
    made.columns.push_back({column.text.substr(alias.size() + 1), column.type, column.dyadic});
  }
  std::string star = choices_.Chance(50) ? base::StrCat(alias, ".*") : std::string("*");
  if (choices_.Chance(40)) {
    base::StrAppend(&star, " EXCEPT (event_message)");
    made.columns.erase(made.columns.begin() + 2);
  }
  if (choices_.Chance(40)) {
    base::StrAppend(&star, " REPLACE (", Expression("INT64", from, 2), " AS status)");
  }
  made.text = base::StrCat("SELECT ", star, " FROM ", from.text);
  if (choices_.Chance(60)) base::StrAppend(&made.text, " WHERE ", Expression("BOOL", from, kDepth));
  return made;
}

Relation QueryGenerator::DistinctSelect(Relation from, const Types& types) {
  from.key.reset();
  std::erase_if(from.columns, [](const Column& column) { return column.type.starts_with("RECORD:"); });
  Relation made = PlainSelect(std::move(from), types);
  made.text.insert(6, " DISTINCT");
  made.key.emplace();
  for (const Column& column : made.columns) made.key->push_back(column.text);
  return made;
}

// The keys into the SELECT list; what GROUP BY then says of them.
std::string QueryGenerator::GroupKeys(Relation& made, Relation& grouped, const Relation& from, std::string& list) {
  std::vector<std::string> named, written;
  made.key.emplace();
  for (int i = choices_.Below(4); i > 0; --i) {
    std::string type = AnyType();
    if (!IsOrdered(type)) type = "STRING";
    const std::string name = NewName("g"), key = Expression(type, from, 2);
    AddItem(list, key, name);
    made.columns.push_back({name, type});
    made.key->push_back(name);
    named.push_back(name);
    written.push_back(choices_.Chance(70) ? name : std::to_string(named.size()));
    if (Find(from.columns, key) != nullptr) grouped.columns.push_back({key, type});
  }
  if (named.empty()) return "";
  const int form = choices_.Below(12);
  if (form < 9) return base::StrCat(" GROUP BY ", base::Join(written, ", "));
  // Keys that a grouping set leaves out are NULL: keys tell the rows apart no more.
  made.key.reset();
  grouped.columns.clear();
  if (form == 9) return base::StrCat(" GROUP BY ROLLUP(", base::Join(named, ", "), ")");
  if (form == 10) return base::StrCat(" GROUP BY CUBE(", base::Join(named, ", "), ")");
  return base::StrCat(" GROUP BY GROUPING SETS ((", base::Join(named, ", "), "), ", named[0], ", ())");
}

Relation QueryGenerator::AggregateSelect(Relation from, const Types* types) {
  Relation made;
  Relation grouped;  // what the SELECT list and HAVING may name
  std::string list;
  std::string group_by;
  if (types == nullptr) group_by = GroupKeys(made, grouped, from, list);
  for (size_t i = 0; i < 3; ++i) {
    std::string type = types != nullptr && i < types->size() ? (*types)[i] : "";
    const std::string call = maker_.MakeOf("aggregates", type, from.columns, kDepth);
    if (!call.empty()) grouped.columns.push_back({call, type});
  }
  maker_.set_subqueries(false);
  const int count = types != nullptr ? static_cast<int>(types->size()) : 1 + choices_.Below(3);
  for (int i = 0; i < count; ++i) {
    const std::string type = types != nullptr ? (*types)[i] : choices_.Of(grouped.columns).type;
    const std::string name = NewName("a");
    AddItem(list, Expression(type, grouped, choices_.Below(3)), name);
    made.columns.push_back({name, type});
  }
  const std::string having = choices_.Chance(25) && !group_by.empty() ? Expression("BOOL", grouped, 2) : "";
  maker_.set_subqueries(true);
  made.text = base::StrCat("SELECT ", list, " FROM ", from.text);
  if (choices_.Chance(50)) base::StrAppend(&made.text, " WHERE ", Expression("BOOL", from, kDepth));
  base::StrAppend(&made.text, group_by);
  if (!having.empty()) base::StrAppend(&made.text, " HAVING ", having);
  return made;
}

void QueryGenerator::SetWindows(const Relation& from) {
  const std::string partition =
      choices_.Chance(60) ? base::StrCat("PARTITION BY ", Expression("STRING", from, 1), " ") : std::string();
  const std::string order = base::StrCat("ORDER BY ", Expression("INT64", from, 2), choices_.Chance(40) ? " DESC" : "");
  // Behind a key there are no ties.
  const std::string total = base::StrCat(order, ", ", base::Join(*from.key, ", "));
  const std::string frame = choices_.Chance(50) ? "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW"
                                                : "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING";
  maker_.set_windows({{"PARTITION", {base::StrCat("(", partition, ")"), "()"}},
                      {"ORDERED", {base::StrCat("(", partition, order, ")")}},
                      {"TOTAL", {base::StrCat("(", partition, total, ")"), base::StrCat("(", total, ")")}},
                      {"FRAMED", {base::StrCat("(", partition, total, " ", frame, ")")}}});
}

Relation QueryGenerator::WindowSelect(Relation from) {
  SetWindows(from);
  Relation made;
  std::string list;
  made.key.emplace();
  for (const std::string& column : *from.key) {
    const std::string name = NewName("k");
    AddItem(list, column, name);
    const Column* found = Find(from.columns, column);
    made.columns.push_back({name, found != nullptr ? found->type : "INT64"});
    made.key->push_back(name);
  }
  for (int i = 1 + choices_.Below(3); i > 0; --i) {
    std::string type;
    const std::string name = NewName("w"), call = maker_.MakeOf("windows", type, from.columns, kDepth);
    AddItem(list, call, name);
    made.columns.push_back({name, type});
  }
  made.text = base::StrCat("SELECT ", list, " FROM ", from.text);
  if (choices_.Chance(50)) base::StrAppend(&made.text, " WHERE ", Expression("BOOL", from, kDepth));
  if (choices_.Chance(25)) {
    std::string type = "INT64";
    base::StrAppend(&made.text, " QUALIFY ", maker_.MakeOf("windows", type, from.columns, 2),
                    " <= ", 1 + choices_.Below(9));
  }
  maker_.set_windows({});
  return made;
}

Relation QueryGenerator::Select(int depth, const Types* types) {
  Relation from = From(depth);
  const int form = choices_.Below(20);
  const bool aggregates = form >= 7 && form < 13;
  if (types != nullptr) {
    const bool given = std::all_of(types->begin(), types->end(), [](const std::string& t) { return t != "JSON"; });
    return aggregates && given ? AggregateSelect(std::move(from), types) : PlainSelect(std::move(from), *types);
  }
  if (aggregates) return AggregateSelect(std::move(from), nullptr);
  if (form >= 13 && form < 16 && from.key.has_value()) return WindowSelect(std::move(from));
  if (form == 16 || form == 17) return DistinctSelect(std::move(from), SomeTypes(1, true));
  if (form == 18) return StarSelect(std::move(from));
  return PlainSelect(std::move(from), SomeTypes(1, false));
}

}  // namespace logquery::fuzz
