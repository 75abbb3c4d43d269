// The token file on disk: its permissions, links to it, damage, and writers at the same time.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/authenticator.h"
#include "logquery/testing/fake_clock.h"
#include "tests/endpoint/token_file_test_util.h"

namespace logquery::token_file_tests {
namespace {

void Write(const std::string& path, std::string_view content, mode_t mode = 0600) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  REQUIRE(chmod(path.c_str(), mode) == 0);
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

}  // namespace
}  // namespace logquery::token_file_tests
