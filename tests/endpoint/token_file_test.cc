#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/authenticator.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

// A folder of its own, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "logquery-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string File(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

void Write(const std::string& path, std::string_view content, mode_t mode = 0600) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  REQUIRE(chmod(path.c_str(), mode) == 0);
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

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

TEST_CASE("a token file that others can read is rejected") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  REQUIRE(TokenFile::Create(path, {}, std::nullopt, &clock).ok());
  for (const mode_t mode : {0604, 0620, 0644, 0650, 0660}) {
    REQUIRE(chmod(path.c_str(), mode) == 0);
    const auto tokens = TokenFile::Open(path, &clock);
    REQUIRE(tokens.status().code() == absl::StatusCode::kFailedPrecondition);
    CHECK(base::Message(tokens.status()).find("make it yours alone: chmod 600") != std::string_view::npos);
    CHECK(TokenFile::Create(path, {}, std::nullopt, &clock).status().code() == absl::StatusCode::kFailedPrecondition);
    CHECK(TokenFile::List(path).status().code() == absl::StatusCode::kFailedPrecondition);
  }
  REQUIRE(chmod(path.c_str(), 0400) == 0);
  CHECK(TokenFile::Open(path, &clock).ok());
}

TEST_CASE("a file that a group of this process can read is taken, as a secret that a container gets") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  REQUIRE(TokenFile::Create(path, {}, std::nullopt, &clock).ok());
  REQUIRE(chown(path.c_str(), static_cast<uid_t>(-1), getegid()) == 0);
  for (const mode_t mode : {0640, 0440}) {
    REQUIRE(chmod(path.c_str(), mode) == 0);
    CHECK(TokenFile::Open(path, &clock).ok());
  }
  if (geteuid() != 0) SKIP("only root can give a file to another group");
  REQUIRE(chown(path.c_str(), static_cast<uid_t>(-1), 54'321) == 0);
  CHECK(TokenFile::Open(path, &clock).status().code() == absl::StatusCode::kFailedPrecondition);
}

TEST_CASE("a token file of another user is rejected") {
  if (geteuid() != 0) SKIP("only root can give a file away");
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  REQUIRE(TokenFile::Create(path, {}, std::nullopt, &clock).ok());
  REQUIRE(chown(path.c_str(), 12'345, 0) == 0);
  const absl::Status status = TokenFile::Open(path, &clock).status();
  CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
  CHECK(status.message().find("belongs to the user 12345") != absl::string_view::npos);
  CHECK(TokenFile::Create(path, {}, std::nullopt, &clock).status().code() == absl::StatusCode::kFailedPrecondition);
}

TEST_CASE("a symbolic link is followed, checked at its end, and stays when the file is replaced") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  const std::string real = folder.File("real/tokens.json");
  fs::create_directories(folder.File("real"));
  fs::create_directories(folder.File("links"));
  const std::string direct = folder.File("direct.json");
  const std::string relative = folder.File("links/relative.json");
  fs::create_symlink(real, direct);
  fs::create_symlink("../direct.json", relative);
  testing::FakeClock clock;

  // Also where there is no file yet.
  const auto first = TokenFile::Create(relative, {"first", {}, {}, {}}, std::nullopt, &clock);
  REQUIRE(first.ok());
  REQUIRE(TokenFile::Create(direct, {"second", {}, {}, {}}, std::nullopt, &clock).ok());
  CHECK(fs::is_symlink(relative));
  CHECK(fs::is_symlink(direct));
  CHECK(fs::symlink_status(real).type() == fs::file_type::regular);
  const auto tokens = TokenFile::Open(relative, &clock);
  REQUIRE(tokens.ok());
  CHECK((*tokens)->Authenticate(*first).ok());
  REQUIRE(TokenFile::List(real)->size() == 2);
  REQUIRE(TokenFile::Rotate(direct, TokenFile::List(real)->at(1).id, absl::ZeroDuration(), &clock).ok());
  REQUIRE(TokenFile::Revoke(relative, TokenFile::List(real)->at(0).id).ok());
  CHECK(fs::is_symlink(relative));
  CHECK(fs::is_symlink(direct));
  CHECK((*tokens)->Authenticate(*first).status().code() == absl::StatusCode::kUnauthenticated);
  // Locks and new files are beside the file, nothing is beside its links.
  CHECK_FALSE(fs::exists(direct + ".lock"));
  CHECK_FALSE(fs::exists(relative + ".lock"));
  CHECK(fs::exists(real + ".lock"));

  REQUIRE(chmod(real.c_str(), 0644) == 0);
  CHECK(TokenFile::Open(relative, &clock).status().code() == absl::StatusCode::kFailedPrecondition);
  CHECK(TokenFile::Create(relative, {}, std::nullopt, &clock).status().code() == absl::StatusCode::kFailedPrecondition);
}

TEST_CASE("links in a circle are an error") {
  const TemporaryFolder folder;
  testing::FakeClock clock;
  std::filesystem::create_symlink(folder.File("b"), folder.File("a"));
  std::filesystem::create_symlink(folder.File("a"), folder.File("b"));
  CHECK_FALSE(TokenFile::Open(folder.File("a"), &clock).ok());
  const absl::Status status = TokenFile::Create(folder.File("a"), {}, std::nullopt, &clock).status();
  CHECK_FALSE(status.ok());
  CHECK(status.message().find("symbolic links") != absl::string_view::npos);
}

TEST_CASE("a missing file, a folder and a file of another format are errors") {
  const TemporaryFolder folder;
  testing::FakeClock clock;
  CHECK(TokenFile::Open(folder.File("none"), &clock).status().code() == absl::StatusCode::kNotFound);
  CHECK(TokenFile::List(folder.File("none")).status().code() == absl::StatusCode::kNotFound);
  CHECK_FALSE(TokenFile::Create(folder.File("none/tokens"), {}, std::nullopt, &clock).ok());
  REQUIRE(mkdir(folder.File("folder").c_str(), 0700) == 0);
  CHECK(TokenFile::Open(folder.File("folder"), &clock).status().code() == absl::StatusCode::kFailedPrecondition);

  const std::string digest(64, 'a');
  const std::string good =
      base::StrCat(R"("id": "aaaaaaaaaaaa", "sha256": ")", digest, R"(", "created": "2026-01-31")");
  struct Case {
    std::string content;
    const char* message;
  };
  const Case cases[] = {
      {"", "not JSON at line 1, column 1"},
      {"{}", "version is missing"},
      {R"({"version": 2, "tokens": []})", "version must be a whole number from 1 to 1, is 2"},
      {R"({"version": 1})", "tokens must be a list"},
      {R"({"version": 1, "tokens": [{}]})", "tokens[0].sha256 is missing"},
      {R"({"version": 1, "tokens": [{"sha256": "AB"}]})", "tokens[0].sha256 must be 64 hexadecimal digits"},
      {base::StrCat(R"({"version": 1, "tokens": [{"id": "x", "sha256": ")", digest, "\"}]}"),
       "tokens[0].id must be the first 12 digits of sha256"},
      {base::StrCat(R"({"version": 1, "tokens": [{)", good, R"(, "expires": "never"}]})"),
       "tokens[0].expires is wrong: \"never\" is not a timestamp"},
      {base::StrCat(R"({"version": 1, "tokens": [{)", good, R"(, "read_only": true}]})"),
       "tokens[0].read_only is not a field"},
  };
  for (const Case& c : cases) {
    const std::string path = folder.File("tokens.json");
    Write(path, c.content);
    const auto tokens = TokenFile::Open(path, &clock);
    REQUIRE(tokens.status().code() == absl::StatusCode::kInvalidArgument);
    CAPTURE(c.message, base::Message(tokens.status()));
    CHECK(base::Message(tokens.status()).find(c.message) != std::string_view::npos);
  }
}

TEST_CASE("a partially written token file, or one that others can read, leaves the tokens unchanged") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const std::string token = *TokenFile::Create(path, {}, std::nullopt, &clock);
  const std::string whole = ReadAll(path);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());
  CHECK((*tokens)->status().ok());

  Write(path, std::string_view(whole).substr(0, whole.size() / 2));
  CHECK((*tokens)->Authenticate(token).ok());
  CHECK((*tokens)->status().code() == absl::StatusCode::kInvalidArgument);
  Write(path, whole, 0644);
  CHECK((*tokens)->Authenticate(token).ok());
  CHECK((*tokens)->status().code() == absl::StatusCode::kFailedPrecondition);

  Write(path, R"({"version": 1, "tokens": []})");
  CHECK_FALSE((*tokens)->Authenticate(token).ok());
  CHECK((*tokens)->status().ok());
}

TEST_CASE("an invalid token file rejects all tokens after a grace period, until it is repaired") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const std::string token = *TokenFile::Create(path, {}, std::nullopt, &clock);
  const std::string whole = ReadAll(path);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());
  for (const std::string& wrong : {std::string(), std::string("[]"), whole.substr(0, whole.size() / 2)}) {
    CAPTURE(wrong);
    Write(path, wrong);
    CHECK((*tokens)->Authenticate(token).ok());
    clock.Advance(TokenFile::kGrace - absl::Milliseconds(1));
    CHECK((*tokens)->Authenticate(token).ok());
    Write(path, whole, 0644);  // wrong in another way: the time goes on
    clock.Advance(absl::Milliseconds(1));
    CHECK((*tokens)->Authenticate(token).status().code() == absl::StatusCode::kUnavailable);
    CHECK((*tokens)->status().code() == absl::StatusCode::kFailedPrecondition);
    Write(path, whole);
    CHECK((*tokens)->Authenticate(token).ok());
    CHECK((*tokens)->status().ok());
  }
}

TEST_CASE("a file that can't be read for want of descriptors is read again at the next look, and its tokens stay") {
#ifdef __SANITIZE_ADDRESS__
  SKIP("UndefinedBehaviorSanitizer looks at an object's type through a pipe, which it can't open without descriptors");
#endif
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const std::string token = *TokenFile::Create(path, {}, std::nullopt, &clock);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());
  Write(path, R"({"version": 1, "tokens": []})");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit none = before;
  none.rlim_cur = 0;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  const bool known = (*tokens)->Authenticate(token).ok();
  const absl::Status status = (*tokens)->status();
  clock.Advance(2 * TokenFile::kGrace);
  const bool still_known = (*tokens)->Authenticate(token).ok();
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(known);
  CHECK(still_known);
  CHECK_FALSE(status.ok());
  CHECK((*tokens)->Authenticate(token).status().code() == absl::StatusCode::kUnauthenticated);
  CHECK((*tokens)->status().ok());
}

TEST_CASE("a missing token file rejects all tokens until it exists again") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const std::string token = *TokenFile::Create(path, {}, std::nullopt, &clock);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());
  REQUIRE(std::filesystem::remove(path));
  CHECK_FALSE((*tokens)->Authenticate(token).ok());
  CHECK((*tokens)->status().code() == absl::StatusCode::kNotFound);
  const std::string next = *TokenFile::Create(path, {}, std::nullopt, &clock);
  CHECK((*tokens)->Authenticate(next).ok());
}

TEST_CASE("writers at the same time lose nothing, and readers always see a whole file") {
  const TemporaryFolder folder;
  const std::string path = folder.File("tokens.json");
  testing::FakeClock clock;
  const std::string first = *TokenFile::Create(path, {}, std::nullopt, &clock);
  auto tokens = TokenFile::Open(path, &clock);
  REQUIRE(tokens.ok());

  constexpr int kWriters = 4;
  constexpr int kEach = 10;
  std::atomic<int> failures = 0;
  std::vector<std::vector<std::string>> made(kWriters);
  std::vector<std::thread> threads;
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([&, w] {
      for (int i = 0; i < kEach; ++i) {
        const auto token = TokenFile::Create(path, {}, std::nullopt, &clock);
        if (!token.ok() || !(*tokens)->Authenticate(*token).ok() || !(*tokens)->Authenticate(first).ok()) ++failures;
        if (token.ok()) made[w].push_back(*token);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  CHECK(TokenFile::List(path)->size() == 1 + kWriters * kEach);
  for (const auto& list : made) {
    for (const std::string& token : list) CHECK((*tokens)->Authenticate(token).ok());
  }
  // Nothing is left lying about but the file and its lock.
  CHECK(std::distance(std::filesystem::directory_iterator(folder.File("")), {}) == 2);
}

TEST_CASE("a principal may call the endpoints that it lists by name or id, and all if it lists none") {
  const Principal all;
  CHECK(all.MayCall("logs.all", "x"));
  Principal some;
  some.endpoints = {"logs.all", "B0A9A6E8-6a0e-4a63-9f0b-6d4c4a1f8f11"};
  CHECK(some.MayCall("logs.all", "-"));
  CHECK(some.MayCall("other", "b0a9a6e8-6A0E-4a63-9f0b-6d4c4a1f8f11"));
  CHECK_FALSE(some.MayCall("Logs.All", "-"));
  some.endpoints = std::vector<std::string>();
  CHECK_FALSE(some.MayCall("logs.all", "-"));
}

TEST_CASE("AllowAll accepts every caller") {
  const auto principal = AllowAll()->Authenticate("");
  REQUIRE(principal.ok());
  CHECK(principal->MayCall("anything", "x"));
  CHECK_FALSE(principal->project_scope.has_value());
}

}  // namespace
}  // namespace logquery
