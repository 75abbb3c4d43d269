// The dialect of an engine that does next to nothing: scans, comparisons of columns with values, COUNT, LIMIT. The finisher does
// the rest, so the whole of GoogleSQL runs over it.
//
//     SELECT t1.`id` AS `id_1` FROM `postgres.logs` AS t1 WHERE GE(t1.`timestamp`, @p1) AND EQ(t1.`project`, @p2) LIMIT 5
#ifndef LOGQUERY_TESTS_SPLIT_INVENTED_DIALECT_H_
#define LOGQUERY_TESTS_SPLIT_INVENTED_DIALECT_H_

#include "lib/emit/dialect.h"

namespace logquery::testing {

const emit::SqlDialect& InventedSql();

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SPLIT_INVENTED_DIALECT_H_
