// BigQuery as a dialect of fragments: which parts of a query it gets, and how they are written.
//
// Parameters are @p1, @p2 … in the order of the fragment's slots. Table::storage_name is a complete FROM item: a quoted
// path, or a query in parentheses with the catalog's column names. A record is a REPEATED RECORD with one element.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_FRAGMENTS_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_FRAGMENTS_H_

#include "lib/emit/dialect.h"
#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

const SqlDialect& BigQueryFragmentSql();

// Returns the powers of BigQuery. BigQuery has GoogleSQL's meaning, so these are everything that it documents, except
// results that its REST interface can't represent: it returns a NULL array as an empty one.
const Powers& BigQueryPowers();

// Returns whether BigQuery accepts the call's INTERVAL: functions such as TIMESTAMP_ADD accept only `INTERVAL count
// part`.
bool TakesIntervals(const rewrite::FunctionCall& call);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_FRAGMENTS_H_
