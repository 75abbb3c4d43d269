#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <vector>

#include "logquery/authenticator.h"
#include "logquery/testing/fake_clock.h"
#include "tests/endpoint/token_file_test_util.h"

namespace logquery::token_file_tests {
namespace {

TEST_CASE("a created token authenticates its principal") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  Principal dashboard{"dashboard", std::vector<std::string>{"logs.all"}, {{"project", "abc"}}, "abc"};
  const auto token = TokenFile::Create(path, dashboard, std::nullopt, &clock);
  REQUIRE(token.ok());
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());

  const auto principal = (*tokens)->Authenticate(*token);
  REQUIRE(principal.ok());
  CHECK(principal->label == "dashboard");
  CHECK(principal->fixed_parameters == dashboard.fixed_parameters);
  CHECK(principal->project_scope == "abc");
  CHECK(principal->MayCall("logs.all", "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11"));
  CHECK_FALSE(principal->MayCall("usage.api-counts", "c0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11"));
}

TEST_CASE("the token is 256 random bits, and not in its file") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  std::set<std::string> seen;
  for (int i = 0; i < 20; ++i) {
    const auto token = TokenFile::Create(path, {}, std::nullopt, &clock);
    REQUIRE(token.ok());
    CHECK(token->size() == 3 + 43);
    CHECK(token->starts_with("lq_"));
    CHECK(seen.insert(*token).second);
    CHECK(ReadAll(path).find(token->substr(3)) == std::string::npos);
  }
  struct stat info;
  REQUIRE(stat(path.c_str(), &info) == 0);
  CHECK((info.st_mode & 07777) == 0600);
}

TEST_CASE("an imported token is stored as its digest, and a weak or published one is rejected") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const std::string given = "1f0c5a7e9d3b4628a1f0c5a7e9d3b462";
  Principal collector;
  collector.label = "collector";
  const auto id = TokenFile::Import(path, given, collector, std::nullopt, &clock);
  REQUIRE(id.ok());
  CHECK(ReadAll(path).find(given) == std::string::npos);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());
  const auto principal = (*tokens)->Authenticate(given);
  REQUIRE(principal.ok());
  CHECK(principal->label == "collector");
  CHECK(principal->token_id == *id);
  CHECK(absl::IsAlreadyExists(TokenFile::Import(path, given, {}, std::nullopt, &clock).status()));
  for (const std::string& weak :
       {std::string(), std::string("short"), given.substr(1), given + " " + given, given + "\n", given + "\xC3\xA9",
        std::string(513, 'a'), std::string(40, 'a'), std::string("abcabcabcabcabcabcabcabcabcabcabcabc"),
        std::string("your-super-secret-and-long-logflare-key-public"),
        std::string("YOUR-SUPER-SECRET-AND-LONG-LOGFLARE-KEY-PRIVATE"), "changeme-" + given, given + "-example"}) {
    CAPTURE(weak);
    const absl::Status status = TokenFile::Import(path, weak, {}, std::nullopt, &clock).status();
    CHECK(absl::IsInvalidArgument(status));
    CHECK(status.message().find("openssl rand -hex 32") != std::string::npos);
    CHECK_FALSE((*tokens)->Authenticate(weak).ok());
  }
  CHECK(TokenFile::List(path)->size() == 1);
}

TEST_CASE("the token file keeps each token's rights to ingest") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  Principal collector;
  collector.ingest = IngestRights{
      .logs = std::vector<std::string>{"edge_logs"}, .may_learn = true, .rows_per_second = 5, .bytes_per_day = 7};
  REQUIRE(TokenFile::Create(path, collector, std::nullopt, &clock).ok());
  REQUIRE(TokenFile::Create(path, Principal(), std::nullopt, &clock).ok());
  const auto records = TokenFile::List(path);
  REQUIRE((records.ok() && records->size() == 2));
  const auto& rights = (*records)[0].principal.ingest;
  REQUIRE(rights.has_value());
  CHECK(rights->logs == collector.ingest->logs);
  CHECK(rights->may_learn);
  CHECK(rights->rows_per_second == 5);
  CHECK(rights->bytes_per_day == 7);
  CHECK(rights->MayWrite("cloudflare.logs.prod", "EDGE_LOGS"));
  CHECK_FALSE(rights->MayWrite("gotrue.logs.prod", "auth_logs"));
  CHECK(IngestRights().MayWrite("anything", ""));
  CHECK_FALSE((*records)[1].principal.ingest.has_value());
}

TEST_CASE("a token is listed, and revoked without a restart") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const auto kept = TokenFile::Create(path, {"kept", {}, {}, {}}, std::nullopt, &clock);
  const auto revoked = TokenFile::Create(path, {"revoked", {}, {}, {}}, std::nullopt, &clock);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());
  REQUIRE((*tokens)->Authenticate(*revoked).ok());

  const auto records = TokenFile::List(path);
  REQUIRE(records.ok());
  REQUIRE(records->size() == 2);
  CHECK((*records)[1].principal.label == "revoked");
  CHECK((*records)[1].created == clock.Now());
  CHECK((*records)[1].id.size() == 12);
  REQUIRE(TokenFile::Revoke(path, (*records)[1].id).ok());

  CHECK((*tokens)->Authenticate(*revoked).status().code() == absl::StatusCode::kUnauthenticated);
  CHECK((*tokens)->Authenticate(*kept).ok());
  CHECK(TokenFile::Revoke(path, (*records)[1].id).code() == absl::StatusCode::kNotFound);
  CHECK(TokenFile::Revoke(path, "").code() == absl::StatusCode::kNotFound);
}

TEST_CASE("the token file keeps all rights and limits of a token") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  Principal bounded;
  bounded.redact_pii = true;
  bounded.may_bypass_cache = true;
  bounded.max_rows = 10;
  bounded.limits.max_result_bytes = 1'000;
  bounded.limits.time_limit = absl::Milliseconds(1'500);
  bounded.limits.max_concurrent = 2;
  bounded.limits.calls_per_minute = 30;
  const auto token = TokenFile::Create(path, bounded, std::nullopt, &clock);
  REQUIRE(token.ok());
  const auto principal = TokenFile::Open(path, &clock).value()->Authenticate(*token);
  REQUIRE(principal.ok());
  CHECK(principal->redact_pii);
  CHECK(principal->may_bypass_cache);
  CHECK(principal->max_rows == 10);
  CHECK(principal->limits == bounded.limits);
  CHECK(principal->token_id == TokenFile::List(path)->at(0).id);

  bounded.limits.max_concurrent = 0;
  const absl::Status wrong = TokenFile::Create(path, bounded, std::nullopt, &clock).status();
  CHECK(wrong.code() == absl::StatusCode::kInvalidArgument);
  CHECK(wrong.message() == "max_concurrent must be at least 1, is 0");
}

TEST_CASE("a token is rotated: the new one may the same, the old one ends, at once or after a time of grace") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const Principal dashboard{"dashboard", std::vector<std::string>{"logs.all"}, {{"project", "abc"}}, "abc"};
  const auto first = TokenFile::Create(path, dashboard, clock.Now() + absl::Hours(48), &clock);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());
  clock.Advance(absl::Hours(24));

  const auto second = TokenFile::Rotate(path, TokenFile::List(path)->at(0).id, absl::Hours(1), &clock);
  REQUIRE(second.ok());
  CHECK(*second != *first);
  CHECK((*tokens)->Authenticate(*first).ok());
  const auto principal = (*tokens)->Authenticate(*second);
  REQUIRE(principal.ok());
  CHECK(principal->label == "dashboard");
  CHECK(principal->fixed_parameters == dashboard.fixed_parameters);
  CHECK(principal->project_scope == "abc");
  // The second token lasts as long as the first one did.
  CHECK(TokenFile::List(path)->at(1).expires == clock.Now() + absl::Hours(48));
  clock.Advance(absl::Hours(1));
  CHECK((*tokens)->Authenticate(*first).status().code() == absl::StatusCode::kUnauthenticated);

  const auto third = TokenFile::Rotate(path, TokenFile::List(path)->at(1).id, absl::ZeroDuration(), &clock);
  REQUIRE(third.ok());
  CHECK((*tokens)->Authenticate(*second).status().code() == absl::StatusCode::kUnauthenticated);
  CHECK((*tokens)->Authenticate(*third).ok());
  CHECK(TokenFile::List(path)->size() == 2);
}

TEST_CASE("rotation never extends a token, and an expired or unknown token is not rotated") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const absl::Time end = clock.Now() + absl::Hours(1);
  REQUIRE(TokenFile::Create(path, {}, end, &clock).ok());
  const std::string id = TokenFile::List(path)->at(0).id;
  REQUIRE(TokenFile::Rotate(path, id, absl::Hours(100), &clock).ok());
  CHECK(TokenFile::List(path)->at(0).expires == end);
  clock.Advance(absl::Hours(1));
  CHECK(TokenFile::Rotate(path, id, absl::ZeroDuration(), &clock).status().code() ==
        absl::StatusCode::kFailedPrecondition);
  CHECK(TokenFile::Rotate(path, "0123456789ab", absl::ZeroDuration(), &clock).status().code() ==
        absl::StatusCode::kNotFound);
  CHECK(TokenFile::List(path)->size() == 2);
}

TEST_CASE("a token ends when it expires") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const auto token = TokenFile::Create(path, {}, clock.Now() + absl::Hours(1), &clock);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());
  CHECK((*tokens)->Authenticate(*token).ok());
  clock.Advance(absl::Hours(1));
  const auto principal = (*tokens)->Authenticate(*token);
  CHECK(principal.status().code() == absl::StatusCode::kUnauthenticated);
  CHECK(principal.status().message() == "the token expired at 2026-01-31T09:00:00+00:00");
  CHECK(TokenFile::Create(path, {}, clock.Now(), &clock).status().code() == absl::StatusCode::kInvalidArgument);
}

TEST_CASE("an invalid token is rejected") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const std::string token = *TokenFile::Create(path, {}, std::nullopt, &clock);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());
  const std::string other = token.substr(0, 45) + (token.back() == 'A' ? 'E' : 'A');
  for (const std::string& wrong :
       {std::string(), std::string("lq_"), token.substr(1), token.substr(0, 45), token + "A", token + "=", " " + token,
        token + "\n", "LQ_" + token.substr(3), token.substr(0, 20) + '\0' + token.substr(21), other,
        std::string(1 << 20, 'x'), "lq_" + std::string(43, '\xFF'), "lq_" + std::string(43, 'A')}) {
    CHECK((*tokens)->Authenticate(wrong).status().code() == absl::StatusCode::kUnauthenticated);
  }
}

}  // namespace
}  // namespace logquery::token_file_tests
