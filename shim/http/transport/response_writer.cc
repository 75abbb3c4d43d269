// Head and body leave in one packet if they fit into one.
#include "shim/http/transport/response_writer.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lib/base/http_status.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

// How much of a file is in memory at one time.
constexpr int64_t kPiece = 64 << 10;

// Sends the rest of a file piece by piece, as fast as the client takes it. If it can't be read, the connection ends before the
// length that was promised.
bool WriteFile(const AnswerFile& file, std::string text, Connection& connection) {
  for (int64_t offset = 0; offset < file.size();) {
    const size_t before = text.size();
    text.resize(before + static_cast<size_t>(std::min(kPiece, file.size() - offset)));
    const absl::StatusOr<size_t> count = file.ReadAt(offset, text.data() + before, text.size() - before);
    if (!count.ok() || *count == 0) return false;
    text.resize(before + *count);
    if (connection.Write(text) < 0) return false;
    offset += static_cast<int64_t>(*count);
    text.clear();
  }
  return text.empty() || connection.Write(text) >= 0;
}

bool WritePieces(const HttpResponse& response, std::string head, Connection& connection) {
  head += response.body.text();
  for (std::optional<std::string> piece = std::move(head); piece; piece = response.next_piece()) {
    if (piece->empty() ? connection.ClientLeft() : connection.Write(*piece) < 0) return false;
    connection.BeginResponse();
  }
  return true;
}

}  // namespace

std::string HeadOf(const HttpResponse& response, const AfterResponse& after) {
  const std::string& lines = response.headers.text();
  std::string head;
  head.reserve(lines.size() + 256);
  base::StrAppend(&head, "HTTP/1.1 ", response.status, " ", base::ReasonPhrase(response.status), "\r\n", lines);
  // A response without a body by its status has no length (RFC 9110, section 8.6).
  if (response.status != 204 && response.status != 304) {
    base::StrAppend(&head, "Content-Type: ", response.content_type, "\r\n");
    if (!response.next_piece) base::StrAppend(&head, "Content-Length: ", response.body_bytes(), "\r\n");
  }
  if (after.closes) {
    head += "Connection: close\r\n\r\n";
  } else {
    base::StrAppend(&head, "Keep-Alive: timeout=", absl::ToInt64Seconds(after.idle), ", max=", after.max_requests,
                    "\r\n\r\n");
  }
  return head;
}

bool WriteResponse(const HttpResponse& response, const AfterResponse& after, bool head_only, Connection& connection) {
  connection.BeginResponse();
  std::string head = HeadOf(response, after);
  if (head_only) return connection.Write(head) >= 0;
  if (response.file != nullptr) return WriteFile(*response.file, std::move(head), connection);
  if (response.next_piece) return WritePieces(response, std::move(head), connection);
  return connection.Write(head, response.body) >= 0;
}

}  // namespace logquery::shim
