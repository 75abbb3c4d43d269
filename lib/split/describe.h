// Describes in the query's terms what a fragment asks of its source, for people who want to know which data is
// transferred.
#ifndef LOGQUERY_LIB_SPLIT_DESCRIBE_H_
#define LOGQUERY_LIB_SPLIT_DESCRIBE_H_

#include <string>
#include <vector>

#include "lib/split/split.h"

namespace logquery::split {

// Names are those of the query and of columns, without duplicates, in the fragment's order. A record field is
// "metadata.request.method"; anything without a name is omitted.
struct Description {
  std::vector<std::string> tables;
  std::vector<std::string> conditions;  // columns and fields in its conditions, including those of joins
  bool is_grouped = false;              // by the query's GROUP BY or DISTINCT
  std::vector<std::string> groups;      // the grouping keys
  std::vector<std::string> aggregates;  // functions: "COUNT"
  bool sends_equal_rows_once = false;   // grouped although the GROUP BY runs locally (lib/split/group_rows.h)
  bool is_limited = false;              // has LIMIT or OFFSET; with `order`, a top-N
  std::vector<std::string> order;       // the order of a limited fragment
  size_t columns = 0;                   // number of transferred columns
  std::string then_here;                // Fragment::reason
};

Description Describe(const Fragment& fragment);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_DESCRIBE_H_
