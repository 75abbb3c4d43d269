// One connection after another, one request each.
#include "tests/shim/otlp_collector.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <utility>

#include "absl/time/time.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(30);

// A whole request; empty: the client left.
std::string ReadRequest(int connection) {
  std::string text;
  char buffer[65'536];
  size_t wanted = std::string::npos;
  while (wanted == std::string::npos || text.size() < wanted) {
    const ssize_t got = recv(connection, buffer, sizeof(buffer), 0);
    if (got <= 0) return "";
    text.append(buffer, static_cast<size_t>(got));
    const size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos || wanted != std::string::npos) continue;
    constexpr std::string_view kLength = "Content-Length: ";
    const size_t length = text.find(kLength);
    wanted = end + 4;
    if (length < end) wanted += static_cast<size_t>(std::atoi(text.c_str() + length + kLength.size()));
  }
  return text;
}

}  // namespace

OtlpCollector::OtlpCollector() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const bound = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof(address);
  REQUIRE(bind(socket_, bound, sizeof(address)) == 0);
  REQUIRE(listen(socket_, 64) == 0);
  REQUIRE(getsockname(socket_, bound, &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Serve(); });
}

OtlpCollector::~OtlpCollector() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  shutdown(socket_, SHUT_RDWR);  // ends accept()
  thread_.join();
  close(socket_);
}

std::string OtlpCollector::url() const { return base::StrCat("http://127.0.0.1:", port_, "/v1/traces"); }

void OtlpCollector::Answer(int status, std::string body) {
  absl::MutexLock lock(&mutex_);
  status_ = status;
  body_ = std::move(body);
  hangs_ = false;
}

void OtlpCollector::Hang() {
  absl::MutexLock lock(&mutex_);
  hangs_ = true;
}

std::vector<SpanJson> OtlpCollector::spans() const {
  absl::MutexLock lock(&mutex_);
  return spans_;
}

std::vector<SpanJson> OtlpCollector::AwaitSpans(size_t count) const {
  absl::MutexLock lock(&mutex_);
  const auto there = [&]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return spans_.size() >= count; };
  const bool came = mutex_.AwaitWithTimeout(absl::Condition(&there), kPatience);
  INFO("of " << count << " spans there are " << spans_.size());
  REQUIRE(came);
  return spans_;
}

int OtlpCollector::requests() const {
  absl::MutexLock lock(&mutex_);
  return requests_;
}

void OtlpCollector::AwaitRequests(int count) const {
  absl::MutexLock lock(&mutex_);
  const auto there = [&]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return requests_ >= count; };
  REQUIRE(mutex_.AwaitWithTimeout(absl::Condition(&there), kPatience));
}

std::string OtlpCollector::last_request() const {
  absl::MutexLock lock(&mutex_);
  return last_request_;
}

void OtlpCollector::Serve() {
  for (int connection = 0; (connection = accept(socket_, nullptr, nullptr)) >= 0; close(connection)) Take(connection);
}

void OtlpCollector::Take(int connection) {
  std::string request = ReadRequest(connection);
  if (request.empty()) return;
  std::string answer;
  {
    absl::MutexLock lock(&mutex_);
    ++requests_;
    last_request_ = request;
    const auto may = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return !hangs_ || stopping_; };
    mutex_.Await(absl::Condition(&may));
    if (status_ == 200) {
      const auto json = SpanJson::parse(request.substr(request.find("\r\n\r\n") + 4), nullptr, false);
      for (const SpanJson& span : json["resourceSpans"][0]["scopeSpans"][0]["spans"]) spans_.push_back(span);
    }
    answer = base::StrCat("HTTP/1.1 ", status_, " X\r\nContent-Type: application/json\r\nConnection: close\r\n",
                          "Content-Length: ", body_.size(), "\r\n\r\n", body_);
  }
  if (send(connection, answer.data(), answer.size(), MSG_NOSIGNAL) > 0) shutdown(connection, SHUT_WR);
}

std::string AttributeOf(const SpanJson& span, std::string_view key) {
  if (!span.contains("attributes")) return "";
  for (const SpanJson& attribute : span["attributes"]) {
    if (attribute["key"] != key) continue;
    const SpanJson& value = attribute["value"].begin().value();
    return value.is_string() ? value.get<std::string>() : value.dump();
  }
  return "";
}

std::vector<SpanJson> SpansNamed(const std::vector<SpanJson>& spans, std::string_view name) {
  std::vector<SpanJson> named;
  for (const SpanJson& span : spans) {
    if (span["name"] == name) named.push_back(span);
  }
  return named;
}

}  // namespace logquery::shim
