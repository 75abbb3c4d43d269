// Makes comparisons of LOWER computable in a source whose LOWER has another meaning beyond ASCII.
//
//     WHERE LOWER(event_message) LIKE '%error%'
//
// Only two characters outside of ASCII are lower-cased to ASCII. With a constant of ASCII, all others compare alike
// whether they are lower-cased or not. $ascii_lower(x) lower-cases ASCII and these two.
#ifndef LOGQUERY_LIB_SPLIT_ASCII_CASE_H_
#define LOGQUERY_LIB_SPLIT_ASCII_CASE_H_

#include "lib/rewrite/plan.h"

namespace logquery::split {

// Writes LOWER as $ascii_lower where the result is compared with constants of ASCII, and ILIKE with such a pattern as
// LIKE. The query's meaning does not change.
void UseAsciiCase(rewrite::Plan& root);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_ASCII_CASE_H_
