// The groups of a regular expression in RE2's syntax.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_PATTERN_GROUPS_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_PATTERN_GROUPS_H_

#include <string>

namespace logquery::clickhouse_sql {

// Returns the pattern with its first `most` groups; the others are plain parentheses.
std::string WithGroups(const std::string& pattern, int most);

// Returns the number of groups, at most 20.
int CountGroups(const std::string& pattern);

// Returns the replacement for a match that has become the second group of a pattern, behind a first one with all that is before
// it: \0 is \2, and \1 is \3. The pattern has at most 7 groups.
std::string ReplacementAfterPrefix(const std::string& replacement);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_PATTERN_GROUPS_H_
