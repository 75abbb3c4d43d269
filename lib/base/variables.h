// The environment, as a program is given it: a test passes a map in its place.
#ifndef LOGQUERY_LIB_BASE_VARIABLES_H_
#define LOGQUERY_LIB_BASE_VARIABLES_H_

#include <functional>
#include <string>

namespace logquery::base {

// The environment's variable of that name, or nullptr.
using Variables = std::function<const char*(const std::string& name)>;

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_VARIABLES_H_
