// Catalogs and registries that change while the service runs.
#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "tests/endpoint/query_service_fixture.h"

namespace logquery::query_service_tests {
namespace {

TEST_CASE("a changed catalog is read again, and an invalid one changes nothing") {
  Fixture f;
  auto before = f.service->registry();
  f.backend.SetCatalog(absl::UnavailableError("down"));
  CHECK(f.service->Reload().code() == absl::StatusCode::kUnavailable);
  CHECK(f.service->registry() == before);
  f.backend.SetCatalog(Catalog::DeclaredLogs());
  CHECK(f.service->Reload().ok());
  CHECK(f.service->registry() != before);
}

TEST_CASE("a registry rejects invalid definitions with the endpoint and the reason") {
  auto broken = [](auto change) {
    std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
    change(endpoints);
    auto registry = EndpointRegistry::Create(endpoints, Catalog::DeclaredLogs());
    return std::string(base::Message(registry.status()));
  };
  using Endpoints = std::vector<Endpoint>;
  CHECK(broken([](Endpoints& e) { e[1].name = e[0].name; }).find("two endpoints of this name") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[1].id = e[0].id; }).find("has the id") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[0].id = "12"; }).find("must be a UUID") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[0].name = e[1].id; }).find("the form of an id") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[0].max_rows = 0; }).find("max_rows") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[0].private_ctes = {"bucketz"}; }).find("bucketz") != std::string::npos);
  CHECK(broken([](Endpoints& e) {
          e[0].query = "SELECT FROM";
        }).find(base::StrCat("endpoint ", Endpoint::BuiltIn()[0].name)) != std::string::npos);
  const std::string unknown = broken([](Endpoints& e) {
    e[0].query = "SELECT @nobody AS a";
    e[0].private_ctes.clear();
  });
  INFO(unknown);
  CHECK(unknown.find("unknown parameter @nobody") != std::string::npos);
}

TEST_CASE("a registry made from another takes the endpoints over whose definition is the same") {
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  const auto first = EndpointRegistry::Create(endpoints, Catalog::DeclaredLogs());
  REQUIRE(first.ok());
  endpoints[0].description += " Changed.";
  endpoints.pop_back();
  const auto second = (*first)->With(endpoints);
  REQUIRE(second.ok());
  const auto find = [](const auto& registry, const Endpoint& endpoint) { return (*registry)->Find(endpoint.name); };
  CHECK((*second)->All().size() == endpoints.size());
  CHECK(find(second, endpoints[1]) == find(first, endpoints[1]));
  CHECK(find(second, endpoints[0])->revision() > find(first, endpoints[0])->revision());
  CHECK(find(second, endpoints[0])->definition().description.ends_with(" Changed."));
  endpoints[1].query = "SELECT FROM";
  CHECK_FALSE((*second)->With(endpoints).ok());
}

}  // namespace
}  // namespace logquery::query_service_tests
