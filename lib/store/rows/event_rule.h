// What holds for the events of one request, beyond what holds for the rows of a file.
#ifndef LOGQUERY_LIB_STORE_ROWS_EVENT_RULE_H_
#define LOGQUERY_LIB_STORE_ROWS_EVENT_RULE_H_

#include <cstdint>
#include <string>

namespace logquery::store {

struct EventRule {
  std::string project;     // whose rows they have to be; empty: anybody's
  bool may_learn = false;  // whether fields that are not declared are surveyed
  int64_t arrived = 0;     // the time of rows that have none: microseconds since 1970
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_EVENT_RULE_H_
