// An old token that is still valid is used while a new one is being requested.
#include "lib/engines/bigquery/backend/access_tokens.h"

#include <algorithm>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/bigquery/backend/errors.h"

namespace logquery::bigquery {
namespace {

using base::StrCat;

// The scope that queries, the tables' description and dry runs need. Anything that writes a table requires it.
constexpr char kScope[] = "https://www.googleapis.com/auth/bigquery";
constexpr char kMetadataPath[] = "/computeMetadata/v1/instance/service-accounts/default/token";
constexpr absl::Duration kMargin = absl::Minutes(5);
constexpr absl::Duration kPatience = absl::Seconds(20);
constexpr absl::Duration kLook = absl::Milliseconds(10);
constexpr size_t kMaxAnswerBytes = 1 << 20;
constexpr size_t kMaxTokenBytes = 16 << 10;
constexpr int64_t kMaxSeconds = 86'400;

// Returns whether the text can be sent in a header: it is visible ASCII.
bool IsToken(std::string_view text) {
  return !text.empty() && text.size() <= kMaxTokenBytes &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

absl::Status NoToken(std::string_view giver, std::string_view problem) {
  return absl::UnavailableError(StrCat(giver, " gives no token: ", problem));
}

// The error that the answer tells, in OAuth's form: {"error": "invalid_grant", "error_description": …}.
std::string Told(const std::string& body) {
  const absl::StatusOr<base::Json> json = base::ParseJson("the answer", body);
  if (!json.ok() || !json->is_object()) return "an answer that is no JSON";
  std::string words;
  for (const char* const name : {"error", "error_description"}) {
    const auto found = json->find(name);
    if (found == json->end() || !found->is_string()) continue;
    base::StrAppend(&words, words.empty() ? "" : ": ", ShortWords(found->text()));
  }
  return words.empty() ? "no reason" : words;
}

}  // namespace

absl::StatusOr<std::string> AccessTokens::Get(const CancellationToken& cancellation) {
  {
    absl::MutexLock lock(&mutex_);
    while (true) {
      const absl::Duration now = clock_->Monotonic();
      if (token_.has_value() && now < token_->renew_at) return token_->text;
      if (!is_fetching_) break;
      if (token_.has_value() && now < token_->expires_at) return token_->text;
      if (cancellation.IsCancelled()) return absl::CancelledError("the query wants no more rows");
      mutex_.AwaitWithTimeout(absl::Condition(this, &AccessTokens::IsIdle), kLook);
    }
    is_fetching_ = true;
  }
  absl::StatusOr<Token> fetched = Fetch(cancellation);
  absl::MutexLock lock(&mutex_);
  is_fetching_ = false;
  if (fetched.ok()) return (token_ = *std::move(fetched))->text;
  // One that still holds does until the giver is back.
  if (token_.has_value() && clock_->Monotonic() < token_->expires_at) return token_->text;
  return fetched.status();
}

void AccessTokens::Forget(std::string_view token) {
  absl::MutexLock lock(&mutex_);
  if (token_.has_value() && token_->text == token) token_.reset();
}

absl::StatusOr<http::Request> AccessTokens::RequestForToken() const {
  http::Request request;
  request.patience = kPatience;
  if (!account_.has_value()) {
    request.method = "GET";
    request.url = StrCat(metadata_url_, kMetadataPath);
    request.headers = {{"Metadata-Flavor", "Google"}};
    return request;
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::string assertion, account_->Assertion(kScope, clock_->Now()));
  request.url = account_->token_url();
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  request.body =
      StrCat("grant_type=", http::UrlEncoded("urn:ietf:params:oauth:grant-type:jwt-bearer"), "&assertion=", assertion);
  return request;
}

absl::StatusOr<AccessTokens::Token> AccessTokens::Fetch(const CancellationToken& cancellation) {
  LOGQUERY_ASSIGN_OR_RETURN(const http::Request request, RequestForToken());
  const std::string giver = account_.has_value() ? "the account's token server" : "the metadata server";
  std::string body;
  const absl::Duration asked = clock_->Monotonic();
  const http::Outcome outcome =
      client_->Send(request, cancellation, [&body](const http::Head&, std::string_view piece) {
        body += piece;
        return body.size() <= kMaxAnswerBytes ? absl::OkStatus() : absl::UnavailableError("its answer has no end");
      });
  if (absl::IsCancelled(outcome.status)) return outcome.status;
  if (absl::IsFailedPrecondition(outcome.status)) {
    return absl::FailedPreconditionError(StrCat(giver, " is not trusted: ", base::Message(outcome.status)));
  }
  if (!outcome.status.ok()) return NoToken(giver, base::Message(outcome.status));
  const int status = outcome.head.status;
  if (status == 400 || status == 401 || status == 403 || status == 404) {
    return absl::FailedPreconditionError(StrCat(giver, " refuses the account: ", Told(body), " (HTTP ", status, ")"));
  }
  if (status != 200) return NoToken(giver, StrCat(Told(body), " (HTTP ", status, ")"));
  const absl::StatusOr<base::Json> json = base::ParseJson("the answer", body);
  if (!json.ok() || !json->is_object()) return NoToken(giver, "its answer is no JSON object");
  const auto text = json->find("access_token"), seconds = json->find("expires_in");
  if (text == json->end() || !text->is_string() || !IsToken(text->text())) {
    return NoToken(giver, "its answer has no access_token");
  }
  if (seconds == json->end() || !seconds->is_number_integer() || seconds->get<int64_t>() < 1) {
    return NoToken(giver, "its answer has no expires_in");
  }
  const absl::Duration life = absl::Seconds(std::min(seconds->get<int64_t>(), kMaxSeconds));
  return Token{text->get<std::string>(), asked + life - std::min(kMargin, life / 2), asked + life};
}

}  // namespace logquery::bigquery
