// The GoogleSQL dialect that BigQuery runs, as a class: it writes whole queries, and the dialect of fragments derives
// from it.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_BIGQUERY_DIALECT_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_BIGQUERY_DIALECT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/explain/googlesql_dialect.h"

namespace logquery::emit {

class BigQueryDialect : public GoogleSqlDialect {
 public:
  std::vector<rewrite::Pass> Passes() const override;
  std::string Parameter(int slot, std::string_view name, const Type& type) const override;
  std::string TableName(const Table& table) const override;
  absl::StatusOr<std::string> Literal(const Value& value) const override;
  absl::StatusOr<Text> Call(const rewrite::FunctionCall& call, const std::vector<Text>& args) const override;
  absl::StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const override;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_BIGQUERY_DIALECT_H_
