// Values as JSON text, for rows that are put into a server.
#ifndef LOGQUERY_TESTS_SUPPORT_VALUE_JSON_H_
#define LOGQUERY_TESTS_SUPPORT_VALUE_JSON_H_

#include <string>

#include "logquery/value.h"

namespace logquery::testing {

// Returns the text of INT64, BOOL, TIMESTAMP (microseconds), STRING without characters that JSON escapes, and records, arrays and
// STRUCTs of these. Fields of a record that are NULL are left out.
std::string JsonOf(const Value& value);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_VALUE_JSON_H_
