#include <utility>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/store/log_store.h"
#include "shim/command/display.h"
#include "shim/command/retain_option.h"
#include "shim/serve/upkeep.h"

namespace logquery::shim {
namespace {

constexpr absl::Duration kRetainEvery = absl::Hours(1);

void LogRetained(const absl::StatusOr<RetainReport>& report, const IntakeLog& log) {
  if (!report.ok()) {
    if (!absl::IsCancelled(report.status())) log("error", base::StrCat("retention: ", base::Message(report.status())));
    return;
  }
  for (const RetainReport::Table& table : report->tables) {
    log("info", base::StrCat("retention: ", table.rows, " rows of ", table.table, " from before ",
                             absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", table.before, absl::UTCTimeZone()),
                             " are gone, by their ", table.by_size ? "size" : "age"));
  }
}

// nullptr: everything is kept.
absl::StatusOr<std::unique_ptr<BackgroundTask>> MakeRetention(const std::vector<std::string>& options,
                                                              const std::vector<std::string>& logs, LogStore* store,
                                                              const IntakeLog& log) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Retention> limits, ParseRetain(options, logs));
  if (limits.empty()) return nullptr;
  RetainRequest request;
  for (const Retention& limit : limits) request.rules.push_back({limit.log, limit.max_age, limit.max_bytes});
  return std::make_unique<BackgroundTask>(kRetainEvery, [=](const CancellationToken& stopping) mutable {
    // By the machine's clock, whatever time the queries are told.
    request.now = Clock::Real()->Now();
    request.cancellation = stopping;
    LogRetained(store->Retain(request), log);
  });
}

constexpr absl::Duration kClusterEvery = absl::Minutes(10);

std::unique_ptr<BackgroundTask> MakeClustering(int percent, LogStore* store, const IntakeLog& log) {
  ClusterRequest request;
  request.share = percent / 100.0;
  request.on_day = [log](const ClusteredDay& day) { log("info", base::StrCat("clustering: ", ClusteredText(day))); };
  return std::make_unique<BackgroundTask>(kClusterEvery, [=](const CancellationToken& stopping) mutable {
    request.now = Clock::Real()->Now();
    request.cancellation = stopping;
    const absl::Status status = store->Cluster(request).status();
    if (!status.ok() && !absl::IsCancelled(status)) log("error", base::StrCat("clustering: ", base::Message(status)));
  });
}

}  // namespace

std::string ClusteredText(const ClusteredDay& day) {
  return base::StrCat(WithCommas(day.rows), " rows of ", day.table, " on ",
                      absl::FormatTime("%Y-%m-%d", day.day, absl::UTCTimeZone()),
                      " are in the order of projects, after ", DurationText(day.time));
}

absl::StatusOr<std::vector<std::unique_ptr<BackgroundTask>>> MakeUpkeep(const ServeArguments& arguments,
                                                                        const std::vector<std::string>& logs,
                                                                        LogStore* store, const IntakeLog& log) {
  std::vector<std::unique_ptr<BackgroundTask>> tasks;
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<BackgroundTask> retention,
                            MakeRetention(arguments.retain, logs, store, log));
  if (retention != nullptr) tasks.push_back(std::move(retention));
  if (arguments.cluster_percent > 0) tasks.push_back(MakeClustering(arguments.cluster_percent, store, log));
  return tasks;
}

}  // namespace logquery::shim
