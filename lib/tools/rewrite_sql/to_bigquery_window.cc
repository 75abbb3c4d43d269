// Window functions, and the text of a window with its frame.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

absl::StatusOr<std::string> ToBigQuery::WindowText(const ch::WindowSpec& spec, Scope& scope, bool with_frame) {
  std::vector<std::string> parts;
  std::vector<std::string> keys;
  for (const ch::ExprPtr& key : spec.partition_by) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*key, scope));
    keys.push_back(value.text);
  }
  if (!keys.empty()) parts.push_back(StrCat("PARTITION BY ", base::Join(keys, ", ")));
  keys.clear();
  for (const ch::OrderItem& item : spec.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*item.value, scope));
    const bool first = item.nulls_first.value_or(false);
    const char* nulls = !value.nullable || first != item.descending ? "" : first ? " NULLS FIRST" : " NULLS LAST";
    keys.push_back(StrCat(value.text, item.descending ? " DESC" : "", nulls));
  }
  if (!keys.empty()) parts.push_back(StrCat("ORDER BY ", base::Join(keys, ", ")));
  if (spec.framed && with_frame) {
    const auto bound = [&](const ch::WindowBound& from) -> absl::StatusOr<std::string> {
      using Kind = ch::WindowBound::Kind;
      if (from.kind == Kind::kUnboundedPreceding) return std::string("UNBOUNDED PRECEDING");
      if (from.kind == Kind::kUnboundedFollowing) return std::string("UNBOUNDED FOLLOWING");
      if (from.kind == Kind::kCurrentRow) return std::string("CURRENT ROW");
      if (from.offset->kind != ch::ExprKind::kNumber || !spec.rows)
        return Unsupported(from.offset->span, "a frame's offset that is no literal, or of RANGE");
      return StrCat(from.offset->text, from.kind == Kind::kPreceding ? " PRECEDING" : " FOLLOWING");
    };
    LOGQUERY_ASSIGN_OR_RETURN(const std::string begin, bound(spec.begin));
    LOGQUERY_ASSIGN_OR_RETURN(const std::string end, bound(spec.end));
    parts.push_back(StrCat(spec.rows ? "ROWS" : "RANGE", " BETWEEN ", begin, " AND ", end));
  }
  return StrCat("(", base::Join(parts, " "), ")");
}

// Ranks, and values of rows before or after, which are defaults beyond the first and last row.
absl::StatusOr<BqValue> ToBigQuery::WindowCall(const ch::Expr& call, Scope& scope, bool& handled) {
  const std::string& name = call.text;
  if (call.has_params) return handled = false, BqValue();
  const bool ranks = name == "row_number" || name == "rank" || name == "dense_rank";
  if (ranks && call.args.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string window, WindowText(*call.over, scope));
    return BqValue{StrCat(base::ToUpper(name), "() OVER ", window)};
  }
  if (name == "ntile" && call.args.size() == 1 && call.args[0]->kind == ch::ExprKind::kNumber) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string window, WindowText(*call.over, scope));
    return BqValue{StrCat("NTILE(", call.args[0]->text, ") OVER ", window)};
  }
  const bool before = name == "lag" || name == "lagInFrame";
  const bool after = name == "lead" || name == "leadInFrame";
  if ((!before && !after) || call.args.empty() || call.args.size() > 3) return handled = false, BqValue();
  using Kind = ch::WindowBound::Kind;
  const bool in_frame = name.ends_with("InFrame");
  // The frame ends with the row itself, unless it is written.
  const bool whole = !in_frame || (call.over->framed ? call.over->begin.kind == Kind::kUnboundedPreceding &&
                                                           (before || call.over->end.kind == Kind::kUnboundedFollowing)
                                                     : before);
  if (!whole || call.over->order_by.empty())
    return Unsupported(call.span,
                       StrCat(name, " in a frame that does not reach to the first or last row, or without ORDER BY"));
  LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
  std::string distance = "1";
  if (call.args.size() > 1) {
    if (call.args[1]->kind != ch::ExprKind::kNumber)
      return Unsupported(call.args[1]->span, "a distance that is no literal");
    distance = call.args[1]->text;
  }
  std::string otherwise;
  bool nullable = value.nullable;
  const ch::ChType type = TypeOf(*call.args[0]);
  if (call.args.size() > 2) {
    if (TypeOf(*call.args[2]).kind != type.kind)
      return Unsupported(call.args[2]->span, "a default of another type than the value");
    LOGQUERY_ASSIGN_OR_RETURN(BqValue given, Value(*call.args[2], scope));
    otherwise = given.text;
    nullable = nullable || given.nullable;
  } else if (!type.nullable) {
    otherwise = DefaultOf(type);
    if (otherwise.empty()) return Unsupported(call.span, StrCat(name, " of ", type.ToString()));
    Note(call.span, "before the first and after the last row ClickHouse gives 0, '' or 1970, BigQuery NULL");
  }
  const std::string last = otherwise.empty() ? "" : StrCat(", ", otherwise);
  const std::string count = otherwise.empty() && distance == "1" ? "" : StrCat(", ", distance);
  // LAG and LEAD take no frame.
  LOGQUERY_ASSIGN_OR_RETURN(const std::string window, WindowText(*call.over, scope, false));
  return BqValue{StrCat(before ? "LAG(" : "LEAD(", value.text, count, last, ") OVER ", window), Binds::kPrimary, false,
                 nullable || otherwise.empty()};
}

}  // namespace logquery::tools
