// PostgresOptions out of fields of JSON, for files that have more beside them.
#ifndef LOGQUERY_LIB_BACKEND_POSTGRES_OPTIONS_JSON_H_
#define LOGQUERY_LIB_BACKEND_POSTGRES_OPTIONS_JSON_H_

#include <string>

#include "lib/base/json_fields.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery::postgres {

// The fields that PostgresOptionsFromJson describes, without "engine"; relative names of files are taken from `folder`. What is
// wrong stands in `fields`; the options are of no use then.
PostgresOptions ReadOptions(base::JsonFields& fields, const std::string& folder);

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_BACKEND_POSTGRES_OPTIONS_JSON_H_
