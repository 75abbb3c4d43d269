// The parts of queries that ClickHouse can run with exactly GoogleSQL's meaning.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_POWERS_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_POWERS_H_

#include "lib/emit/powers.h"

namespace logquery::emit {

const Powers& ClickHousePowers();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_POWERS_H_
