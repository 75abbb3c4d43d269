// The typed client as one TypeScript module.
#ifndef LOGQUERY_SHIM_CLI_QUERY_CODEGEN_TYPESCRIPT_CLIENT_H_
#define LOGQUERY_SHIM_CLI_QUERY_CODEGEN_TYPESCRIPT_CLIENT_H_

#include <string>

#include "shim/cli/query/codegen/client_model.h"

namespace logquery::shim {

// The TypeScript type of a row's INT64. A number has 53 bits; an answer with more is an error there, never another number.
enum class TypeScriptInt64 { kNumber, kBigint };

// Without dependencies, for what has `fetch`; ES2022. The same model gives the same bytes.
std::string TypeScriptClient(const ClientModel& model, TypeScriptInt64 int64);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_CODEGEN_TYPESCRIPT_CLIENT_H_
