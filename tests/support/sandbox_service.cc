// Makes a service of one endpoint, and sends it SQL.
#include "tests/support/sandbox_service.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"

namespace logquery::testing {

SandboxService::SandboxService(QueryBackend& backend, Options options)
    : backend_(&backend), options_(std::move(options)) {
  Create();
}

SandboxService::SandboxService(absl::StatusOr<std::unique_ptr<QueryBackend>> opened, Options options)
    : options_(std::move(options)) {
  INFO(opened.status().ToString());
  REQUIRE(opened.ok());
  owned_ = *std::move(opened);
  backend_ = owned_.get();
  Create();
}

void SandboxService::Create() {
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c11";
  endpoint.name = options_.log;
  endpoint.query = options_.query;
  if (endpoint.query.empty()) {
    endpoint.query =
        base::StrCat("WITH ", options_.log, " AS (SELECT * FROM ", options_.log, ") SELECT * FROM ", options_.log);
  }
  endpoint.query_sandboxing = options_.takes_sql;
  endpoint.max_rows = options_.max_rows;
  for (const auto& [name, value] : options_.parameters) endpoint.parameters.emplace_back().name = name;
  for (const std::string& name : options_.declared) endpoint.parameters.emplace_back().name = name;
  QueryServiceOptions made;
  made.backend = backend_;
  made.endpoints = {endpoint};
  made.time_limit = options_.time_limit;
  made.authenticator = options_.authenticator;
  made.observer = options_.observer;
  if (options_.clock != nullptr) made.clock = options_.clock;
  auto created = QueryService::Create(made);
  INFO(created.status().ToString());
  REQUIRE(created.ok());
  service_ = *std::move(created);
}

absl::StatusOr<QueryAnswer> SandboxService::Run(const std::string& sql, const Parameters& more,
                                                const CancellationToken& cancellation) {
  QueryRequest request;
  request.endpoint = options_.log;
  if (options_.authenticator != nullptr) request.token = "any";
  for (const auto& [name, value] : options_.parameters) request.parameters.emplace_back(name, value);
  for (const auto& [name, value] : more) request.parameters.emplace_back(name, value);
  if (options_.takes_sql) request.parameters.emplace_back("sql", sql);
  request.cancellation = cancellation;
  return service_->Run(request);
}

std::string SandboxService::Ask(const std::string& sql, const Parameters& more) {
  const absl::StatusOr<QueryAnswer> answer = Run(sql, more);
  return answer.ok() ? answer->body : answer.status().ToString();
}

}  // namespace logquery::testing
