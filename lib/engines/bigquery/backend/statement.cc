// jobs.query returns the job's name at once and, if the job completes in time, its first rows.
#include "lib/engines/bigquery/backend/statement.h"

#include <map>
#include <random>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/synchronization/notification.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/engines/bigquery/backend/parameters.h"

namespace logquery::bigquery {
namespace {

using base::Json;
using base::StrAppend;
using base::StrCat;

// kPoll is the time that one request waits for the job at the service.
constexpr size_t kMaxLabels = 64;
constexpr absl::Duration kPoll = absl::Seconds(10);
constexpr absl::Duration kGrace = absl::Seconds(20);
// The time that a call that gives up waits until the service has been told.
constexpr absl::Duration kGoodbye = absl::Milliseconds(500);
constexpr absl::Duration kStopperPatience = absl::Seconds(5);

std::string NewRequestId() {
  std::random_device random;
  return absl::StrFormat("%08x%08x%08x%08x", random(), random(), random(), random());
}

// Returns the id of the job that has the body's requestId, without waiting for the job.
std::string JobOf(Service& service, ApiCall start) {
  Json body = base::TryReadJson(start.body).value_or(nullptr);
  if (!body.is_object()) return "";
  body["timeoutMs"] = 0;
  start.body = body.ToString();
  start.patience = kStopperPatience;
  const ApiReply reply = service.Send(start, CancellationToken());
  const Json answer = base::TryReadJson(reply.body).value_or(nullptr);
  const Json none = Json::object();
  const Json job = answer.is_object() ? answer.value("jobReference", none) : none;
  const auto id = job.is_object() ? job.find("jobId") : job.end();
  return id != job.end() && id->is_string() ? id->get<std::string>() : "";
}

}  // namespace

absl::StatusOr<std::string> Statement::Body(const std::string& text, const Bindings& bindings, bool dry_run) const {
  if (!base::IsValidUtf8(text)) return absl::InvalidArgumentError("the query is not UTF-8, which BigQuery is not sent");
  Json body = {{"query", text},
               {"useLegacySql", false},
               {"maxResults", options_.page_rows},
               {"timeoutMs", absl::ToInt64Milliseconds(std::min(kPoll, options_.statement_timeout))},
               {"jobTimeoutMs", StrCat(absl::ToInt64Milliseconds(options_.statement_timeout))},
               {"formatOptions", {{"useInt64Timestamp", true}}},
               {"requestId", NewRequestId()}};
  if (!bindings.empty()) {
    body["parameterMode"] = "NAMED";
    LOGQUERY_ASSIGN_OR_RETURN(body["queryParameters"], QueryParameters(bindings));
  }
  if (options_.max_bytes_billed > 0) body["maximumBytesBilled"] = StrCat(options_.max_bytes_billed);
  // BigQuery takes 64 labels.
  std::map<std::string, std::string> labels(options_.labels.begin(), options_.labels.end());
  for (const auto& [key, value] : tags_.labels) {
    if (labels.size() < kMaxLabels) labels.emplace(key, value);
  }
  if (!labels.empty()) body["labels"] = labels;
  if (!options_.location.empty()) body["location"] = options_.location;
  if (dry_run) body["dryRun"] = true;
  return body.ToString();
}

ApiReply Statement::DryRun(const std::string& text) {
  absl::StatusOr<std::string> body = Body(text, {}, true);
  ApiReply reply;
  reply.status = body.status();
  if (!body.ok()) return reply;
  return service_->Send(
      {"POST", StrCat(http::UrlEncoded(options_.project), "/queries"), *std::move(body), kPoll + kGrace},
      CancellationToken());
}

absl::Status Statement::Run(const std::string& text, const Bindings& bindings, const Schema& schema,
                            const CancellationToken& cancellation, BatchSink& sink) {
  LOGQUERY_ASSIGN_OR_RETURN(start_.body, Body(text, bindings, false));
  start_.method = "POST";
  start_.path = StrCat(http::UrlEncoded(options_.project), "/queries");
  start_.patience = kPoll + kGrace;
  start_.traceparent = tags_.traceparent;
  PageReader pages(schema, &sink);
  absl::Status status = Read(pages, cancellation);
  // A job whose rows come is done; one that may run yet costs slots, and money.
  if (!status.ok() && !pages.is_complete() && may_run_) Stop(pages);
  if (!pages.refused().ok()) return pages.refused();
  return status;
}

absl::Status Statement::Read(PageReader& pages, const CancellationToken& cancellation) {
  const absl::Duration begin = Clock::Real()->Monotonic();
  LOGQUERY_RETURN_IF_ERROR(Fetch(start_, pages, cancellation));
  while (!pages.is_complete() || !pages.page_token().empty()) {
    if (pages.job_id().empty()) return absl::InternalError("an answer of BigQuery does not name its job");
    if (!pages.is_complete() && Clock::Real()->Monotonic() - begin > options_.statement_timeout + kGrace) {
      return absl::DeadlineExceededError("BigQuery has not ended a statement at its time limit");
    }
    LOGQUERY_RETURN_IF_ERROR(Fetch(ResultsCall(pages), pages, cancellation));
  }
  return pages.Finish();
}

absl::Status Statement::Fetch(const ApiCall& call, PageReader& pages, const CancellationToken& cancellation) {
  const ApiReply reply = service_->Send(call, cancellation);
  may_run_ = may_run_ || reply.may_have_come;
  if (reply.status.ok()) return pages.Add(reply.body);
  // The service has told how the job has ended.
  if (reply.error.http != 0 && !IsTransient(reply.error)) may_run_ = false;
  return reply.status;
}

ApiCall Statement::ResultsCall(const PageReader& pages) const {
  ApiCall call;
  call.path = StrCat(http::UrlEncoded(options_.project), "/queries/", http::UrlEncoded(pages.job_id()),
                     "?maxResults=", options_.page_rows, "&timeoutMs=", absl::ToInt64Milliseconds(kPoll),
                     "&formatOptions.useInt64Timestamp=true");
  if (!pages.location().empty()) StrAppend(&call.path, "&location=", http::UrlEncoded(pages.location()));
  if (!pages.page_token().empty()) StrAppend(&call.path, "&pageToken=", http::UrlEncoded(pages.page_token()));
  call.patience = kPoll + kGrace;
  return call;
}

void Statement::Stop(const PageReader& pages) {
  const auto told = std::make_shared<absl::Notification>();
  std::string location = pages.location().empty() ? options_.location : pages.location();
  absl::StatusOr<std::thread> thread =
      base::StartThread([stopper = stopper_, start = start_, id = pages.job_id(), location = std::move(location),
                         project = options_.project, told]() mutable {
        // The response does not matter, because the job also ends by itself at its time limit.
        if (id.empty()) id = JobOf(*stopper, std::move(start));
        if (!id.empty()) {
          ApiCall cancel;
          cancel.method = "POST";
          cancel.path = StrCat(http::UrlEncoded(project), "/jobs/", http::UrlEncoded(id), "/cancel");
          if (!location.empty()) StrAppend(&cancel.path, "?location=", http::UrlEncoded(location));
          cancel.patience = kStopperPatience;
          stopper->Send(cancel, CancellationToken());
        }
        told->Notify();
      });
  if (!thread.ok()) return;
  thread->detach();
  told->WaitForNotificationWithTimeout(kGoodbye);
}

}  // namespace logquery::bigquery
