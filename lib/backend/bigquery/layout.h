// How declared tables stand in BigQuery: what tables.get says of each, compared with the schema.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_LAYOUT_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_LAYOUT_H_

#include <string>
#include <string_view>
#include <vector>

#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/catalog.h"

namespace logquery::bigquery {

struct MappedTable {
  Table table;                          // Table::storage_name is an item of FROM (lib/emit/bigquery/fragments.h)
  bool is_partitioned_by_time = false;  // by its time_column
};

// `description` is the answer of tables.get for `mapping`, whose project and dataset are settled. What does not fit is added to
// `problems`, a sentence each. Where BigQuery's column may be NULL, the table has no time_column.
MappedTable MapTable(const Table& declared, const BigQueryTable& mapping, std::string_view description,
                     std::vector<std::string>& problems);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_LAYOUT_H_
