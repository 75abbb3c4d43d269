// What a user may do beside reading tables, from the lines of SHOW GRANTS.
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_GRANTS_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_GRANTS_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::clickhouse {

struct Grants {
  // Rights to read or write elsewhere through the server, such as FILE and URL: readonly does not keep a query from them. A right
  // that is not known is one of these.
  std::vector<std::string> sources;
  std::vector<std::string> others;  // to write, create, or manage
};

// Adds what one line grants: "GRANT SELECT, INSERT(a, b) ON logs.* TO reader WITH GRANT OPTION".
void AddGrants(std::string_view line, Grants& grants);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_GRANTS_H_
