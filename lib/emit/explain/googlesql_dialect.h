// Readable GoogleSQL. The class is shared with BigQuery's dialect, which derives from it.
#ifndef LOGQUERY_LIB_EMIT_EXPLAIN_GOOGLESQL_DIALECT_H_
#define LOGQUERY_LIB_EMIT_EXPLAIN_GOOGLESQL_DIALECT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"

namespace logquery::emit {

class GoogleSqlDialect : public SqlDialect {
 public:
  std::string Identifier(std::string_view name) const override;
  std::string TypeName(const Type& type) const override;
  absl::StatusOr<std::string> Literal(const Value& value) const override;
  std::string Parameter(int /*slot*/, std::string_view name, const Type& /*type*/) const override;
  std::string TableName(const Table& table) const override;
  absl::StatusOr<Text> StoredColumn(const rewrite::TableScan& scan, size_t column,
                                    std::string_view alias) const override;
  absl::StatusOr<Text> Field(const Text& base, const Type& type, int index) const override;
  absl::StatusOr<Text> Call(const rewrite::FunctionCall& call, const std::vector<Text>& args) const override;
  absl::StatusOr<Sql> Cast(const CastTexts& texts) const override;
  absl::StatusOr<Sql> Convert(const Type&, const Type&, const Text& value) const override;
  absl::StatusOr<Sql> Struct(const Type& type, const Texts& fields) const override;
  Sql Array(const Type& type, const Texts& elements) const override;
  absl::StatusOr<Sql> Lambda(const rewrite::LambdaScalar&, const std::vector<std::string>& parameters,
                             const Sql& body) const override;
  absl::StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const override;
  std::string NanTest(const Type&, const std::string&) const override;
  std::string Grouping(const std::string& key) const override;
  std::string_view FromNothing() const override;
  std::string_view Materialized(bool) const override;
  bool WritesOutDerivedParameters() const override;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_EXPLAIN_GOOGLESQL_DIALECT_H_
