// Reads the connection string that people pass to psql, for commands that read a server once.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_DSN_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_DSN_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery::postgres {

// "postgres://reader@db.internal:5432/logs?sslmode=require", or libpq's "host=… dbname=…". Environment variables and service files
// of libpq have no effect; what is missing has PostgresOptions' value.
// InvalidArgument: the text is no connection string, lacks host, user or database, has a password (command lines are visible to
// others), or a setting that is not supported. Messages quote nothing of the text but names of settings.
absl::StatusOr<PostgresOptions> OptionsFromDsn(const std::string& dsn);

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_DSN_H_
