// Maps declared tables to BigQuery tables: compares each response of tables.get with the schema.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_LAYOUT_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_LAYOUT_H_

#include <string>
#include <string_view>
#include <vector>

#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/catalog.h"

namespace logquery::bigquery {

struct MappedTable {
  Table table;                          // Table::storage_name is a FROM item (lib/engines/bigquery/dialect/fragments.h)
  bool is_partitioned_by_time = false;  // by its time_column
};

// `description` is the response of tables.get for `mapping`, whose project and dataset are set. Adds a sentence to
// `problems` for each mismatch. If BigQuery's time column may be NULL, the table has no time_column.
MappedTable MapTable(const Table& declared, const BigQueryTable& mapping, std::string_view description,
                     std::vector<std::string>& problems);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_LAYOUT_H_
