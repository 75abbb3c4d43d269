// Tokens of ours are random. A secret that somebody else made is checked for what makes it easy to guess.
#include "lib/endpoint/tokens/token_text.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "lib/base/readable_text.h"
#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

constexpr size_t kMinTokenBytes = 32;
constexpr size_t kMinDistinct = 8;  // characters
constexpr size_t kIdDigits = 12;

// Words of examples that are published, so that everybody knows the secrets that have them.
constexpr std::string_view kPublished[] = {"your-super-secret", "your_super_secret", "changeme", "change-me",
                                           "change_me",         "placeholder",       "example"};

}  // namespace

bool IsTokenText(std::string_view text) {
  return text.size() >= kMinTokenBytes && text.size() <= kMaxTokenBytes &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

absl::Status CheckGivenSecret(std::string_view secret) {
  constexpr std::string_view kMake = "; make one with `openssl rand -hex 32`";
  if (!IsTokenText(secret)) {
    return absl::InvalidArgumentError(base::StrCat("a token has ", kMinTokenBytes, " to ", kMaxTokenBytes,
                                                   " visible ASCII characters without spaces, this one has ",
                                                   base::Counted(secret.size(), "byte"), kMake));
  }
  const std::string lower = absl::AsciiStrToLower(base::ToAbsl(secret));
  for (const std::string_view word : kPublished) {
    if (lower.find(word) == std::string::npos) continue;
    return absl::InvalidArgumentError(
        base::StrCat("the token has \"", word, "\" in it, as the secrets of published examples have", kMake));
  }
  if (std::set<char>(secret.begin(), secret.end()).size() < kMinDistinct) {
    return absl::InvalidArgumentError(
        base::StrCat("the token repeats fewer than ", kMinDistinct, " characters, so that it can be guessed", kMake));
  }
  return absl::OkStatus();
}

std::string TokenId(std::string_view sha256) { return std::string(sha256.substr(0, kIdDigits)); }

}  // namespace logquery::endpoint
