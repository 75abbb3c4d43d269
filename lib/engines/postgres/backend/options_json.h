// Reads PostgresOptions from JSON fields, for files that also have other fields.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_OPTIONS_JSON_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_OPTIONS_JSON_H_

#include <string>

#include "lib/base/json_fields.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery::postgres {

// Reads the fields that PostgresOptionsFromJson describes, except "engine". Relative file names are resolved against
// `folder`. Errors are added to `fields`; the options can't be used then.
PostgresOptions ReadOptions(base::JsonFields& fields, const std::string& folder);

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_OPTIONS_JSON_H_
