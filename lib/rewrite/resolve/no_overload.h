// The error of a call whose arguments fit no signature of the function or operator.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_NO_OVERLOAD_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_NO_OVERLOAD_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/rewrite/functions/functions.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Returns the message, such as "no operator = takes ARRAY<STRING>, STRING; write 'a' IN UNNEST(tags) to compare with each element".
// `text` is the query's, which the arguments' places are in.
std::string NoOverload(const Function& function, const std::vector<ScalarPtr>& arguments, std::string_view text);

// Returns what to write for a word that stands where a text is compared: "; a text is written in quotes: 'ERROR'". Empty: it is no
// word, such as a path.
std::string QuotesHint(std::string_view word);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_NO_OVERLOAD_H_
