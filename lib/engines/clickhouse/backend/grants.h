// A user's privileges besides reading tables, from the lines of SHOW GRANTS.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_GRANTS_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_GRANTS_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::clickhouse {

struct Grants {
  // Privileges to read or write other systems through the server, such as FILE and URL, which the setting readonly does
  // not prevent. Unknown privileges are added here.
  std::vector<std::string> sources;
  std::vector<std::string> others;  // privileges to write, create, or manage
};

// Adds the privileges of one line: "GRANT SELECT, INSERT(a, b) ON logs.* TO reader WITH GRANT OPTION".
void AddGrants(std::string_view line, Grants& grants);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_GRANTS_H_
