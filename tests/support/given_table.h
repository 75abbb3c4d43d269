// A table that a test gives: its columns and rows.
#ifndef LOGQUERY_TESTS_SUPPORT_GIVEN_TABLE_H_
#define LOGQUERY_TESTS_SUPPORT_GIVEN_TABLE_H_

#include <string>
#include <vector>

#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::testing {

struct GivenTable {
  std::string name;
  Schema columns;
  std::vector<std::vector<Value>> rows;
  std::string time_column = {};     // as in Table; empty: none
  std::string project_column = {};  // the column that names a row's project; empty: none
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_GIVEN_TABLE_H_
