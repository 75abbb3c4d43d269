#include "shim/cli/serve/token_from.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "lib/serving/deployment/token_variables.h"

namespace logquery::shim {
namespace {

constexpr char kPublic[] = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d";
constexpr char kPrivate[] = "07d9e3b4628c0df2b1c9a5e4836a1f0c5a7e";

base::Variables Of(const std::map<std::string, std::string>& variables) {
  return [&variables](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

absl::StatusOr<std::unique_ptr<Authenticator>> WithTokensFrom(const std::vector<std::string>& options,
                                                              const base::Variables& variable) {
  const auto tokens = ParseTokenFrom(options);
  if (!tokens.ok()) return tokens.status();
  return serving::ReadTokenVariables(*tokens, variable, nullptr);
}

TEST_CASE("variables have tokens that read, write or do both, of all projects or of one") {
  const std::map<std::string, std::string> variables = {{"PUBLIC", kPublic}, {"PRIVATE", kPrivate}};
  const auto tokens = WithTokensFrom({"PUBLIC=write:default,PRIVATE=read"}, Of(variables));
  INFO(tokens.status().ToString());
  REQUIRE(tokens.ok());
  const auto writer = (*tokens)->Authenticate(kPublic);
  REQUIRE(writer.ok());
  CHECK(writer->label == "PUBLIC");
  CHECK(writer->project_scope == "default");
  REQUIRE(writer->ingest.has_value());
  CHECK(writer->ingest->MayWrite("cloudflare.logs.prod", "edge_logs"));
  CHECK_FALSE(writer->ingest->may_learn);
  CHECK_FALSE(writer->MayCall("logs.all", ""));
  const auto reader = (*tokens)->Authenticate(kPrivate);
  REQUIRE(reader.ok());
  CHECK(reader->MayCall("logs.all", ""));
  CHECK_FALSE(reader->project_scope.has_value());
  CHECK_FALSE(reader->ingest.has_value());

  const auto parsed = ParseTokenFrom({"A=all:one", "B=read:two:three"});
  REQUIRE((parsed.ok() && parsed->size() == 2));
  CHECK(parsed->at(0).principal.ingest.has_value());
  CHECK_FALSE(parsed->at(0).principal.endpoints.has_value());
  CHECK(parsed->at(0).principal.project_scope == "one");
  CHECK(parsed->at(1).principal.project_scope == "two:three");
  CHECK_FALSE(parsed->at(1).principal.may_read_metrics);

  const auto scraper = ParseTokenFrom({"SCRAPER=metrics"});
  REQUIRE(scraper.ok());
  CHECK(scraper->front().principal.may_read_metrics);
  CHECK(scraper->front().principal.endpoints == std::vector<std::string>());
  CHECK_FALSE(scraper->front().principal.ingest.has_value());
}

TEST_CASE("an invalid --token-from, or one that names a variable twice, is rejected") {
  for (const char* wrong : {"", "A", "A=", "=read", "A=reads", "A=READ", "A=read:", "A=:x", "1A=read", "A B=read",
                            "A=read,", "A-B=write", "A=write;all", "A=metrics:x"}) {
    CAPTURE(wrong);
    const absl::Status status = ParseTokenFrom({wrong}).status();
    CHECK(absl::IsInvalidArgument(status));
    CHECK(base::Message(status).find("it is VARIABLE=RIGHT") != std::string::npos);
  }
  CHECK(base::Message(ParseTokenFrom({"A=read", "B=read,A=write"}).status()) ==
        "--token-from names the variable A twice");
}

TEST_CASE("a variable with a missing, published or duplicate token is reported only by its name") {
  const std::map<std::string, std::string> variables = {{"SET", kPublic},
                                                        {"SAME", kPublic},
                                                        {"EMPTY", ""},
                                                        {"EXAMPLE", "your-super-secret-and-long-logflare-key-private"}};
  const auto told = [&](const std::string& option) {
    const absl::Status status = WithTokensFrom({option}, Of(variables)).status();
    CHECK(absl::IsInvalidArgument(status));
    CHECK(base::Message(status).find(kPublic) == std::string::npos);
    return std::string(base::Message(status));
  };
  CHECK(told("MISSING=read") ==
        "the variable MISSING is not set: set it to the secret, or MISSING_FILE to the path of a file with it");
  CHECK(told("EMPTY=read").starts_with("the variable EMPTY is empty: "));
  CHECK(told("EXAMPLE=read").starts_with("the variable EXAMPLE: the token has \"your-super-secret\" in it"));
  CHECK(told("EXAMPLE=read").find("openssl rand -hex 32") != std::string::npos);
  CHECK(told("SET=read,SAME=write") ==
        "the variable SAME: the token is the same as that of SET; each has to be another one");
}

}  // namespace
}  // namespace logquery::shim
