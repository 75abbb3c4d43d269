// Each coding of a body has a tag of its own.
#include "shim/http/transport/entity.h"

#include <string>

#include "lib/base/negotiation.h"
#include "lib/base/strings.h"

namespace logquery::shim {

void Deliver(const HttpRequest& request, std::string_view digest, ContentCoding coding, HttpResponse& response) {
  const bool packed = coding != ContentCoding::kIdentity;
  const std::string_view name = ContentCodingName(coding);
  response.headers.AddLines("Vary: Accept, Accept-Encoding\r\nCache-Control: private, no-cache\r\n");
  if (packed) response.AddHeader("Content-Encoding", name);
  if (digest.empty()) return;
  // Bytes in another coding are another representation, with a tag of its own.
  const std::string tag = base::StrCat("\"", digest, packed ? "-" : "", packed ? name : "", "\"");
  response.AddHeader("ETag", tag);
  const std::string* seen = request.Header("If-None-Match");
  if (seen == nullptr || request.method == "POST" || !base::MatchesTag(*seen, tag)) return;
  response.status = 304;
  response.body = SharedText();
  response.file = nullptr;
}

}  // namespace logquery::shim
