// Makes FROM clauses and subqueries.
#include "tests/clickhouse_oracle/query_maker_impl.h"

namespace logquery::clickhouse_oracle {

using base::StrCat;

Source Maker::From() {
  switch (Below(10)) {
    case 0:
      return Subquery("s");
    case 1:
      return Joined();
    case 2:
      return Logs("a");
    case 3:
      return Grouped("g");
    default:
      return Logs("");
  }
}

Source Maker::Logs(const std::string& alias) {
  const std::string prefix = alias.empty() ? "" : alias + ".";
  Source source;
  source.text = alias.empty() ? "logs" : StrCat("logs ", Chance(50) ? "AS " : "", alias);
  source.map = prefix + "log_attributes";
  for (const char* name : {"id", "event_message", "severity_text", "source", "project"})
    source.columns.push_back({prefix + name, Kind::kText});
  source.columns.push_back({prefix + "timestamp", Kind::kTime});
  source.unique = {prefix + "id"};
  return source;
}

Source Maker::Subquery(const std::string& alias) {
  const Source logs = Logs("");
  Source source;
  std::string items = "id AS i";
  for (size_t i = 0; i <= Below(3); ++i) {
    const Kind kind = AnyKind();
    items += StrCat(", ", Of(kind, logs, 1), " AS x", i);
    source.columns.push_back({StrCat(alias, ".x", i), kind});
  }
  source.text =
      StrCat("(SELECT ", items, " FROM logs", Where(logs), Chance(20) ? " ORDER BY id LIMIT 20" : "", ") AS ", alias);
  source.columns.push_back({alias + ".i", Kind::kText});
  source.unique = {alias + ".i"};
  return source;
}

// Groups: their keys are unique.
Source Maker::Grouped(const std::string& alias) {
  const Source logs = Logs("");
  const Kind kind = Chance(70) ? Kind::kText : ScalarKind();
  const std::string aggregate =
      OneOf({"count()", "uniqExact(id)", "max(length(event_message))", "sum(length(id))",
             "countIf(severity_text = 'ERROR')", "sumOrNull(toInt32OrNull(log_attributes['status']))"});
  Source source;
  source.text =
      StrCat("(SELECT ", kind == Kind::kText && Chance(60) ? std::string("source") : Of(kind, logs, 1), " AS k, ",
             aggregate, " AS n, max(timestamp) AS t FROM logs", Where(logs), " GROUP BY k) AS ", alias);
  source.columns = {{alias + ".k", kind}, {alias + ".n", Kind::kInt}, {alias + ".t", Kind::kTime}};
  source.unique = {alias + ".k"};
  return source;
}

// Two groupings, or rows and a grouping.
Source Maker::Joined() {
  const std::string join = OneOf({"JOIN", "INNER JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT OUTER JOIN"});
  const std::string key = OneOf({"source", "severity_text", "log_attributes['status']", "log_attributes['level']"});
  const auto part = [&](const char* alias, const char* value) {
    return StrCat("(SELECT ", key, " AS k, count() AS n, ", value, " AS v FROM logs", Where(Logs("")),
                  " GROUP BY k) AS ", alias);
  };
  Source source;
  if (Chance(15)) {
    source.text = StrCat(part("a", "max(id)"), " CROSS JOIN ", part("b", "max(timestamp)"));
  } else {
    source.text = StrCat(part("a", "max(id)"), " ", join, " ", part("b", "max(timestamp)"),
                         Chance(30)   ? " USING (k)"
                         : Chance(70) ? " ON a.k = b.k"
                                      : " ON a.k = b.k AND a.n = b.n");
  }
  source.columns = {{"a.k", Kind::kText}, {"a.n", Kind::kInt}, {"a.v", Kind::kText},
                    {"b.k", Kind::kText}, {"b.n", Kind::kInt}, {"b.v", Kind::kTime}};
  source.has_defaults = true;
  // In a full join a side without a partner has defaults, also for a row whose key is ''.
  source.unique = {"a.k", "b.k", "a.n", "b.n"};
  return source;
}

std::string Maker::InSubquery(const Source& source) {
  const Source logs = Logs("");
  const bool texts = Chance(70);
  return StrCat(texts ? Text(source, 0) : Int(source, 0), OneOf({" IN (", " NOT IN ("}), "SELECT ",
                texts ? Text(logs, 0) : Int(logs, 1), " FROM logs", Where(logs), ")");
}

// A column of the source, if it has one of this kind.
std::string Maker::Column(Kind kind, const Source& source, const std::string& otherwise) {
  std::vector<std::string> found;
  for (const MadeColumn& column : source.columns) {
    if (column.kind == kind) found.push_back(column.text);
  }
  return found.empty() ? otherwise : found[Below(found.size())];
}

}  // namespace logquery::clickhouse_oracle
