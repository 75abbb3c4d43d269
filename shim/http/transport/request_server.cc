// The library's own responses are for what it refuses itself: each goes through the error handler, and so becomes one of ours.
#include "shim/http/transport/request_server.h"

// Ours are checked before the library's: these only have to be no smaller.
#define CPPHTTPLIB_MAX_LINE_LENGTH (128 * 1024)
#define CPPHTTPLIB_HEADER_MAX_LENGTH (16 * 1024)
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <string_view>
#include <utility>

#include "lib/base/limited_places.h"
#include "logquery/serving/log_receiver.h"
#include "shim/http/transport/http_body.h"
#include "shim/http/transport/response_writer.h"

namespace logquery::shim {
namespace {

// The library reads and writes through this; the deadlines are Connection's.
class ConnectionStream final : public httplib::Stream {
 public:
  explicit ConnectionStream(Connection* connection) : connection_(connection) {}

  // The response has been sent: what the library would send in its place is dropped.
  void EndWriting() { ended_ = true; }
  bool ended() const { return ended_; }

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override { return connection_->Read(to, size); }
  ssize_t write(const char* text, size_t size) override {
    return ended_ || connection_->Write({text, size}) >= 0 ? static_cast<ssize_t>(size) : -1;
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return connection_->fd(); }

 private:
  Connection* connection_;
  bool ended_ = false;
};

// The request that this thread serves: the library hands its handlers the request alone.
struct Serving {
  Connection* connection;
  ConnectionStream* stream;
  bool last;                   // the connection ends after this request
  bool unread_body = false;    // what follows on the connection can't be told apart from it
  bool sent = false;           // the whole response
  bool has_no_length = false;  // the response ends with the connection
};
thread_local Serving* serving = nullptr;

// "http://host/a?b#c", "/a?b#c" and "/a/?b#c" → "/a" and "b": no path here ends in a slash.
void SplitTarget(std::string_view target, HttpRequest& request) {
  target = target.substr(0, target.find('#'));
  if (const size_t scheme = target.find("://"); !target.empty() && target.front() != '/' && scheme != target.npos) {
    const size_t path = target.find('/', scheme + 3);
    target = path == target.npos ? std::string_view("/") : target.substr(path);
  }
  const size_t question = target.find('?');
  std::string_view path = target.substr(0, question);
  if (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  request.path = path;
  if (question != target.npos) request.query = target.substr(question + 1);
}

HttpRequest FromLibrary(const httplib::Request& from, const Connection& connection) {
  HttpRequest request;
  request.method = from.method;
  SplitTarget(from.target, request);
  request.headers.reserve(from.headers.size());
  for (const auto& [name, value] : from.headers) request.headers.emplace_back(name, value);
  request.remote_address = from.remote_addr;
  request.client_left = [&connection] { return connection.ClientLeft(); };
  return request;
}

// Makes more room for a body in chunks as it comes, twice as much each time.
class ChunkedRoom {
 public:
  ChunkedRoom(LogAdmission* admission, size_t max_bytes) : admission_(admission), max_bytes_(max_bytes) {}
  // Makes room for so many bytes that were read. False: there is no room for them.
  bool MakeFor(size_t bytes) {
    read_ += bytes;
    if (admission_ == nullptr || read_ <= reserved_ || reserved_ >= max_bytes_) return true;
    const size_t more = std::min(std::max(reserved_, read_ - reserved_), max_bytes_ - reserved_);
    if (!admission_->Grow(static_cast<int64_t>(more))) return false;
    reserved_ += more;
    return true;
  }

 private:
  LogAdmission* const admission_;
  const size_t max_bytes_;
  size_t reserved_ = kChunkedRoomBytes;
  size_t read_ = 0;  // with what is around the chunks
};

// Reads the request's body where there is one and it is wanted. The library's own way takes lengths such as 0x7. `unread`: what
// follows on the connection can't be told apart from the body.
HttpProblem TakeBody(Connection& connection, Routes& routes, base::LimitedPlaces& slow_bodies, Exchange& exchange,
                     bool& unread) {
  HttpRequest& request = exchange.http;
  const BodyLength length = BodyLengthOf(request);
  if (!length.has_body()) return {};
  unread = true;
  // Logflare's clients may send long SQL so. In chunks it is refused: a proxy that drops a GET's body would drop nothing of them.
  const bool is_sql = request.method == "GET" && !length.chunked && Routes::TakesJson(exchange);
  if ((request.method == "GET" || request.method == "HEAD") && !is_sql) {
    return {400,
            "a GET has no body here, but for {\"sql\":\"…\"} as application/json to an endpoint; send parameters in "
            "the URL, or by POST"};
  }
  size_t max_bytes = 0;
  if (HttpProblem problem = routes.AdmitBody(exchange, length, max_bytes); problem.status != 0) return problem;
  if (max_bytes == 0) return {};
  ChunkedRoom room(length.chunked && exchange.admission ? exchange.admission->value().get() : nullptr, max_bytes);
  base::LimitedPlaces::Place place(&slow_bodies);
  bool has_room = true;
  bool has_time = true;
  connection.BeginBody();
  const auto read = [&](char* to, size_t size) -> ssize_t {
    has_time = !connection.IsSlowBody() || place.Take();
    if (!has_time) return -1;
    const ssize_t count = connection.Read(to, size);
    if (count > 0) has_room = room.MakeFor(static_cast<size_t>(count));
    return has_room ? count : -1;
  };
  const HttpProblem problem = ReadBody(length, read, request.body, max_bytes);
  if (connection.receive_timed_out()) return {408, "the request did not arrive in time"};
  if (!has_time) return {408, "the request arrives slowly, and as many slow ones as may be arrive already"};
  if (!has_room) return {429, "there is no memory for the rest of the body just now; send it again later"};
  unread = problem.status != 0;
  return problem;
}

}  // namespace

class RequestServer::Library : public httplib::Server {
 public:
  Library(const RequestServerOptions& options, Routes* routes)
      : options_(options), routes_(routes), slow_bodies_(options.max_slow_bodies) {
    set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response&) { return AnswerRequest(request); });
    set_error_handler([this](const httplib::Request& request, httplib::Response& response) {
      return OnLibraryError(request, response.status);
    });
    // Nothing of ours throws; memory may run out all the same.
    set_exception_handler([this](const httplib::Request& request, httplib::Response&, const std::exception_ptr&) {
      Refuse(request, {500, "an internal error"});
    });
  }

  Next Serve(Connection& connection, bool last) {
    ConnectionStream stream(&connection);
    Serving now{&connection, &stream, last};
    serving = &now;
    bool closed = false;
    // A range of rows makes no sense here; without this the library would cut the body.
    const auto setup = [](httplib::Request& request) { request.ranges.clear(); };
    process_request(stream, connection.PeerAddress(), 0, "", 0, last, closed, setup);
    serving = nullptr;
    if (!now.sent) return Next::kClose;
    if (now.unread_body) return Next::kLinger;
    if (now.has_no_length) return Next::kClose;
    return closed || last ? Next::kClose : Next::kAwait;
  }

  int64_t heads() const { return heads_; }

 private:
  // When it returns, the request's body is gone, and so is the room that was made for it: a client may be slow to take its
  // response.
  HttpResponse ResponseTo(const httplib::Request& request) {
    Exchange exchange(FromLibrary(request, *serving->connection));
    routes_->Begin(exchange);
    const HttpProblem problem = TakeBody(*serving->connection, *routes_, slow_bodies_, exchange, serving->unread_body);
    return problem.status == 0 ? routes_->Answer(exchange) : routes_->Refuse(exchange, problem);
  }

  // Sends a response of ours in place of the library's.
  void Send(const httplib::Request& request, const HttpResponse& response) {
    serving->has_no_length = response.next_piece != nullptr;
    const bool closes = serving->last || serving->unread_body || serving->has_no_length ||
                        request.get_header_value("Connection") == "close";
    serving->stream->EndWriting();
    serving->sent = WriteResponse(response, {closes, options_.idle, options_.max_requests}, request.method == "HEAD",
                                  *serving->connection);
  }

  HandlerResponse AnswerRequest(const httplib::Request& request) {
    ++heads_;
    Send(request, ResponseTo(request));
    return HandlerResponse::Handled;
  }

  void Refuse(const httplib::Request& request, const HttpProblem& problem) {
    if (serving->stream->ended()) return;
    serving->unread_body = true;
    Exchange exchange(FromLibrary(request, *serving->connection));
    Send(request, routes_->Refuse(exchange, problem));
  }

  HandlerResponse OnLibraryError(const httplib::Request& request, int status) {
    // A Range that can't be read is ignored (RFC 9110, section 14.2), as all are here.
    if (status == 416) return AnswerRequest(request);
    Refuse(request, {status, httplib::status_message(status)});
    return HandlerResponse::Handled;
  }

  const RequestServerOptions options_;
  Routes* const routes_;
  base::LimitedPlaces slow_bodies_;
  std::atomic<int64_t> heads_{0};
};

RequestServer::RequestServer(const RequestServerOptions& options, Routes* routes)
    : routes_(routes), library_(std::make_unique<Library>(options, routes)) {}
RequestServer::~RequestServer() = default;

RequestServer::Next RequestServer::ServeOne(Connection& connection, bool last) {
  const HttpProblem problem = connection.CheckHead();
  if (problem.status == 0) return library_->Serve(connection, last);
  const std::string text = RefusalOf(connection.PeerAddress(), problem);
  connection.BeginResponse();
  return connection.Write(text) > 0 ? Next::kLinger : Next::kClose;
}

std::string RequestServer::RefusalOf(const std::string& address, const HttpProblem& problem) const {
  HttpRequest request;
  request.remote_address = address;
  Exchange exchange(std::move(request));
  const HttpResponse response = routes_->Refuse(exchange, problem);
  return HeadOf(response, {}) + response.body.text();
}

int64_t RequestServer::heads() const { return library_->heads(); }

}  // namespace logquery::shim
