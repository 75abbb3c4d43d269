// A log's records on DuckDB where a part of their fields stands in columns of its own: Table::learned_columns.
//
// What reads one field reads that field's column, or the path into the STRUCT that holds the declared ones. What reads the
// record gets it put together:
//
//     CASE WHEN t."?metadata" THEN struct_pack(a := t.metadata.a, new := t."metadata.new") END
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_RECORDS_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_RECORDS_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/emit/dialect.h"
#include "lib/emit/record_text.h"
#include "logquery/catalog.h"

namespace logquery::emit {

// The learned columns at and below one field.
struct LearnedNode {
  const HotColumn* value = nullptr;
  const HotColumn* presence = nullptr;  // only of a record that is not declared
  base::NameMap<std::unique_ptr<LearnedNode>> fields;
};

struct DuckDbRecord : RecordText {
  std::shared_ptr<const LearnedNode> node;  // of the record; the fields that it has none for are in `stored`
  const Table* table = nullptr;
  std::string alias;
  std::string stored;    // SQL of the STRUCT that holds the declared fields; empty: there is none
  std::string presence;  // SQL of a BOOL: whether the record is there
};

// The column that queries see as `name`, of the table that stands under `alias`. Borrows the table.
absl::StatusOr<Text> DuckDbColumn(const Table& table, std::string_view name, std::string_view alias);

// What a text of this dialect says of its record; nullptr: nothing.
const DuckDbRecord* DuckDbRecordOf(const Text& text);

// A field of `record`, whose type is `type`.
absl::StatusOr<Text> DuckDbRecordField(const DuckDbRecord& record, const Type& type, int index);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_RECORDS_H_
