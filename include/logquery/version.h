// The version of logquery, as semantic versioning has it; docs/changelog.md says what changed in each.
//
//     #if LOGQUERY_VERSION_NUMBER >= 10000  // 1.0.0: major, minor, patch, of two digits each
//     if (logquery::Version() != LOGQUERY_VERSION_STRING) …  // the program was compiled with other headers
#ifndef LOGQUERY_VERSION_H_
#define LOGQUERY_VERSION_H_

#include <string_view>

#define LOGQUERY_VERSION_STRING "0.1.0"
#define LOGQUERY_VERSION_NUMBER 100

namespace logquery {

// Returns the version of the library that the program runs with; LOGQUERY_VERSION_STRING is that of the headers. Thread-safe.
std::string_view Version();

}  // namespace logquery

#endif  // LOGQUERY_VERSION_H_
