// Rows in NDJSON put into tables of Logflare's layout, as its PostgreSQL backend lays them out.
#ifndef LOGQUERY_TESTS_POSTGRES_LOGFLARE_LOADER_H_
#define LOGQUERY_TESTS_POSTGRES_LOGFLARE_LOADER_H_

#include <string>

#include "logquery/postgres/postgres_backend.h"
#include "tests/postgres/cluster.h"

namespace logquery::testing {

enum class LogflareIndex {
  kTime,     // as Logflare makes it
  kProject,  // and a column and an index for the project, as docs/postgres.md advises
};

// A table of its own for the log `name`, with the rows of `ndjson`; what the options say of it.
PostgresTable LoadLogflare(Cluster& cluster, const std::string& name, const std::string& ndjson,
                           LogflareIndex index = LogflareIndex::kTime);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_POSTGRES_LOGFLARE_LOADER_H_
