// Keeps codes by their digests, and drops old ones on each call.
#include "lib/base/sign_in_codes.h"

#include <openssl/rand.h>

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"

namespace logquery::base {

absl::StatusOr<std::string> SignInCodeIn(std::string_view json) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json body, ParseJson("the request's body", json));
  const auto code = body.is_object() ? body.find("code") : body.end();
  if (code == body.end() || !code->is_string()) {
    return absl::InvalidArgumentError("the exchange of a sign-in code wants {\"code\":\"…\"}");
  }
  return code->get<std::string>();
}

absl::StatusOr<std::string> SignInCodes::Make(std::string token) {
  unsigned char random[32];
  if (RAND_bytes(random, sizeof(random)) != 1) return absl::InternalError("the random source of OpenSSL failed");
  std::string code =
      absl::WebSafeBase64Escape(absl::string_view(reinterpret_cast<const char*>(random), sizeof(random)));
  absl::MutexLock lock(&mutex_);
  DropOld();
  DropOldest(token);
  if (entries_.size() >= kMaxCodes) {
    return absl::ResourceExhaustedError("too many sign-in codes wait to be used; try again in a minute");
  }
  entries_.emplace(Sha256Hex(code), Entry{std::move(token), clock_->Monotonic() + kLifetime});
  return code;
}

absl::StatusOr<std::string> SignInCodes::Take(std::string_view code) {
  absl::MutexLock lock(&mutex_);
  DropOld();
  const auto found = entries_.find(Sha256Hex(code));
  if (found == entries_.end()) {
    return absl::UnauthenticatedError(
        "the sign-in code is unknown, already used, or older than 60 seconds; make another one, or paste a token");
  }
  std::string token = std::move(found->second.token);
  entries_.erase(found);
  return token;
}

void SignInCodes::DropOldest(std::string_view token) {
  size_t of_token = 0;
  auto oldest = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->second.token != token) continue;
    ++of_token;
    if (oldest == entries_.end() || entry->second.until < oldest->second.until) oldest = entry;
  }
  if (of_token >= kMaxCodesOfToken) entries_.erase(oldest);
}

void SignInCodes::DropOld() {
  const absl::Duration now = clock_->Monotonic();
  absl::erase_if(entries_, [now](const auto& entry) { return entry.second.until <= now; });
}

}  // namespace logquery::base
