#include "tests/codegen/http_transport.h"

#include <httplib.h>

#include <memory>

namespace logquery::codegen_tests {

logquery_client::Transport HttpTransport(int port) {
  const auto http = std::make_shared<httplib::Client>("127.0.0.1", port);
  // The code that follows is the comment's text, but for the pointer.
  return [http](const logquery_client::Request& request) -> logquery_client::Response {
    httplib::Request sent;
    sent.method = request.method;
    sent.path = request.target;
    sent.headers = httplib::Headers(request.headers.begin(), request.headers.end());
    sent.body = request.body;
    const httplib::Result answer = http->send(sent);
    if (!answer) return {0, {}, httplib::to_string(answer.error())};
    return {answer->status, {answer->headers.begin(), answer->headers.end()}, answer->body};
  };
}

}  // namespace logquery::codegen_tests
