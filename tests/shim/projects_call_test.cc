// GET /api/projects: the list of projects, for those who may read the rows of all of them.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "absl/status/status.h"
#include "tests/shim/introspected_server.h"

namespace logquery::shim {
namespace {

constexpr char kPath[] = "/api/projects";
constexpr char kList[] = R"({"result":[{"project":"the shop","newest":1700000000000000}]})";

TEST_CASE("a token for all projects and endpoints lists the projects that have rows") {
  IntrospectedServer server;
  server.ListProjects([] { return std::string(kList); });
  const HttpResponse response = server.Get(kPath);
  CHECK(response.status == 200);
  CHECK(response.body == kList);
  CHECK(server.Get("/api/endpoints").body.find(R"(,"lists_projects":true})") != std::string::npos);
}

TEST_CASE("a token with any limit on what it reads lists no projects, and none are read for it") {
  IntrospectedServer server;
  int asked = 0;
  server.ListProjects([&asked] {
    ++asked;
    return std::string(kList);
  });
  for (const char* token : {"one", "fixed", "metrics"}) {
    CAPTURE(token);
    const HttpResponse refused = server.Get(kPath, token);
    CHECK(refused.status == 403);
    CHECK(refused.body.find("takes a token for all projects and endpoints") != std::string::npos);
    CHECK(refused.body.find("the shop") == std::string::npos);
    CHECK(server.Get("/api/endpoints", token).body.find("lists_projects") == std::string::npos);
  }
  CHECK(server.Get(kPath, "unknown").status == 401);
  CHECK(server.Get(kPath, "").status == 401);
  CHECK(asked == 0);
}

TEST_CASE("an error of the list is the answer's, and a server without the list has no such path") {
  IntrospectedServer server;
  CHECK(server.Get(kPath).status == 404);
  CHECK(server.Get("/api/endpoints").body.find("lists_projects") == std::string::npos);
  server.ListProjects([] { return absl::DeadlineExceededError("it took too long"); });
  CHECK(server.Get(kPath).status == 504);
}

}  // namespace
}  // namespace logquery::shim
