// Negotiates what a body is sent as, and adds its metadata: conditional requests (RFC 9110, section 8.8) and content codings (section
// 8.4).
//
//     Deliver(request, answer.digest, answer.coding, response);       // Vary, ETag, a 304, Content-Encoding
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_ENTITY_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_ENTITY_H_

#include <string>
#include <string_view>
#include <vector>

#include "logquery/content_coding.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// Adds the headers for a 200 response with rows, whose body is compressed with `coding`; `digest` identifies its
// uncompressed bytes. Turns the response into a 304 without a body if If-None-Match of a GET or HEAD has the tag.
// Without a digest there is no tag.
void Deliver(const HttpRequest& request, std::string_view digest, ContentCoding coding, HttpResponse& response);

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

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_ENTITY_H_
