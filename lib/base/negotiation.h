// Reads what a client accepts, and which representation it has (RFC 9110, sections 8.8 and 12).
#ifndef LOGQUERY_LIB_BASE_NEGOTIATION_H_
#define LOGQUERY_LIB_BASE_NEGOTIATION_H_

#include <string>
#include <string_view>
#include <vector>

#include "logquery/content_coding.h"

namespace logquery::base {

struct AcceptedName {
  std::string name;  // in lower case
  double quality;
};
// Returns the elements of a header such as Accept (RFC 9110, section 12.4.2). The quality is 1 unless the element has another one;
// one that is no number from 0 to 1 becomes `malformed`.
std::vector<AcceptedName> ParseAccept(std::string_view header, double malformed);

// Returns the coding that `accept_encoding` prefers; zstd if it has the same quality as gzip. A coding with quality 0,
// or one that is not named, is not used; `*` stands for all codings that are not named.
ContentCoding ChooseCoding(std::string_view accept_encoding);

// Returns whether `accept_encoding` allows gzip, even if it prefers another coding.
bool TakesGzip(std::string_view accept_encoding);

// Returns whether `if_none_match`, a list of tags or `*`, has `tag`; weak tags match too.
bool MatchesTag(std::string_view if_none_match, std::string_view tag);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_NEGOTIATION_H_
