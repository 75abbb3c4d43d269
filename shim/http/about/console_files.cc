// Serves files that are embedded in the program, with digests computed once.
#include "shim/http/about/console_files.h"

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/negotiation.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"
#include "shim/http/about/web_files.h"
#include "shim/http/transport/entity.h"

namespace logquery::shim {
namespace {

struct WebFile {
  std::string_view path;
  std::string_view name;
  std::string_view type;
  bool revalidated;  // a browser keeps it and asks whether it changed; the page itself it asks for each time
};
constexpr WebFile kWebFiles[] = {{"/", "index.html", "text/html; charset=utf-8", false},
                                 {"/console.js", "console.js", "text/javascript; charset=utf-8", true},
                                 {"/console.css", "console.css", "text/css; charset=utf-8", true},
                                 {"/console.svg", "console.svg", "image/svg+xml", true}};

// In the order of kWebFiles.
const std::vector<std::string>& Digests() {
  static const auto* const digests = [] {
    auto* made = new std::vector<std::string>;
    for (const WebFile& file : kWebFiles) made->push_back(base::Sha256Hex(EmbeddedFile(file.name)));
    return made;
  }();
  return *digests;
}

}  // namespace

std::optional<HttpResponse> ConsoleFile(const HttpRequest& request) {
  for (size_t i = 0; i < std::size(kWebFiles); ++i) {
    const WebFile& file = kWebFiles[i];
    if (request.path != file.path) continue;
    const std::string* accepted = request.Header("Accept-Encoding");
    const std::string_view packed = EmbeddedFile(base::StrCat(file.name, ".gz"));
    const bool pack = !packed.empty() && accepted != nullptr && base::TakesGzip(*accepted);
    HttpResponse response;
    response.content_type = file.type;
    response.body = std::string(pack ? packed : EmbeddedFile(file.name));
    if (file.revalidated) {
      Deliver(request, Digests()[i], pack ? ContentCoding::kGzip : ContentCoding::kIdentity, response);
    } else if (pack) {
      response.AddHeader("Content-Encoding", "gzip");
      response.AddHeader("Vary", "Accept-Encoding");
    }
    return response;
  }
  return std::nullopt;
}

}  // namespace logquery::shim
