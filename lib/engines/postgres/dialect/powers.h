// The parts of queries that PostgreSQL can run with exactly GoogleSQL's meaning.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_POWERS_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_POWERS_H_

#include "lib/emit/powers.h"

namespace logquery::emit {

const Powers& PostgresPowers();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_POWERS_H_
