// Chooses a statement's id itself, so that the statement can be stopped before the first byte of its response.
#include "lib/engines/clickhouse/backend/server.h"

#include <random>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "lib/backend/circuit_breaker.h"
#include "lib/base/start_thread.h"
#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/answer.h"
#include "lib/engines/clickhouse/backend/errors.h"
#include "lib/engines/clickhouse/backend/parameters.h"
#include "lib/engines/clickhouse/backend/settings.h"

namespace logquery::clickhouse {
namespace {

using base::StrAppend;
using base::StrCat;

// The time that a call that gives up waits until the server has been told.
constexpr absl::Duration kGoodbye = absl::Milliseconds(500);
constexpr absl::Duration kStopperTimeout = absl::Seconds(5);
// The time that is added to the server's own time limit for a statement.
constexpr absl::Duration kGrace = absl::Seconds(10);

http::ClientOptions HttpOptions(const ClickHouseOptions& options) {
  http::ClientOptions made;
  made.ca_file = options.ca_file;
  made.certificate_file = options.certificate_file;
  made.key_file = options.key_file;
  made.proxy = options.proxy;
  made.compression = options.compression;
  made.max_connections = options.max_connections;
  made.connect_timeout = options.connect_timeout;
  return made;
}

std::vector<std::string> WithoutLastSlash(std::vector<std::string> urls) {
  for (std::string& url : urls) {
    while (url.ends_with('/')) url.pop_back();
  }
  return urls;
}

std::string NewQueryId() {
  std::random_device random;
  return absl::StrFormat("logquery-%08x%08x%08x%08x", random(), random(), random(), random());
}

std::shared_ptr<http::Client> MakeStopper(const ClickHouseOptions& options) {
  http::ClientOptions made = HttpOptions(options);
  made.connect_timeout = std::min(made.connect_timeout, kStopperTimeout);
  return std::make_shared<http::Client>(std::move(made));
}

// The pings of all hosts together take less time than a probe may (lib/backend/engine_probe.h).
absl::Duration PingTimeout(const ClickHouseOptions& options) {
  return std::min(options.connect_timeout, absl::Milliseconds(900) / static_cast<int64_t>(options.hosts.size()));
}

http::ClientOptions PingOptions(const ClickHouseOptions& options) {
  http::ClientOptions made = HttpOptions(options);
  made.max_connections = 1;
  made.connect_timeout = PingTimeout(options);
  return made;
}

absl::Status Ignore(const http::Head&, std::string_view) { return absl::OkStatus(); }

}  // namespace

Server::Server(const ClickHouseOptions& options)
    : options_(options),
      hosts_(WithoutLastSlash(options.hosts)),
      client_(HttpOptions(options)),
      stopper_(MakeStopper(options)),
      pinger_(PingOptions(options)) {}

void Server::SetSettings(std::string settings) {
  absl::MutexLock lock(&mutex_);
  settings_ = std::move(settings);
}

std::string Server::settings() const {
  absl::MutexLock lock(&mutex_);
  return settings_;
}

http::Request Server::RequestFor(size_t host, const std::string& query, std::string body) const {
  http::Request request;
  request.url = StrCat(hosts_.url(host), "/?database=", http::UrlEncoded(options_.database), query);
  request.headers = {{"X-ClickHouse-User", options_.user}, {"X-ClickHouse-Key", options_.password}};
  request.body = std::move(body);
  request.patience = options_.statement_timeout + kGrace;
  return request;
}

bool Server::IsThere(size_t host, const CancellationToken& cancellation) {
  http::Request request;
  request.method = "GET";
  request.url = StrCat(hosts_.url(host), "/ping");
  request.patience = options_.connect_timeout;
  const http::Outcome outcome = client_.Send(request, cancellation, Ignore);
  return outcome.status.ok() && outcome.head.status == 200;
}

absl::Status Server::Ping(const CancellationToken& cancellation) {
  std::string words;
  bool all_tls = true;
  for (const http::Hosts::Candidate& candidate : hosts_.Candidates(absl::Now())) {
    http::Request request;
    request.method = "GET";
    request.url = StrCat(hosts_.url(candidate.index), "/ping");
    request.patience = PingTimeout(options_);
    const http::Outcome outcome = pinger_.Send(request, cancellation, Ignore);
    if (outcome.status.ok() && outcome.head.status == 200) return absl::OkStatus();
    if (absl::IsCancelled(outcome.status)) return outcome.status;
    all_tls = all_tls && absl::IsFailedPrecondition(outcome.status);
    StrAppend(&words, words.empty() ? "" : "; ", hosts_.url(candidate.index), ": ",
              outcome.status.ok() ? StrCat("it answers /ping with ", outcome.head.status)
                                  : std::string(base::Message(outcome.status)));
  }
  return all_tls ? absl::FailedPreconditionError(words) : absl::UnavailableError(words);
}

void Server::Kill(size_t host, const std::string& query_id) {
  http::Request request = RequestFor(host, "", StrCat("KILL QUERY WHERE query_id = '", query_id, "' ASYNC"));
  request.patience = kStopperTimeout;
  const auto told = std::make_shared<absl::Notification>();
  absl::StatusOr<std::thread> thread = base::StartThread([stopper = stopper_, request = std::move(request), told] {
    // The response does not matter: the statement also ends by itself, because its connection is closed and its time is
    // limited.
    stopper->Send(request, CancellationToken(), Ignore);
    told->Notify();
  });
  if (!thread.ok()) return;
  thread->detach();
  told->WaitForNotificationWithTimeout(kGoodbye);
}

Server::Result Server::Run(const Statement& statement, const CancellationToken& cancellation, BatchSink& sink) {
  const absl::StatusOr<std::string> parameters = ParametersInUrl(statement.bindings);
  if (!parameters.ok()) return {parameters.status(), std::nullopt, "", false};
  const std::string query = StrCat("&default_format=RowBinaryWithNamesAndTypes", settings(),
                                   CommentInUrl(statement.tags.labels), *parameters);
  Result result;
  bool all_tls = true;
  for (const http::Hosts::Candidate& candidate : hosts_.Candidates(absl::Now())) {
    Result last;
    bool try_next = true;
    if (candidate.probe && !IsThere(candidate.index, cancellation)) {
      last.status =
          cancellation.IsCancelled() ? absl::CancelledError("the query wants no more rows") : LostConnection();
      last.words = "it does not answer /ping";
      try_next = absl::IsUnavailable(last.status);
    } else {
      last = RunOn(candidate.index, statement, query, cancellation, sink, &try_next);
    }
    all_tls = all_tls && last.is_tls;
    result.status = last.status;
    result.code = last.code;
    StrAppend(&result.words, result.words.empty() ? "" : "; ", hosts_.url(candidate.index), ": ", last.words);
    if (!try_next) {
      if (!absl::IsUnavailable(last.status) && !absl::IsCancelled(last.status)) hosts_.MarkUp(candidate.index);
      break;
    }
    hosts_.MarkDown(candidate.index, absl::Now());
  }
  result.is_tls = all_tls && !result.status.ok();
  return result;
}

Server::Result Server::RunOn(size_t host, const Statement& statement, const std::string& query,
                             const CancellationToken& cancellation, BatchSink& sink, bool* try_next) {
  RowReader reader(statement.schema, &sink);
  Answer answer(&reader);
  http::Outcome outcome;
  // A connection that is left from before may be gone, which only a request on it shows: a new one tells.
  for (const bool fresh : {false, true}) {
    const std::string id = NewQueryId();
    http::Request request = RequestFor(host, StrCat("&query_id=", id, query), statement.text);
    if (!statement.tags.traceparent.empty()) request.headers.emplace_back("traceparent", statement.tags.traceparent);
    request.fresh_connection = fresh;
    outcome = client_.Send(request, cancellation,
                           [&](const http::Head& head, std::string_view piece) { return answer.Take(head, piece); });
    if (outcome.was_sent && !outcome.status.ok()) Kill(host, id);
    const bool may_be_leftover = absl::IsUnavailable(outcome.status) && outcome.head.status == 0 && outcome.was_sent;
    if (!may_be_leftover || outcome.was_silent) break;
  }
  Result result;
  result.status = answer.Finish(outcome);
  result.code = answer.code();
  result.words = std::string(base::Message(outcome.status.ok() ? result.status : outcome.status));
  *try_next = false;
  if (absl::IsAborted(outcome.status)) {
    result.status = backend::Busy(base::Message(outcome.status));
    return result;
  }
  if (absl::IsFailedPrecondition(outcome.status) && !outcome.was_sent) {
    result.is_tls = true;
    result.status = LostConnection();
  }
  const bool was_lost = absl::IsUnavailable(outcome.status) && !answer.code().has_value() && !outcome.was_silent;
  *try_next = !reader.has_rows() && (was_lost || answer.is_busy() || result.is_tls);
  return result;
}

}  // namespace logquery::clickhouse
