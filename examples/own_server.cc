// A whole log server on the library alone: endpoints, callers' SQL, ingest and upkeep over HTTP from POSIX sockets, without
// logquery's own server.
//
//     curl -H "X-API-KEY: $TOKEN" "http://127.0.0.1:$PORT/query/logs.all?project=abc"
//     curl -H "X-API-KEY: $TOKEN" "http://127.0.0.1:$PORT/query/logs.all?project=abc" -d 'select id from edge_logs'
//     curl -H "X-API-KEY: $TOKEN" "http://127.0.0.1:$PORT/logs/edge_logs" -d '[{"event_message":"hello","project":"abc"}]'
//
// The program starts the server, sends it two such requests, prints the answers and ends.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "logquery/serving/deployment.h"

namespace {

template <typename T>
T Need(absl::StatusOr<T> made) {
  if (made.ok()) return *std::move(made);
  std::cerr << made.status() << "\n";
  std::exit(1);
}

struct Request {
  std::string path, token, body;
  logquery::ParameterTexts parameters;
};

// Reads one request whose parameters need no percent-decoding; nullopt: the client sent something else, or left.
std::optional<Request> Read(int client) {
  std::string text;
  size_t head = std::string::npos, length = 0;
  char buffer[4096];
  while (head == std::string::npos || text.size() < head + 4 + length) {
    const ssize_t count = recv(client, buffer, sizeof(buffer), 0);
    if (count <= 0 || text.size() > (16 << 20)) return std::nullopt;
    text.append(buffer, static_cast<size_t>(count));
    if (head != std::string::npos || (head = text.find("\r\n\r\n")) == std::string::npos) continue;
    if (const size_t at = text.find("Content-Length: "); at < head) length = std::stoul(text.substr(at + 16, 8));
  }
  Request request;
  const size_t begin = text.find(' ') + 1;
  std::string target = text.substr(begin, text.find(' ', begin) - begin);
  request.path = target.substr(0, target.find('?'));
  for (size_t at = request.path.size(); at < target.size();) {
    const size_t equals = target.find('=', at), end = std::min(target.find('&', at + 1), target.size());
    if (equals < end)
      request.parameters.emplace_back(target.substr(at + 1, equals - at - 1),
                                      target.substr(equals + 1, end - equals - 1));
    at = end;
  }
  if (const size_t at = text.find("X-API-KEY: "); at < head)
    request.token = text.substr(at + 11, text.find('\r', at) - at - 11);
  request.body = text.substr(head + 4, length);
  return request;
}

int HttpStatusOf(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk:
      return 200;
    case absl::StatusCode::kUnauthenticated:
      return 401;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kResourceExhausted:
      return 429;
    case absl::StatusCode::kUnavailable:
      return 503;
    case absl::StatusCode::kDeadlineExceeded:
      return 504;
    case absl::StatusCode::kInternal:
      return 500;
    default:
      return 400;
  }
}

void Answer(int client, const absl::Status& status, const std::string& body) {
  const std::string text = status.ok() ? body : std::string(status.message());
  const std::string head = "HTTP/1.1 " + std::to_string(HttpStatusOf(status.code())) +
                           " \r\nContent-Length: " + std::to_string(text.size()) + "\r\nConnection: close\r\n\r\n";
  for (const std::string& part : {head, text}) send(client, part.data(), part.size(), MSG_NOSIGNAL);
  close(client);
}

struct Server {
  logquery::Deployment& logs;

  absl::StatusOr<std::string> TakeLogs(const logquery::Principal& principal, const Request& request) const {
    auto admission =
        logs.receiver()->Admit(principal, request.path.substr(6), static_cast<int64_t>(request.body.size()));
    if (!admission.ok()) return admission.status();
    auto received = logs.receiver()->Append(**admission, {.text = request.body});
    if (!received.ok()) return received.status();
    return std::to_string(received->rows) + " rows are stored, " + std::to_string(received->rejected_rows) +
           " rejected";
  }

  void Serve(int client) const {
    std::optional<Request> request = Read(client);
    if (!request.has_value()) return Answer(client, absl::InvalidArgumentError("this is no request"), "");
    const auto principal = logs.service().Authenticate(request->token);
    if (!principal.ok()) return Answer(client, principal.status(), "");
    if (request->path.rfind("/logs/", 0) == 0) {
      const auto taken = TakeLogs(*principal, *request);
      return Answer(client, taken.status(), taken.ok() ? *taken : "");
    }
    if (request->path.rfind("/query/", 0) != 0) return Answer(client, absl::NotFoundError("there is no such path"), "");
    auto target = logs.service().Find(*principal, request->path.substr(7));
    if (!target.ok()) return Answer(client, target.status(), "");
    logquery::QueryRequest query;
    query.parameters = std::move(request->parameters);
    if (!request->body.empty()) query.parameters.emplace_back("sql", request->body);
    // This thread goes; a thread of the queue answers.
    logs.queue().Submit(*std::move(target), std::move(query), [client](logquery::QueuedAnswer made) {
      Answer(client, made.answer.status(), made.answer.ok() ? made.answer->body : "");
    });
  }
};

std::string Ask(const sockaddr_in& address, const std::string& token, const std::string& path,
                const std::string& body) {
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) std::exit(1);
  const std::string text = "POST " + path + " HTTP/1.1\r\nX-API-KEY: " + token +
                           "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  send(client, text.data(), text.size(), 0);
  std::string answer;
  char buffer[4096];
  for (ssize_t count; (count = recv(client, buffer, sizeof(buffer), 0)) > 0;)
    answer.append(buffer, static_cast<size_t>(count));
  close(client);
  return answer.substr(answer.find("\r\n\r\n") + 4);
}

}  // namespace

int main() {
  std::string name = (std::filesystem::temp_directory_path() / "logquery-own-server-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return std::perror("a folder for the example"), 1;
  const std::filesystem::path folder = name;
  const std::string tokens = folder / "tokens.json";
  logquery::Principal owner;
  owner.ingest = logquery::IngestRights();
  const std::string token = Need(logquery::TokenFile::Create(tokens, owner, std::nullopt, logquery::Clock::Real()));

  logquery::DeploymentOptions options;
  options.backend.folder = folder / "data";
  options.create_folder = true;
  options.token_file = tokens;
  options.receiver = logquery::LogReceiverOptions();
  options.maintenance.emplace().rules.retention = {{.table = "*", .max_age = absl::Hours(24 * 90)}};
  options.log = [](std::string_view level, std::string_view line) { std::cerr << level << ": " << line << "\n"; };
  const auto logs = Need(logquery::Deployment::Open(std::move(options)));
  if (const absl::Status started = logs->Start(); !started.ok()) return std::cerr << started << "\n", 1;

  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener, 128) != 0)
    return std::perror("listen"), 1;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  const Server server{*logs};
  std::thread accepting([&] {
    for (int client; (client = accept(listener, nullptr, nullptr)) >= 0;) server.Serve(client);
  });

  const std::string stored = Ask(address, token, "/logs/edge_logs", R"([{"event_message":"hello","project":"abc"}])");
  const std::string found = Ask(address, token, "/query/logs.all?project=abc", "select event_message from edge_logs");
  std::cout << stored << "\n" << found << "\n";
  shutdown(listener, SHUT_RDWR);
  accepting.join();
  close(listener);
  logs->Stop();
  std::filesystem::remove_all(folder);
  return found == R"({"result":[{"event_message":"hello"}]})" ? 0 : 1;
}
