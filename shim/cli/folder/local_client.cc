// A minimal HTTP client for the server's Unix socket, whose responses always have a length.
#include "shim/cli/folder/local_client.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string_view>

#include "absl/cleanup/cleanup.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/listen_socket.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

using base::Json;

absl::Status Gone() { return absl::UnavailableError("the server that holds the data folder ended before it answered"); }

std::string TextOf(const HttpRequest& request) {
  std::string text = base::StrCat(request.method, " ", request.path, " HTTP/1.1\r\nHost: localhost\r\n");
  for (const auto& [name, value] : request.headers) base::StrAppend(&text, name, ": ", value, "\r\n");
  base::StrAppend(&text, "Content-Length: ", request.body.size(), "\r\nConnection: close\r\n\r\n", request.body);
  return text;
}

bool SendAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    text.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

std::string ReceiveAll(int fd) {
  std::string text;
  char buffer[64 << 10];
  while (true) {
    const ssize_t size = recv(fd, buffer, sizeof(buffer), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(buffer, static_cast<size_t>(size));
  }
}

// The server is ours: its answers have one form, with a length.
absl::StatusOr<ServerResponse> Parse(std::string_view text) {
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  const size_t end = text.find("\r\n\r\n");
  if (end == text.npos || text.substr(0, kVersion.size()) != kVersion) return Gone();
  ServerResponse response;
  std::string_view head = text.substr(kVersion.size(), end + 2 - kVersion.size());
  std::from_chars(head.data(), head.data() + head.size(), response.status);
  for (head.remove_prefix(head.find("\r\n") + 2); !head.empty(); head.remove_prefix(head.find("\r\n") + 2)) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    const size_t colon = line.find(": ");
    if (colon == line.npos) continue;
    response.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  response.body = text.substr(end + 4);
  if (response.Header("Content-Length") != std::to_string(response.body.size())) return Gone();
  return response;
}

absl::Status StatusIn(const ServerResponse& response) {
  const absl::StatusOr<Json> json = base::ParseJson("the server's answer", response.body);
  if (json.ok() && json->is_object() && json->contains("error")) {
    const Json& error = (*json)["error"];
    const std::string name = error.value("status", "");
    const std::string message = error.value("message", "");
    for (int code = 1; code <= static_cast<int>(absl::StatusCode::kUnauthenticated); ++code) {
      if (absl::StatusCodeToString(static_cast<absl::StatusCode>(code)) == name) {
        return absl::Status(static_cast<absl::StatusCode>(code), message);
      }
    }
  }
  return absl::InternalError(base::StrCat("the server answered ", response.status, ": ", response.body));
}

}  // namespace

std::string ServerResponse::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (base::EqualsIgnoreCase(key, name)) return value;
  }
  return "";
}

std::string SocketIn(const std::string& data_folder) { return data_folder + "/socket"; }

bool HasServer(const std::string& data_folder) {
  const absl::StatusOr<int> fd = base::ConnectToUnix(SocketIn(data_folder));
  if (fd.ok()) close(*fd);
  return fd.ok();
}

absl::StatusOr<ServerResponse> AskServer(const std::string& data_folder, const HttpRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(const int fd, base::ConnectToUnix(SocketIn(data_folder)));
  const absl::Cleanup closing = [fd] { close(fd); };
  if (!SendAll(fd, TextOf(request))) return Gone();
  return Parse(ReceiveAll(fd));
}

std::optional<absl::StatusOr<std::string>> AskOwner(const std::string& data_folder, const HttpRequest& request) {
  const absl::StatusOr<ServerResponse> response = AskServer(data_folder, request);
  if (absl::IsNotFound(response.status())) return std::nullopt;
  // Opening a folder that is closed for this user says so.
  const bool is_closed = faccessat(AT_FDCWD, data_folder.c_str(), X_OK, AT_EACCESS) != 0;
  if (absl::IsPermissionDenied(response.status()) && is_closed) return std::nullopt;
  if (!response.ok()) return response.status();
  if (response->status != 200) return StatusIn(*response);
  return response->body;
}

}  // namespace logquery::shim
