#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/serving/mcp/tool_set.h"
#include "logquery/catalog.h"

namespace logquery::serving {
namespace {

Endpoint Named(const std::string& name, int number, bool takes_sql = false) {
  Endpoint endpoint;
  endpoint.id = "0d6c3c1e-5f0b-4a67-9f3e-6b2f6f1f7d" + std::to_string(10 + number);
  endpoint.name = name;
  endpoint.query = "WITH numbers AS (SELECT 1 AS n) SELECT n FROM numbers";
  endpoint.query_sandboxing = takes_sql;
  return endpoint;
}

std::vector<std::string> NamesOf(const std::vector<std::string>& endpoints) {
  std::vector<Endpoint> definitions;
  for (const std::string& name : endpoints) definitions.push_back(Named(name, static_cast<int>(definitions.size())));
  const auto registry = EndpointRegistry::Create(std::move(definitions), Catalog::DeclaredLogs());
  REQUIRE(registry.ok());
  const Principal principal;
  const McpOptions options;
  return ToolSet(*registry, principal, options).Names();
}

TEST_CASE("a tool has its endpoint's name, with _ for what is no letter, digit, _ or -") {
  CHECK(ToolName("usage.api-counts", false) == "usage_api-counts");
  CHECK(ToolName("a_b-C9", false) == "a_b-C9");
  CHECK(ToolName("Zähler von /x", false) == "Z__hler_von__x");
  CHECK(NamesOf({"usage.api-counts"}) == std::vector<std::string>{"explain_error", "usage_api-counts"});
}

TEST_CASE("equal names get a part of a digest, which does not depend on other endpoints") {
  const std::vector<std::string> names = NamesOf({"a.b", "a b", "a_b", "a.c"});
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == 5);
  CHECK(names[3] == "a_c");
  const std::vector<std::string> others = NamesOf({"a.b", "a/b"});
  CHECK(names[2] == others[1]);  // of "a.b", which is between "a b" and "a.c"
  // Names of our own tools are taken.
  const std::vector<std::string> own = NamesOf({"query_logs", "list.logs"});
  CHECK(own[1] != "list_logs");
  CHECK(own[2] != "query_logs");
}

TEST_CASE("names of any length become valid names") {
  for (const std::string& name :
       {std::string(64, 'a'), std::string(65, 'a'), std::string(300, '.'), std::string("é")}) {
    for (const bool ambiguous : {false, true}) {
      const std::string tool = ToolName(name, ambiguous);
      CHECK(tool.size() >= 1);
      CHECK(tool.size() <= 64);
      for (const char c : tool) CHECK((absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'));
    }
  }
  CHECK(ToolName(std::string(65, 'a'), false) != ToolName(std::string(66, 'a'), false));
}

TEST_CASE("logs of several endpoints are told apart by an argument, and the standard one comes first") {
  std::vector<Endpoint> definitions = {Named("a.sql", 0, true), Named("logs.all", 1, true), Named("plain", 2)};
  const auto registry = EndpointRegistry::Create(std::move(definitions), Catalog::DeclaredLogs());
  REQUIRE(registry.ok());
  const Principal principal;
  const McpOptions options;
  const ToolSet tools(*registry, principal, options);
  REQUIRE(tools.sandboxes().size() == 2);
  CHECK(tools.FindSandbox("")->definition().name == "logs.all");
  CHECK(tools.FindSandbox("a.sql")->definition().name == "a.sql");
  CHECK(tools.FindSandbox("plain") == nullptr);
  const base::Json schema = tools.Describe(*tools.Find("query_logs"))["inputSchema"];
  CHECK(schema["properties"]["endpoint"]["enum"].ToString() == R"(["logs.all","a.sql"])");
}

TEST_CASE("without an endpoint that takes SQL there are no tools for it") {
  CHECK(NamesOf({"plain"}) == std::vector<std::string>{"explain_error", "plain"});
  const Principal principal;
  const McpOptions options;
  CHECK(ToolSet(nullptr, principal, options).Names() == std::vector<std::string>{"explain_error"});
}

}  // namespace
}  // namespace logquery::serving
