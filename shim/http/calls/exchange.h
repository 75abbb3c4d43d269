// A request on its way to its response, with everything that has been found out about it. Each step of routes.h takes what it
// needs from here, and adds what it finds: nothing is looked up twice.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_EXCHANGE_H_
#define LOGQUERY_SHIM_HTTP_CALLS_EXCHANGE_H_

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "logquery/authenticator.h"
#include "logquery/http_observer.h"
#include "logquery/serving/log_receiver.h"
#include "shim/http/calls/route_table.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

struct Exchange {
  explicit Exchange(HttpRequest request) : http(std::move(request)) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  HttpRequest http;
  HttpRequestRecord record;
  const Route* route = nullptr;  // nullptr: the listener has none for this path and method
  Methods methods = 0;           // that the path takes; 0: there is nothing at the path
  std::string_view argument;     // of http.path, for the name in the route's pattern, as sent
  // The request's token, once it was looked up.
  std::optional<absl::StatusOr<Principal>> principal;
  bool without_token = false;
  // The request's logs, once their source was looked up.
  std::optional<absl::StatusOr<std::unique_ptr<LogAdmission>>> admission;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_EXCHANGE_H_
