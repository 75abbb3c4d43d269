// Queries over the declared logs, resolved.
#ifndef LOGQUERY_TESTS_REWRITE_RESOLVED_TEXT_H_
#define LOGQUERY_TESTS_REWRITE_RESOLVED_TEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "logquery/error.h"

namespace logquery::rewrite {

inline absl::StatusOr<QueryPlan> ResolveText(const std::string& text, std::vector<Field> parameters = {}) {
  static const Catalog& catalog = *new Catalog(Catalog::DeclaredLogs());
  auto query = sql::ParseQuery(text, {});
  if (!query.ok()) return query.status();
  ResolveOptions options;
  options.catalog = &catalog;
  options.parameters = std::move(parameters);
  return Resolve(**query, text, options);
}

// "a INT64, b STRING", or the error's message.
inline std::string SchemaOf(const std::string& text) {
  auto plan = ResolveText(text, {{"p", Type::String()}, {"n", Type::Int64()}});
  if (!plan.ok()) return std::string(base::Message(plan.status()));
  std::string schema;
  for (const Field& column : plan->schema) {
    base::StrAppend(&schema, schema.empty() ? "" : ", ", column.name, " ", column.type.ToString());
  }
  return schema;
}

}  // namespace logquery::rewrite

#endif  // LOGQUERY_TESTS_REWRITE_RESOLVED_TEXT_H_
