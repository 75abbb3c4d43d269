// The dialects that come with logquery.
#ifndef LOGQUERY_LIB_EMIT_DIALECTS_H_
#define LOGQUERY_LIB_EMIT_DIALECTS_H_

#include <vector>

#include "lib/emit/dialect.h"
#include "lib/emit/load_script.h"
#include "lib/emit/schema_script.h"
#include "lib/rewrite/passes/pass.h"
#include "logquery/prepared_query.h"

namespace logquery::emit {

const SqlDialect& DuckDbSql();
// Canonical GoogleSQL, for people to read.
const SqlDialect& GoogleSql();
// GoogleSQL that BigQuery runs.
const SqlDialect& BigQuerySql();

// Returns nullptr if there is no such dialect.
const SqlDialect* SqlOf(Dialect dialect);

// Returns all passes from the resolver to this dialect's text, in order.
std::vector<rewrite::Pass> PassesOf(const SqlDialect& dialect);
const std::vector<rewrite::Pass>& PassesOf(Dialect dialect);

// The remote engines in which the logs' tables can be created.
const std::vector<SchemaWriter>& SchemaWriters();
// Returns the dialects of engines into which exports can be loaded.
const std::vector<LoadWriter>& LoadWriters();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DIALECTS_H_
