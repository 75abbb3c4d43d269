// The engines that files can be loaded into.
#include "lib/emit/load_script.h"

namespace logquery::emit {

const std::vector<LoadWriter>& LoadWriters() {
  static const auto& writers = *new std::vector<LoadWriter>{
      {"bigquery", &BigQueryLoad}, {"clickhouse", &ClickHouseLoad}, {"postgres", &PostgresLoad}};
  return writers;
}

}  // namespace logquery::emit
