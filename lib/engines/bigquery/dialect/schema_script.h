// Writes the script that creates the logs' tables in BigQuery.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_SCHEMA_SCRIPT_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_SCHEMA_SCRIPT_H_

#include "lib/emit/schema_script.h"

namespace logquery::emit {

SchemaScript BigQuerySchema(const model::SchemaFile& file, const SchemaScriptOptions& options);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_SCHEMA_SCRIPT_H_
