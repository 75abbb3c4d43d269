// The environment, as commands are given it: a test passes a map in its place.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_VARIABLES_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_VARIABLES_H_

#include <functional>
#include <string>

namespace logquery::shim {

// The environment's variable of that name, or nullptr.
using Variables = std::function<const char*(const std::string& name)>;

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_VARIABLES_H_
