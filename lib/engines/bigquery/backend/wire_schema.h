// A TableSchema of BigQuery's REST interface, of a table or of a result.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_WIRE_SCHEMA_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_WIRE_SCHEMA_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/base/json/value.h"
#include "logquery/type.h"

namespace logquery::bigquery {

struct WireField {
  std::string name;
  std::string type;  // BigQuery's name: "INTEGER", "RECORD"
  bool repeated = false;
  bool required = false;
  std::string collation;          // "und:ci": text compares case-insensitively; empty: bytewise
  std::vector<WireField> fields;  // of a RECORD
};

// Parses {"fields": [{"name": "id", "type": "STRING", "mode": "NULLABLE"}, …]}. InvalidArgument: malformed, or nested
// more than 15 levels deep, BigQuery's limit.
absl::StatusOr<std::vector<WireField>> ParseWireSchema(const base::Json& schema);

// Returns why values of `type` can't be read from the field, to end a sentence: "is INTEGER, and not STRING". Empty:
// they can be read. `path` is the field's path. Fields of a record that `type` does not have are ignored.
std::string WhyNotRead(const Type& type, const WireField& field, const std::string& path);

// Returns the index of the field with this name, compared case-insensitively; -1 if there is none.
int FindWireField(const std::vector<WireField>& fields, const std::string& name);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_WIRE_SCHEMA_H_
