// The functions that PostgreSQL runs with GoogleSQL's meaning. `@name` is code of dialect.cc.
#ifndef LOGQUERY_LIB_EMIT_POSTGRES_SPELLINGS_H_
#define LOGQUERY_LIB_EMIT_POSTGRES_SPELLINGS_H_

#include "lib/emit/spellings.h"

namespace logquery::emit {

const Spellings& PostgresSpellings();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_POSTGRES_SPELLINGS_H_
