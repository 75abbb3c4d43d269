// BigQueryOptions out of fields of JSON, for files that have more beside them.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_OPTIONS_JSON_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_OPTIONS_JSON_H_

#include <string>

#include "lib/base/json_fields.h"
#include "logquery/bigquery/bigquery_backend.h"

namespace logquery::bigquery {

// The fields that BigQueryOptionsFromJson describes, without "engine"; relative names of files are taken from `folder`. What is
// wrong stands in `fields`; the options are of no use then.
BigQueryOptions ReadOptions(base::JsonFields& fields, const std::string& folder);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_OPTIONS_JSON_H_
