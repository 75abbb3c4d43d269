// Makes FROM clauses and subqueries.
#include <algorithm>

#include "tests/oracle/query_maker_impl.h"

namespace logquery::oracle {
namespace {

constexpr std::pair<const char*, Kind> kColumns[] = {
    {"k", Kind::kInt64}, {"v", Kind::kInt64},   {"n", Kind::kInt64},     {"s", Kind::kString},
    {"b", Kind::kBool},  {"f", Kind::kFloat64}, {"ts", Kind::kTimestamp}};

Source Named(const std::string& relation, const std::string& alias) {
  Source source{relation + " AS " + alias, {}, {alias + ".n"}, {alias + ".tags"}};
  for (const auto& [name, kind] : kColumns) source.columns.push_back({alias + "." + name, kind});
  return source;
}

}  // namespace

Source Maker::Entry() { return Named("few", NewAlias()); }

Source Maker::Log(int& loops) {
  if (has_entry_ && Chance(65)) return Entry();
  Count(++loops);
  return Named("logs", NewAlias());
}

// A derived table that keeps the log's columns. Within a subquery it may read columns around that.
Source Maker::Derived(const Outer& outer, int& loops) {
  const Source inner = Log(loops);
  const std::string& n = inner.unique[0];
  const std::string from = n.substr(0, n.find('.'));
  const std::string v = outer.empty() || Chance(60) ? from + ".v" : Column(Kind::kInt64, *outer.back());
  return Named(
      base::StrCat("(SELECT ", from, ".n, ", from, ".k, ", v, " AS v, ", from, ".s, ", from, ".b, ", from, ".f, ", from,
                   ".ts, ", from, ".tags FROM ", inner.text, " WHERE ", Where(inner, outer, 0, loops), ")"),
      NewAlias());
}

Source Maker::Grouped(const Outer& outer, int& loops) {
  const Source inner = Log(loops);
  const std::string alias = NewAlias();
  const bool one = Chance(30);
  const std::string key = one ? "MAX(" + Column(Kind::kInt64, inner) + ")" : Column(Kind::kInt64, inner);
  std::string text =
      base::StrCat("(SELECT ", key, " AS k, COUNT(*) AS v, MIN(", Column(Kind::kString, inner), ") AS s FROM ",
                   inner.text, " WHERE ", Where(inner, outer, 0, loops), one ? "" : " GROUP BY 1", ")");
  return {text + " AS " + alias,
          {{alias + ".k", Kind::kInt64}, {alias + ".v", Kind::kInt64}, {alias + ".s", Kind::kString}},
          {alias + ".k"},
          {}};
}

Source Maker::Elements(const std::string& array) {
  const std::string alias = NewAlias();
  return {base::StrCat("UNNEST(", array, ") AS ", alias, " WITH OFFSET AS ", alias, "o"),
          {{alias, Kind::kInt64}, {alias + "o", Kind::kInt64}},
          {alias + "o"},
          {}};
}

Source Maker::Joined(const Outer& outer, Source left, int& loops) {
  if (!left.arrays.empty() && Chance(25)) {
    Source elements = Elements(left.arrays[0]);
    left.text += OneOf({" CROSS JOIN ", " LEFT JOIN "}) + elements.text;
    left.columns.insert(left.columns.end(), elements.columns.begin(), elements.columns.end());
    left.unique.push_back(elements.unique[0]);
    return left;
  }
  const Source right = Chance(70) ? Log(loops) : Grouped({}, loops);
  // The engine flattens no subquery with a FULL JOIN in it.
  const std::string type = outer.empty() ? OneOf({" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "})
                                         : OneOf({" JOIN ", " JOIN ", " LEFT JOIN "});
  // Outer joins want an equality; a subquery's own columns are in reach of both.
  const std::string equality = base::StrCat(Column(Kind::kInt64, left), " = ", Column(Kind::kInt64, right));
  const std::string more = Chance(50) ? " AND " + Correlation(right, {&left}) : "";
  const std::string around =
      !outer.empty() && type == " JOIN " && Chance(30) ? " AND " + Correlation(right, outer) : "";
  left.text += base::StrCat(type, right.text, " ON ", equality, more, around);
  left.columns.insert(left.columns.end(), right.columns.begin(), right.columns.end());
  left.unique.insert(left.unique.end(), right.unique.begin(), right.unique.end());
  return left;
}

Source Maker::From(const Outer& outer, int nesting, int& loops) {
  const auto array_around = [&]() -> std::string {
    for (auto source = outer.rbegin(); source != outer.rend(); ++source) {
      if (!(*source)->arrays.empty()) return (*source)->arrays[0];
    }
    return "";
  };
  const std::string array = array_around();
  if (!array.empty() && Chance(15)) return Elements(array);
  Source source = Chance(12) ? Grouped(outer, loops) : Chance(15) ? Derived(outer, loops) : Log(loops);
  if (Chance(nesting == 0 && outer.empty() ? 40 : 12)) source = Joined(outer, std::move(source), loops);
  return source;
}

std::string Maker::Exists(const Source& source, const Outer& outer, int nesting, int loops) {
  const Outer around = With(outer, source);
  const Source inner = From(around, nesting, loops);
  return base::StrCat("EXISTS (SELECT ", Chance(80) ? "1" : Column(AnyKind(), inner), " FROM ", inner.text, " WHERE ",
                      Where(inner, around, nesting, loops), ")");
}

std::string Maker::In(const Source& source, const Outer& outer, int nesting, int loops) {
  const Outer around = With(outer, source);
  const Source inner = From(around, nesting, loops);
  const Kind kind = AnyKind();
  const std::string where = Chance(60) ? Where(inner, around, nesting, loops) : Condition(inner, {}, nesting, loops);
  return base::StrCat(Column(kind, source), OneOf({" IN (", " NOT IN ("}), "SELECT ", Column(kind, inner), " FROM ",
                      inner.text, " WHERE ", where, ")");
}

// Makes a subquery of one row: an aggregate, or the first row.
std::string Maker::ScalarSubquery(Kind kind, const Source& source, const Outer& outer, int nesting, int loops) {
  const Outer around = With(outer, source);
  if (Chance(15)) {
    // An entry of its own that is correlated, read once more below itself.
    const Source entry = Log(loops);
    const std::string name = NewAlias();
    Source read = Named(name, NewAlias()), again = Named(name, NewAlias());
    const std::string n = entry.unique[0].substr(0, entry.unique[0].find('.'));
    Count(loops + 1);
    return base::StrCat("(WITH ", name, " AS (SELECT ", n, ".* FROM ", entry.text, " WHERE ",
                        Where(entry, around, 0, loops), ") SELECT ", AggregateOf(kind, read), " FROM ", read.text,
                        " WHERE ", OneOf({"", "NOT "}), "EXISTS (SELECT 1 FROM ", again.text, " WHERE ",
                        Where(again, {&read}, 0, loops), "))");
  }
  const Source inner = From(around, nesting, loops);
  const std::string where = base::StrCat(" FROM ", inner.text, " WHERE ", Where(inner, around, nesting, loops));
  if (Chance(75)) return base::StrCat("(SELECT ", AggregateOf(kind, inner), where, ")");
  return base::StrCat("(SELECT ", Column(kind, inner), where, " ", OrderByUnique(inner), " LIMIT 1)");
}

std::string Maker::ArraySubquery(const Source& source, const Outer& outer, int nesting, int loops) {
  const Outer around = With(outer, source);
  const Source inner = From(around, nesting, loops);
  const std::string column = Column(Chance(50) ? Kind::kInt64 : Kind::kString, inner);
  return base::StrCat("ARRAY(SELECT ", column, " FROM ", inner.text, " WHERE ", Where(inner, around, nesting, loops),
                      " AND ", column, " IS NOT NULL ", OrderByUnique(inner), ")");
}

}  // namespace logquery::oracle
