// The functions that ClickHouse runs with GoogleSQL's meaning. dialect.cc implements spellings of the form `@name`.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_SPELLINGS_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_SPELLINGS_H_

#include "lib/emit/spellings.h"

namespace logquery::emit {

const Spellings& ClickHouseSpellings();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_SPELLINGS_H_
