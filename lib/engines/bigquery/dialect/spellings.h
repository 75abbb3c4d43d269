// The spellings in which BigQuery differs from readable GoogleSQL, and the functions that its documentation lists.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_SPELLINGS_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_SPELLINGS_H_

#include <string_view>

#include "lib/emit/spellings.h"

namespace logquery::emit {

// A documented function without a spelling here is written as in readable GoogleSQL.
const Spellings& BigQuerySpellings();

// Returns whether BigQuery's reference lists a function with this name, which is in upper case.
bool IsBigQueryFunction(std::string_view name);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_SPELLINGS_H_
