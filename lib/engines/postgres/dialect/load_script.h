// The statements that load an export into PostgreSQL.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_LOAD_SCRIPT_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_LOAD_SCRIPT_H_

#include <string>

#include "lib/emit/load_script.h"

namespace logquery::emit {

std::string PostgresLoad(const LoadScriptOptions& options);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_LOAD_SCRIPT_H_
