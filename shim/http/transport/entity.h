// Negotiates what a body is sent as, and adds its metadata: conditional requests (RFC 9110, section 8.8) and content codings
// (section 8.4).
//
//     Deliver(request, answer.digest, answer.coding, response);       // Vary, ETag, a 304, Content-Encoding
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_ENTITY_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_ENTITY_H_

#include <string_view>

#include "logquery/content_coding.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// Adds the headers for a 200 response with rows, whose body is compressed with `coding`; `digest` identifies its
// uncompressed bytes. Turns the response into a 304 without a body if If-None-Match of a GET or HEAD has the tag.
// Without a digest there is no tag.
void Deliver(const HttpRequest& request, std::string_view digest, ContentCoding coding, HttpResponse& response);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_ENTITY_H_
