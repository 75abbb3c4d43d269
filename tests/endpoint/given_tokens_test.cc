#include "lib/endpoint/tokens/given_tokens.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <string>

#include "lib/endpoint/tokens/token_text.h"

namespace logquery::endpoint {
namespace {

constexpr char kCollector[] = "1f0c5a7e9d3b4628a1f0c5a7e9d3b462";
constexpr char kDashboard[] = "9d3b4628a1f0c5a7e9d3b4621f0c5a7e";

// Knows one token, and may be out of order.
class Others : public Authenticator {
 public:
  explicit Others(bool in_order) : in_order_(in_order) {}
  absl::StatusOr<Principal> Authenticate(std::string_view token) override {
    if (!in_order_) return absl::UnavailableError("the file of tokens is not in order");
    if (token != "other") return absl::UnauthenticatedError("the token is not known");
    Principal principal;
    principal.label = "of the others";
    return principal;
  }

 private:
  const bool in_order_;
};

Principal Named(const std::string& label) {
  Principal principal;
  principal.label = label;
  return principal;
}

TEST_CASE("given tokens are valid in addition to others, each with its own rights and id") {
  GivenTokens tokens(std::make_unique<Others>(true));
  Principal collector = Named("collector");
  collector.project_scope = "default";
  collector.ingest.emplace();
  REQUIRE(tokens.Add(kCollector, collector).ok());
  REQUIRE(tokens.Add(kDashboard, Named("dashboard")).ok());
  const auto writes = tokens.Authenticate(kCollector);
  REQUIRE(writes.ok());
  CHECK(writes->label == "collector");
  CHECK(writes->project_scope == "default");
  CHECK(writes->ingest.has_value());
  CHECK(writes->token_id.size() == 12);
  const auto reads = tokens.Authenticate(kDashboard);
  REQUIRE(reads.ok());
  CHECK(reads->label == "dashboard");
  CHECK(reads->token_id != writes->token_id);
  CHECK(tokens.Authenticate("other")->label == "of the others");
}

TEST_CASE("a given token is valid while the other authenticator is unavailable, and other tokens are not") {
  GivenTokens beside(std::make_unique<Others>(false));
  REQUIRE(beside.Add(kCollector, Named("collector")).ok());
  CHECK(beside.Authenticate(kCollector).ok());
  CHECK(absl::IsUnavailable(beside.Authenticate("other").status()));

  GivenTokens alone(nullptr);
  REQUIRE(alone.Add(kCollector, Named("collector")).ok());
  CHECK(alone.Authenticate(kCollector).ok());
  for (const std::string& token : {std::string(), std::string("other"), std::string(kDashboard),
                                   std::string(kCollector) + " ", std::string(kCollector).substr(1)}) {
    CAPTURE(token);
    CHECK(absl::IsUnauthenticated(alone.Authenticate(token).status()));
  }
}

TEST_CASE("a duplicate or weak secret is rejected without being shown") {
  GivenTokens tokens(nullptr);
  REQUIRE(tokens.Add(kCollector, Named("collector")).ok());
  const absl::Status again = tokens.Add(kCollector, Named("dashboard"));
  CHECK(absl::IsAlreadyExists(again));
  CHECK(again.message() == "the token is the same as that of collector; each has to be another one");
  for (const char* weak : {"", "short", "your-super-secret-and-long-logflare-key-public",
                           "your-super-secret-and-long-logflare-key-private", "your-super-secret-and-long-logflare-key",
                           "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    CAPTURE(weak);
    const absl::Status status = tokens.Add(weak, Named("weak"));
    CHECK(absl::IsInvalidArgument(status));
    CHECK(status.message().find("openssl rand -hex 32") != std::string::npos);
    CHECK_FALSE(tokens.Authenticate(weak).ok());
    if (*weak != '\0') CHECK(status.message().find(weak) == std::string::npos);
  }
  CHECK_FALSE(IsTokenText(std::string(kMaxTokenBytes + 1, 'a')));
}

}  // namespace
}  // namespace logquery::endpoint
