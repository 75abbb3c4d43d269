// The dialects that logquery brings along, by the names that backends go by.
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
// Canonical GoogleSQL: for people.
const SqlDialect& GoogleSql();
// GoogleSQL that BigQuery runs.
const SqlDialect& BigQuerySql();

// nullptr: there is none of that number.
const SqlDialect* SqlOf(Dialect dialect);

// Every pass between the resolver and that dialect's text, in order.
std::vector<rewrite::Pass> PassesOf(const SqlDialect& dialect);
const std::vector<rewrite::Pass>& PassesOf(Dialect dialect);

// The engines elsewhere that the logs' tables can be made in.
const std::vector<SchemaWriter>& SchemaWriters();
// Those that exports can be loaded into.
const std::vector<LoadWriter>& LoadWriters();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DIALECTS_H_
