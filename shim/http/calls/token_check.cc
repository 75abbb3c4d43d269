// Reads tokens from headers, and counts wrong ones by the client's address.
#include "shim/http/calls/token_check.h"

#include <string_view>
#include <utility>

#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::shim {
namespace {

std::string ClientAddress(const HttpRequest& request, bool trust_forwarded_for) {
  const std::string* forwarded = trust_forwarded_for ? request.Header("X-Forwarded-For") : nullptr;
  if (forwarded == nullptr) return request.remote_address;
  const size_t comma = forwarded->find_last_of(", ");
  return comma == std::string::npos ? *forwarded : forwarded->substr(comma + 1);
}

}  // namespace

absl::StatusOr<std::string> TokenOf(const HttpRequest& request) {
  constexpr std::string_view kBearer = "Bearer ";
  std::string token;
  for (const auto& [name, value] : request.headers) {
    std::string_view candidate;
    if (base::EqualsIgnoreCase(name, "X-API-KEY")) {
      candidate = value;
    } else if (base::EqualsIgnoreCase(name, "Authorization") &&
               base::EqualsIgnoreCase(std::string_view(value).substr(0, kBearer.size()), kBearer)) {
      candidate = std::string_view(value).substr(kBearer.size());
    }
    while (!candidate.empty() && candidate.front() == ' ') candidate.remove_prefix(1);
    if (candidate.empty() || candidate == token) continue;
    if (!token.empty()) {
      return absl::InvalidArgumentError("the request carries two different tokens; send one, in X-API-KEY");
    }
    token = candidate;
  }
  return token;
}

const absl::StatusOr<Principal>& TokenCheck::Authenticate(Exchange& exchange) const {
  if (exchange.principal) return *exchange.principal;
  const absl::StatusOr<std::string> token = TokenOf(exchange.http);
  exchange.principal = token.ok() ? service_->Authenticate(*token) : token.status();
  exchange.without_token = token.ok() && token->empty();
  if (exchange.without_token && absl::IsUnauthenticated(exchange.principal->status())) {
    const bool in_query = exchange.http.query.find("api_key=") != std::string::npos;
    exchange.principal = absl::UnauthenticatedError(base::StrCat(
        "no token was sent: it is expected in the header X-API-KEY: TOKEN or Authorization: Bearer TOKEN",
        in_query ? "; a token in the URL is taken only by a server that was started with --api-key-in-query" : ""));
  }
  return *exchange.principal;
}

absl::Status TokenCheck::AfterFailure(const HttpRequest& request, absl::Status failure) {
  const std::string address = ClientAddress(request, trust_forwarded_for_);
  // A token that is known always passes: others at its address, behind one proxy say, can't lock it out. Every other one is
  // told the same, whatever is wrong with it, and counts also while the address has to wait.
  const absl::Duration wait = attempts_.Wait(address);
  attempts_.AddFailure(address);
  if (wait == absl::ZeroDuration()) return failure;
  ErrorDetails details;
  details.retry_after = wait;
  return WithErrorDetails(
      absl::ResourceExhaustedError("too many attempts with a wrong token came from this address; wait a minute"),
      details);
}

}  // namespace logquery::shim
