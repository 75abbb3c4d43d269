// Requests to the routes, and parts of their responses.
#ifndef LOGQUERY_TESTS_SHIM_ROUTE_REQUESTS_H_
#define LOGQUERY_TESTS_SHIM_ROUTE_REQUESTS_H_

#include <nlohmann/json.hpp>
#include <string>

#include "shim/http/calls/routes.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim::route_tests {

using Json = nlohmann::json;

inline HttpRequest Request(std::string method, std::string path, std::string query = "") {
  HttpRequest request;
  request.method = std::move(method);
  request.path = std::move(path);
  request.query = std::move(query);
  request.headers = {{"X-API-KEY", "good"}};
  request.remote_address = "192.0.2.1";
  return request;
}

inline HttpRequest Call(std::string query = "") {
  return Request("GET", "/api/endpoints/query/logs.all", std::move(query));
}

inline std::string Header(const HttpResponse& response, std::string_view name) {
  return std::string(response.headers.Find(name).value_or(""));
}

inline std::string ErrorMessage(const HttpResponse& response) { return Json::parse(response.body)["error"]["message"]; }

}  // namespace logquery::shim::route_tests

#endif  // LOGQUERY_TESTS_SHIM_ROUTE_REQUESTS_H_
