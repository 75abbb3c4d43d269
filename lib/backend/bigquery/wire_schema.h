// A TableSchema of BigQuery's REST interface: of a table, and of an answer's rows.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_WIRE_SCHEMA_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_WIRE_SCHEMA_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/type.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::bigquery {

struct WireField {
  std::string name;
  std::string type;  // as it is written: "INTEGER", "RECORD"
  bool repeated = false;
  bool required = false;
  std::string collation;          // "und:ci": its texts are equal whatever the case of their letters; empty: as bytes
  std::vector<WireField> fields;  // of a RECORD
};

// Of {"fields": [{"name": "id", "type": "STRING", "mode": "NULLABLE"}, …]}. InvalidArgument: it is not of that form, or is nested
// more than 15 deep, which BigQuery does not have.
absl::StatusOr<std::vector<WireField>> ParseWireSchema(const nlohmann::ordered_json& schema);

// Why values of `type` can't be read from such a field, as a sentence's end: "is INTEGER, and not STRING". Empty: they can. `path`
// is the field's. A field that a record has there and the type has not is left out.
std::string WhyNotRead(const Type& type, const WireField& field, const std::string& path);

// The place of the field of that name in any case; -1: there is none.
int FindWireField(const std::vector<WireField>& fields, const std::string& name);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_WIRE_SCHEMA_H_
