// What BigQuery writes in another way than the text for people does, and the functions that its documentation has.
#ifndef LOGQUERY_LIB_EMIT_BIGQUERY_SPELLINGS_H_
#define LOGQUERY_LIB_EMIT_BIGQUERY_SPELLINGS_H_

#include <string_view>

#include "lib/emit/spellings.h"

namespace logquery::emit {

// A function without one is written as it is for people, if it is documented.
const Spellings& BigQuerySpellings();

// Whether BigQuery's reference has a function of that name, in capital letters.
bool IsBigQueryFunction(std::string_view name);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_BIGQUERY_SPELLINGS_H_
