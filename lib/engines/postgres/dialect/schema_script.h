// Writes the script that creates the logs' tables in PostgreSQL.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_SCHEMA_SCRIPT_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_SCHEMA_SCRIPT_H_

#include "lib/emit/schema_script.h"

namespace logquery::emit {

SchemaScript PostgresSchema(const model::SchemaFile& file, const SchemaScriptOptions& options);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_SCHEMA_SCRIPT_H_
