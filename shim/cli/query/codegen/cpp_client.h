// The typed client as one C++ header.
#ifndef LOGQUERY_SHIM_CLI_QUERY_CODEGEN_CPP_CLIENT_H_
#define LOGQUERY_SHIM_CLI_QUERY_CODEGEN_CPP_CLIENT_H_

#include <string>

#include "shim/cli/query/codegen/client_model.h"

namespace logquery::shim {

// C++20 on the standard library and nlohmann/json; its users bring HTTP. The same model gives the same bytes.
std::string CppClient(const ClientModel& model);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_CODEGEN_CPP_CLIENT_H_
