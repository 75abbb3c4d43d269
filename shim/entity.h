// What HTTP adds to the bytes of an answer: whether they changed since the caller saw them (RFC 9110, section 8.8), and in
// which coding they travel (section 8.4).
//
//     Deliver(request, response);       // Vary, ETag, a 304, Content-Encoding
#ifndef LOGQUERY_SHIM_ENTITY_H_
#define LOGQUERY_SHIM_ENTITY_H_

#include <string>
#include <string_view>

#include "shim/http_message.h"

namespace logquery::shim {

// A body shorter than this is sent as it is: packing it would save nothing.
inline constexpr size_t kLeastToPack = 1'024;

// Gives `response`, a 200 with rows, its ETag and the coding that the caller takes; a 304 without a body when If-None-Match
// of a GET or HEAD has the tag.
void Deliver(const HttpRequest& request, HttpResponse& response);

// Whether `accept_encoding` takes gzip: names it, or `*`, with a quality above 0.
bool TakesGzip(std::string_view accept_encoding);

// Whether `if_none_match`, a list of tags or `*`, has `tag`; tags that are marked as weak count too.
bool MatchesTag(std::string_view if_none_match, std::string_view tag);

// `text` in gzip's format; empty when there is no memory for it.
std::string Gzip(std::string_view text);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_ENTITY_H_
