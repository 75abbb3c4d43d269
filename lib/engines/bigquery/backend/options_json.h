// Reads BigQueryOptions from JSON fields, for files that also have other fields.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_OPTIONS_JSON_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_OPTIONS_JSON_H_

#include <string>

#include "lib/base/json_fields.h"
#include "logquery/bigquery/bigquery_backend.h"

namespace logquery::bigquery {

// Reads the fields that BigQueryOptionsFromJson describes, except "engine". Relative file names are resolved against
// `folder`. Errors are added to `fields`; the options can't be used then.
BigQueryOptions ReadOptions(base::JsonFields& fields, const std::string& folder);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_OPTIONS_JSON_H_
