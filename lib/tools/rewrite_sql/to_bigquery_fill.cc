// ORDER BY … WITH FILL: rows for the steps of a time that no row has.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

// The unit of a step of WITH FILL, in GoogleSQL; empty: it is none with a fixed length.
std::string FillUnit(const ch::Expr& step) {
  constexpr std::string_view kInterval = "toInterval";
  const bool literal = step.kind == ch::ExprKind::kCall && step.text.starts_with(kInterval) && step.args.size() == 1 &&
                       step.args[0]->kind == ch::ExprKind::kNumber;
  std::string unit = literal ? base::ToUpper(step.text.substr(kInterval.size())) : "";
  const bool fixed = unit == "SECOND" || unit == "MINUTE" || unit == "HOUR" || unit == "DAY";
  return fixed ? unit : "";
}

}  // namespace

// ORDER BY key WITH FILL STEP …: the rows are named, and united with those of the steps that no row has.
absl::StatusOr<std::string> ToBigQuery::FilledText(const ch::Select& select, int indent) {
  const ch::OrderItem& item = select.order_by[0];
  const sql::Span span = item.value->span;
  const bool alone = select.order_by.size() == 1 && !select.with_ties && select.limit_by.empty() &&
                     select.offset == nullptr && item.fill_from == nullptr && item.fill_to == nullptr;
  const std::string unit = item.fill_step == nullptr ? "" : FillUnit(*item.fill_step);
  if (!alone || unit.empty() || item.value->kind != ch::ExprKind::kName)
    return Unsupported(span,
                       "WITH FILL beside other keys, with FROM, TO or OFFSET, or by no interval of a fixed length");
  if (select.limit != nullptr && select.limit->kind != ch::ExprKind::kNumber)
    return Unsupported(select.limit->span, "LIMIT of no literal");
  LOGQUERY_ASSIGN_OR_RETURN(const std::string rows, RowsText(select, indent + 1, /*with_order=*/false));
  const std::vector<std::string> columns = last_columns_;
  const std::string& key = item.value->path.back();
  std::vector<std::string> missing;
  bool found = false;
  for (size_t i = 0; i < columns.size(); ++i) {
    const ch::ChType type = TypeOf(*select.items[i]);
    const std::string quoted = sql::QuoteIdentifier(columns[i]);
    if (columns[i] == key) {
      const bool time = type.Is(ch::ChKind::kDateTime) || type.Is(ch::ChKind::kDateTime64);
      if (found || !time || type.nullable) return Unsupported(span, StrCat("WITH FILL of ", type.ToString()));
      found = true;
      missing.push_back(quoted);
      continue;
    }
    const std::string otherwise = type.nullable ? "NULL" : DefaultOf(type);
    if (otherwise.empty()) return Unsupported(select.items[i]->span, StrCat("WITH FILL beside ", type.ToString()));
    missing.push_back(StrCat(otherwise, " AS ", quoted));
  }
  if (!found) return Unsupported(span, "WITH FILL of another value than a column of SELECT");
  Note(span, "WITH FILL is a union with the steps that no row has; their other columns are 0, '' or NULL");
  const std::string name = sql::QuoteIdentifier(key);
  const auto bound = [&](bool greatest) {
    return StrCat("(SELECT ", greatest ? "MAX(" : "MIN(", name, ") FROM filled)");
  };
  const std::string steps = item.fill_step->args[0]->text;
  std::vector<std::string> lines = {"WITH filled AS (",
                                    "SELECT * FROM filled",
                                    "UNION ALL",
                                    StrCat("SELECT ", base::Join(missing, ", ")),
                                    StrCat("FROM UNNEST(GENERATE_TIMESTAMP_ARRAY(", bound(item.descending), ", ",
                                           bound(!item.descending), ", INTERVAL ", steps, " ", unit, ")) AS ", name),
                                    StrCat("WHERE ", name, " NOT IN (SELECT ", name, " FROM filled)"),
                                    StrCat("ORDER BY ", name, item.descending ? " DESC" : "")};
  if (select.limit != nullptr) lines.push_back(StrCat("LIMIT ", select.limit->text));
  for (std::string& line : lines) line = Indented(indent, line);
  lines[0] += StrCat("\n", rows, "\n", Indented(indent, ")"));
  last_columns_ = columns;
  return base::Join(lines, "\n");
}

}  // namespace logquery::tools
