#include "lib/base/given_secret.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "lib/base/strings.h"

namespace logquery::base {
namespace {

// A file with this text, gone afterwards.
class File {
 public:
  explicit File(const std::string& text) {
    path_ = (std::filesystem::temp_directory_path() / "logquery-secret-XXXXXX").string();
    const int fd = mkstemp(path_.data());
    REQUIRE(fd >= 0);
    close(fd);
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

absl::StatusOr<std::string> OfVariables(const std::map<std::string, std::string>& variables) {
  return SecretOfVariable("TOKEN", [&variables](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST_CASE("a secret is read from a stream, a file or a variable, without the line's end") {
  for (const char* text : {"secret", "secret\n", "secret\r\n"}) {
    CAPTURE(text);
    std::istringstream in(text);
    CHECK(*ReadSecret(in) == "secret");
    const File file(text);
    CHECK(*ReadSecretFile(file.path()) == "secret");
    CHECK(*OfVariables({{"TOKEN_FILE", file.path()}}) == "secret");
  }
  CHECK(*OfVariables({{"TOKEN", "secret"}}) == "secret");
  // A second line is part of it, so that the check of tokens refuses it.
  std::istringstream two("secret\nsecret\n");
  CHECK(*ReadSecret(two) == "secret\nsecret");
}

TEST_CASE("a missing, duplicate or too long secret is an error with its origin") {
  CHECK(Message(OfVariables({}).status()) ==
        "the variable TOKEN is not set: set it to the secret, or TOKEN_FILE to the path of a file with it");
  CHECK(Message(OfVariables({{"TOKEN", "a"}, {"TOKEN_FILE", "b"}}).status()) ==
        "the variables TOKEN and TOKEN_FILE are both set; leave one of them out");
  const auto nowhere = OfVariables({{"TOKEN_FILE", "/nowhere/token"}});
  CHECK(absl::IsNotFound(nowhere.status()));
  CHECK(Message(nowhere.status()) == "TOKEN_FILE: can't read the secret in /nowhere/token: No such file or directory");
  const File empty("\n");
  CHECK(absl::IsNotFound(ReadSecretFile(empty.path()).status()));
  CHECK(absl::IsNotFound(ReadSecretFile(std::filesystem::temp_directory_path().string()).status()));
  std::istringstream most(std::string(4'096, 'a'));
  CHECK(ReadSecret(most)->size() == 4'096);
  std::istringstream more(std::string(5'000, 'a'));
  CHECK(absl::IsInvalidArgument(ReadSecret(more).status()));
  const File large(std::string(1 << 20, 'a'));
  CHECK(Message(ReadSecretFile(large.path()).status()).starts_with(large.path()));
}

TEST_CASE("a file of a secret that everybody may write is an error; one that everybody may read is not") {
  const File file("secret\n");
  std::filesystem::permissions(file.path(), static_cast<std::filesystem::perms>(0644));
  CHECK(*ReadSecretFile(file.path()) == "secret");
  std::filesystem::permissions(file.path(), static_cast<std::filesystem::perms>(0646));
  const auto open = ReadSecretFile(file.path());
  CHECK(absl::IsFailedPrecondition(open.status()));
  CHECK(Message(open.status()) == "everybody may write " + file.path() + ", and so choose the secret: chmod o-w");
}

}  // namespace
}  // namespace logquery::base
