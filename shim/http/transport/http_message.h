// A request and its response, independent of any HTTP library: routes.h processes them, and http_server.h transports
// them.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_MESSAGE_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_MESSAGE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "lib/base/strings.h"
#include "logquery/answer_file.h"
#include "logquery/shared_text.h"

namespace logquery::shim {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method;
  std::string path;   // as sent, not decoded
  std::string query;  // as sent, without the ?
  HttpHeaders headers;
  std::string body;
  std::string remote_address;
  std::function<bool()> client_left = [] { return false; };  // may be called repeatedly on this thread

  // Returns the first header with this name, compared case-insensitively; nullptr if there is none.
  const std::string* Header(std::string_view name) const {
    for (const auto& [key, value] : headers) {
      if (base::EqualsIgnoreCase(key, name)) return &value;
    }
    return nullptr;
  }

  // Returns Content-Type without its parameters, in lower case; empty if there is none.
  std::string MediaType() const {
    const std::string* const header = Header("Content-Type");
    if (header == nullptr) return {};
    const absl::string_view type = absl::StripAsciiWhitespace(*header);
    return absl::AsciiStrToLower(type.substr(0, type.find_first_of("; \t")));
  }
};

// The header lines of a response, as they are sent.
class HeaderLines {
 public:
  // Adds no header whose value would end its line.
  void Add(std::string_view name, std::string_view value);
  // Adds whole lines, which end in CR LF.
  void AddLines(std::string_view lines) { text_ += lines; }
  // Returns the value of the first header with this name, in the same letters; nullopt if there is none.
  std::optional<std::string_view> Find(std::string_view name) const;
  // Adds to the value of a header that Find finds.
  void Append(std::string_view name, std::string_view more);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

struct HttpResponse {
  int status = 200;
  std::string_view content_type = "application/json; charset=utf-8";  // of static storage
  HeaderLines headers;
  SharedText body;
  std::shared_ptr<const AnswerFile> file;  // replaces a long `body`
  // The body goes on after `body` until the connection ends: returns its next piece after a moment, or an empty text if there is
  // none yet. nullopt: there are no more.
  std::function<std::optional<std::string>()> next_piece;

  int64_t body_bytes() const { return file != nullptr ? file->size() : static_cast<int64_t>(body.size()); }
  void AddHeader(std::string_view name, std::string_view value) { headers.Add(name, value); }
};

inline HttpResponse JsonResponse(int status, std::string body) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_MESSAGE_H_
