// Log records in DuckDB, where some of their fields are stored in columns of their own (Table::learned_columns).
//
// An expression that reads one field reads that field's column, or the path into the STRUCT of declared fields. An
// expression that reads the whole record gets it assembled:
//
//     CASE WHEN t."?metadata" THEN struct_pack(a := t.metadata.a, new := t."metadata.new") END
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_RECORDS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_RECORDS_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/emit/dialect.h"
#include "lib/emit/record_text.h"
#include "logquery/catalog.h"

namespace logquery::emit {

// The learned columns of one field and of the fields below it.
struct LearnedNode {
  const HotColumn* value = nullptr;
  const HotColumn* presence = nullptr;  // set only for a record that is not declared
  base::NameMap<std::unique_ptr<LearnedNode>> fields;
};

struct DuckDbRecord : RecordText {
  std::shared_ptr<const LearnedNode> node;  // of the record; fields without a node are in `stored`
  const Table* table = nullptr;
  std::string alias;
  std::string stored;    // SQL of the STRUCT with the declared fields; empty: there is none
  std::string presence;  // SQL of a BOOL: whether the record is present
};

// Returns the column that queries see as `name`, of the table with the alias `alias`. Borrows the table.
absl::StatusOr<Text> DuckDbColumn(const Table& table, std::string_view name, std::string_view alias);

// Returns the record of a text of this dialect; nullptr if it has none.
const DuckDbRecord* DuckDbRecordOf(const Text& text);

// Returns a field of `record`, whose type is `type`.
absl::StatusOr<Text> DuckDbRecordField(const DuckDbRecord& record, const Type& type, int index);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_RECORDS_H_
