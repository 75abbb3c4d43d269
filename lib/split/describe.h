// What a source is asked for in a fragment, in the words of the query: for people who want to know what travels.
#ifndef LOGQUERY_LIB_SPLIT_DESCRIBE_H_
#define LOGQUERY_LIB_SPLIT_DESCRIBE_H_

#include <string>
#include <vector>

#include "lib/split/split.h"

namespace logquery::split {

// Names are those of the query and of columns, each once, in the order in which the fragment has them; a field of a record is
// "metadata.request.method", and what has no name is left out.
struct Description {
  std::vector<std::string> tables;
  std::vector<std::string> conditions;  // the columns and fields that its conditions, also those of joins, compare
  bool is_grouped = false;              // by the query's GROUP BY or DISTINCT
  std::vector<std::string> groups;      // what it is grouped by
  std::vector<std::string> aggregates;  // functions: "COUNT"
  bool sends_equal_rows_once = false;   // grouped although the query's GROUP BY is done here (lib/split/group_rows.h)
  bool is_limited = false;              // LIMIT or OFFSET; with `order`, a top-N
  std::vector<std::string> order;       // of a limited fragment
  size_t columns = 0;                   // that travel
  std::string then_here;                // Fragment::reason
};

Description Describe(const Fragment& fragment);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_DESCRIBE_H_
