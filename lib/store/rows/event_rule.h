// Rules for the events of one request that do not apply to rows of files.
#ifndef LOGQUERY_LIB_STORE_ROWS_EVENT_RULE_H_
#define LOGQUERY_LIB_STORE_ROWS_EVENT_RULE_H_

#include <cstdint>
#include <string>

namespace logquery::store {

struct EventRule {
  std::string project;     // the project that the rows must belong to; empty: any
  bool may_learn = false;  // whether undeclared fields are surveyed
  int64_t arrived = 0;     // time for rows that have none: microseconds since 1970
  std::string token;       // that sent the rows; empty: none
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_EVENT_RULE_H_
