// Waits between attempts end at once on cancellation, and never exceed the time for retries.
#include "lib/engines/bigquery/backend/service.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/synchronization/notification.h"
#include "lib/backend/circuit_breaker.h"
#include "lib/base/strings.h"

namespace logquery::bigquery {
namespace {

using base::StrCat;

constexpr size_t kMaxAnswerBytes = 64 << 20;
constexpr int kMostDoublings = 6;

http::ClientOptions HttpOptions(const BigQueryOptions& options, bool of_service) {
  http::ClientOptions made;
  made.ca_file = options.ca_file;
  // The metadata server is on the machine.
  if (of_service || !options.service_account_key.empty()) made.proxy = options.proxy;
  made.max_connections = of_service ? options.max_connections : 1;
  made.connect_timeout = options.connect_timeout;
  return made;
}

// False: the call was cancelled.
bool Wait(absl::Duration wait, const CancellationToken& cancellation) {
  absl::Notification cancelled;
  const CancellationToken::Registration registration = cancellation.OnCancel([&cancelled] { cancelled.Notify(); });
  return !cancelled.WaitForNotificationWithTimeout(wait);
}

absl::Duration RetryAfter(const http::Head& head) {
  const auto found = head.headers.find("retry-after");
  int seconds = 0;
  if (found == head.headers.end() || !absl::SimpleAtoi(found->second, &seconds)) return absl::ZeroDuration();
  return absl::Seconds(std::clamp(seconds, 0, 3'600));
}

// Returns a random wait between half of it and all of it, so that calls that failed together do not retry together.
absl::Duration Jittered(absl::Duration wait) {
  std::random_device random;
  return wait * std::uniform_real_distribution<double>(0.5, 1.0)(random);
}

absl::Status Cancelled() { return absl::CancelledError("the query wants no more rows"); }

}  // namespace

Service::Service(const BigQueryOptions& options, std::optional<ServiceAccount> account)
    : options_(options),
      client_(HttpOptions(options, true)),
      token_client_(HttpOptions(options, false)),
      tokens_(std::move(account), options.metadata_url, &token_client_, options.clock) {}

ApiReply Service::Send(const ApiCall& call, const CancellationToken& cancellation) {
  const absl::Duration begin = Clock::Real()->Monotonic();
  bool was_refused = false;
  bool may_have_come = false;
  for (int tries = 0;; ++tries) {
    std::string token;
    ApiReply reply = SendOnce(call, cancellation, &token);
    may_have_come = reply.may_have_come = may_have_come || reply.may_have_come;
    if (reply.status.ok() || absl::IsCancelled(reply.status)) return reply;
    if (reply.error.http == 401 && !was_refused) {
      // The token was withdrawn, or the clocks differ.
      was_refused = true;
      tokens_.Forget(token);
      continue;
    }
    const bool was_lost =
        reply.error.http == 0 && absl::IsUnavailable(reply.status) && !reply.is_refused && !reply.is_tls;
    if (!was_lost && !IsTransient(reply.error)) return reply;
    const absl::Duration wait =
        std::max(Jittered(options_.retry_wait * (1 << std::min(tries, kMostDoublings))), reply.retry_after);
    if (Clock::Real()->Monotonic() - begin + wait > options_.retry_time) return reply;
    if (!Wait(wait, cancellation)) {
      reply.status = Cancelled();
      return reply;
    }
  }
}

ApiReply Service::SendOnce(const ApiCall& call, const CancellationToken& cancellation, std::string* token) {
  ApiReply reply;
  absl::StatusOr<std::string> got = tokens_.Get(cancellation);
  if (!got.ok()) {
    reply.words = std::string(base::Message(got.status()));
    reply.is_refused = absl::IsFailedPrecondition(got.status());
    reply.status = absl::IsCancelled(got.status()) ? got.status()
                   : reply.is_refused              ? absl::InternalError(StrCat("BigQuery: ", reply.words))
                                                   : LostConnection();
    return reply;
  }
  *token = *std::move(got);
  http::Request request;
  request.method = call.method;
  request.url = StrCat(options_.api_url, "/bigquery/v2/projects/", call.path);
  request.headers = {{"Authorization", StrCat("Bearer ", *token)}, {"Content-Type", "application/json"}};
  if (!call.traceparent.empty()) request.headers.emplace_back("traceparent", call.traceparent);
  request.body = call.body;
  request.patience = call.patience;
  std::string body;
  const http::Outcome outcome = client_.Send(request, cancellation, [&body](const http::Head&, std::string_view piece) {
    if (body.size() + piece.size() > kMaxAnswerBytes) {
      return absl::ResourceExhaustedError("an answer of BigQuery is over 64 MiB: ask for fewer rows a page");
    }
    body += piece;
    return absl::OkStatus();
  });
  reply.may_have_come = outcome.was_sent;
  if (!outcome.status.ok()) {
    reply.words = std::string(base::Message(outcome.status));
    reply.is_tls = absl::IsFailedPrecondition(outcome.status);
    const bool is_ours = absl::IsCancelled(outcome.status) || absl::IsResourceExhausted(outcome.status);
    reply.status = is_ours                           ? outcome.status
                   : absl::IsAborted(outcome.status) ? backend::Busy(reply.words)
                                                     : LostConnection();
    return reply;
  }
  if (outcome.head.status == 200) {
    reply.body = std::move(body);
    return reply;
  }
  reply.error = ReadError(outcome.head.status, body);
  reply.words = reply.error.words;
  reply.retry_after = RetryAfter(outcome.head);
  reply.is_refused = outcome.head.status == 401;
  reply.status = StatusOf(reply.error);
  return reply;
}

}  // namespace logquery::bigquery
