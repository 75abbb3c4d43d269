// BigQuery as a dialect of fragments: which parts of a query it is asked for, and in which words.
//
// Its parameters are @p1, @p2 … in the order of the fragment's slots. Table::storage_name is a ready item of FROM: a quoted path, or
// a query in parentheses that names its columns as the catalog does. A record is a REPEATED RECORD there with one element.
#ifndef LOGQUERY_LIB_EMIT_BIGQUERY_FRAGMENTS_H_
#define LOGQUERY_LIB_EMIT_BIGQUERY_FRAGMENTS_H_

#include "lib/emit/dialect.h"
#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

const SqlDialect& BigQueryFragmentSql();

// What BigQuery is asked for. It means what GoogleSQL means, so this is what it documents, but for what its REST interface can't
// bring back: NULL for an array comes as an array without elements.
const Powers& BigQueryPowers();

// Whether BigQuery takes the call's INTERVAL: functions such as TIMESTAMP_ADD take `INTERVAL count part` alone.
bool TakesIntervals(const rewrite::FunctionCall& call);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_BIGQUERY_FRAGMENTS_H_
