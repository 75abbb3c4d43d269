// What HTTP adds to the bytes of an answer: whether they changed since the caller saw them (RFC 9110, section 8.8), and in
// which coding they travel (section 8.4).
//
//     Deliver(request, answer.digest, answer.coding, response);       // Vary, ETag, a 304, Content-Encoding
#ifndef LOGQUERY_SHIM_HTTP_ENTITY_H_
#define LOGQUERY_SHIM_HTTP_ENTITY_H_

#include <string_view>

#include "logquery/content_coding.h"
#include "shim/http/http_message.h"

namespace logquery::shim {

// Gives `response`, a 200 with rows whose bytes were packed by `coding` and have `digest` otherwise, what tells of both; a 304
// without a body when If-None-Match of a GET or HEAD has the tag. Without a digest there is no tag.
void Deliver(const HttpRequest& request, std::string_view digest, ContentCoding coding, HttpResponse& response);

// The coding that `accept_encoding` likes best: zstd where it has no more against it than against gzip. One that it refuses
// with a quality of 0, or does not name, is not taken; `*` names those that are not named by themselves.
ContentCoding ChooseCoding(std::string_view accept_encoding);

// Whether `accept_encoding` takes gzip, whatever else it likes better.
bool TakesGzip(std::string_view accept_encoding);

// Whether `if_none_match`, a list of tags or `*`, has `tag`; tags that are marked as weak count too.
bool MatchesTag(std::string_view if_none_match, std::string_view tag);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ENTITY_H_
