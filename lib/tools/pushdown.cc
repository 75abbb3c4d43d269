// Plans the query as a call would, splits it, and describes the parts in words.
#include "lib/tools/pushdown.h"

#include <memory>

#include "lib/base/json/value.h"
#include "lib/base/redaction_kinds.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialect.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::endpoint {
namespace {

using base::Join;
using base::StrCat;

std::string RowsOf(const split::Description& part) {
  std::string rows = part.is_grouped ? "one row for each group" : "rows";
  if (part.sends_equal_rows_once) rows = "each distinct row once, with how often it is there";
  return StrCat(rows, " of ", part.columns, part.columns == 1 ? " column" : " columns");
}

std::string GroupingOf(const split::Description& part) {
  std::string text = part.groups.empty() ? "all rows" : Join(part.groups, ", ");
  if (!part.aggregates.empty()) base::StrAppend(&text, " with ", Join(part.aggregates, ", "));
  return text;
}

}  // namespace

absl::StatusOr<std::vector<split::Description>> PushdownOf(const Endpoint& definition, const Catalog& catalog,
                                                           const FragmentDialect& dialect) {
  const emit::SqlDialect& fragments = *emit::SqlOf(&dialect);
  if (fragments.powers() == nullptr) return absl::InternalError("a dialect of fragments does not say what it can do");
  LOGQUERY_ASSIGN_OR_RETURN(const ParsedDefinition query, ParseInItsLanguage(definition));
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<ResolvedQuery> resolved, ResolveEndpoint(definition, query, catalog));
  rewrite::QueryPlan plan = rewrite::CopyPlan(resolved->plan);
  rewrite::PassContext context;
  context.max_rows = definition.max_rows;
  const std::string kinds = base::PrintRedactionKinds(definition.redaction);
  if (definition.redact_pii) context.redaction = &kinds;
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(rewrite::SharedPasses(), context, plan));
  LOGQUERY_ASSIGN_OR_RETURN(const split::SplitPlan split, split::Split(std::move(plan), *fragments.powers()));
  std::vector<split::Description> parts;
  for (const split::Fragment& fragment : split.fragments) parts.push_back(split::Describe(fragment));
  return parts;
}

std::string PushdownText(const std::vector<split::Description>& parts, const std::string& indent) {
  std::string text;
  const auto line = [&](const std::string& name, const std::string& words) {
    base::StrAppend(&text, indent, name, std::string(name.size() < 12 ? 12 - name.size() : 1, ' '), words, "\n");
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    const split::Description& part = parts[i];
    base::StrAppend(&text, indent, "part ", i + 1, " of ", parts.size(), ", of ", Join(part.tables, ", "), "\n");
    line("  where", part.conditions.empty() ? "(all rows)" : StrCat("conditions on ", Join(part.conditions, ", ")));
    if (part.is_grouped || part.sends_equal_rows_once) line("  groups by", GroupingOf(part));
    if (part.is_limited) {
      line("  limits", part.order.empty() ? "LIMIT" : StrCat("LIMIT, ordered by ", Join(part.order, ", ")));
    }
    line("  sends", RowsOf(part));
    line("  then here", part.then_here.empty() ? "nothing but the order" : part.then_here);
  }
  return text;
}

std::string PushdownJson(const std::vector<split::Description>& parts) {
  using base::Json;
  Json all = Json::array();
  for (const split::Description& part : parts) {
    Json json = {{"tables", part.tables}};
    const auto add = [&json](const char* key, const std::vector<std::string>& names) {
      if (!names.empty()) json[key] = names;
    };
    add("conditions", part.conditions);
    add("group_by", part.groups);
    add("aggregates", part.aggregates);
    add("order_by", part.order);
    if (part.is_limited) json["limited"] = true;
    if (part.sends_equal_rows_once) json["equal_rows_once"] = true;
    json["columns"] = part.columns;
    json["then_here"] = part.then_here;
    all.push_back(std::move(json));
  }
  return all.ToString();
}

}  // namespace logquery::endpoint
