// Composes what a server does to its folder beside answering: retention, and clustering of past days.
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/store/log_store.h"
#include "shim/cli/serve/retain_option.h"
#include "shim/cli/serve/upkeep.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

constexpr absl::Duration kRetainEvery = absl::Hours(1);

// A task that failed, unless the server stops.
void LogFailure(std::string_view task, const absl::Status& status, const IntakeLog& log, UpkeepCounters& counters) {
  if (status.ok() || absl::IsCancelled(status)) return;
  ++counters.failures;
  log("error", base::StrCat(task, ": ", base::Message(status)));
}

std::string TimeText(absl::Time time) { return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone()); }

void LogRetained(const absl::StatusOr<RetainReport>& report, absl::Time now, const IntakeLog& log,
                 UpkeepCounters& counters) {
  if (!report.ok()) return LogFailure("retention", report.status(), log, counters);
  if (report->held_back.has_value()) {
    ++counters.failures;
    log("error", base::StrCat("retention: no rows are deleted by their age, because the machine's clock, ",
                              TimeText(now), ", is more than 3 days after the last time that the folder has recorded, ",
                              TimeText(*report->held_back), ": set the clock, or, if it is right, confirm it with ",
                              "--confirm-clock ", absl::FormatTime("%Y-%m-%d", now, absl::UTCTimeZone())));
  }
  for (const RetainReport::Table& table : report->tables) {
    counters.retained_rows += table.rows;
    const std::string why =
        table.by_size ? base::StrCat("by size: ", table.projects, " of its projects took more than their share")
                      : std::string("by their age");
    log("info", base::StrCat("retention: ", table.rows, " rows of ", table.table, " from before ",
                             TimeText(table.before), " are gone, ", why));
  }
  if (report->rejected_events > 0) {
    log("info", base::StrCat("retention: ", report->rejected_events, " rejected events are gone, by their age"));
  }
}

// `limits` are those of the command line. What a log is declared with counts before the limit of all logs, and after one of its
// own.
std::vector<RetentionRule> RulesOf(const std::vector<Retention>& limits, const std::vector<RetentionRule>& declared) {
  std::vector<RetentionRule> rules = declared;
  for (const Retention& limit : limits) {
    const auto same = std::find_if(rules.begin(), rules.end(), [&](const RetentionRule& rule) {
      return base::EqualsIgnoreCase(rule.table, limit.log);
    });
    if (same != rules.end() && !limit.named) continue;
    const RetentionRule rule{limit.log, limit.max_age, limit.max_bytes};
    if (same == rules.end()) {
      rules.push_back(rule);
    } else {
      *same = rule;
    }
  }
  return rules;
}

std::unique_ptr<BackgroundTask> MakeRetention(const std::shared_ptr<const UpkeepSettings>& settings, LogStore* store,
                                              const IntakeLog& log, const DeclaredRetention& declared,
                                              const std::shared_ptr<UpkeepCounters>& counters) {
  return std::make_unique<BackgroundTask>(kRetainEvery, [=](const CancellationToken& stopping) {
    RetainRequest request;
    const absl::StatusOr<std::vector<Retention>> limits = settings->limits();
    // By the machine's clock, whatever time the queries are told.
    request.now = Clock::Real()->Now();
    if (!limits.ok()) return LogRetained(limits.status(), request.now, log, *counters);
    request.rules = RulesOf(*limits, declared ? declared() : std::vector<RetentionRule>());
    request.clock_is_confirmed = settings->confirms_clock(request.now);
    request.cancellation = stopping;
    LogRetained(store->Retain(request), request.now, log, *counters);
  });
}

constexpr absl::Duration kClusterEvery = absl::Minutes(10);

std::unique_ptr<BackgroundTask> MakeClustering(const std::shared_ptr<const UpkeepSettings>& settings, LogStore* store,
                                               const IntakeLog& log, const std::shared_ptr<UpkeepCounters>& counters) {
  return std::make_unique<BackgroundTask>(kClusterEvery, [=](const CancellationToken& stopping) {
    const int percent = settings->cluster_percent();
    if (percent == 0) return;
    ClusterRequest request;
    request.share = percent / 100.0;
    request.on_day = [log, counters](const ClusteredDay& day) {
      counters->clustered_rows += day.rows;
      log("info", base::StrCat("clustering: ", ClusteredText(day)));
    };
    request.now = Clock::Real()->Now();
    request.cancellation = stopping;
    LogFailure("clustering", store->Cluster(request).status(), log, *counters);
  });
}

}  // namespace

std::string ClusteredText(const ClusteredDay& day) {
  return base::StrCat(WithCommas(day.rows), " rows of ", day.table, " on ",
                      absl::FormatTime("%Y-%m-%d", day.day, absl::UTCTimeZone()),
                      " are in the order of projects, after ", DurationText(day.time));
}

absl::StatusOr<std::shared_ptr<UpkeepSettings>> UpkeepSettings::Create(const ServeArguments& arguments, LogNames logs) {
  std::shared_ptr<UpkeepSettings> settings(new UpkeepSettings(std::move(logs)));
  LOGQUERY_RETURN_IF_ERROR(settings->Change(arguments));
  return settings;
}

absl::Status UpkeepSettings::Change(const ServeArguments& arguments) {
  LOGQUERY_RETURN_IF_ERROR(ParseRetain(arguments.retain, logs_()).status());
  LOGQUERY_RETURN_IF_ERROR(ConfirmsClock(arguments.confirm_clock, absl::UnixEpoch()).status());
  absl::MutexLock lock(&mutex_);
  retain_ = arguments.retain;
  confirm_clock_ = arguments.confirm_clock;
  cluster_percent_ = arguments.cluster_percent;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Retention>> UpkeepSettings::limits() const {
  std::vector<std::string> retain;
  {
    absl::MutexLock lock(&mutex_);
    retain = retain_;
  }
  return ParseRetain(retain, logs_());
}

bool UpkeepSettings::confirms_clock(absl::Time now) const {
  absl::MutexLock lock(&mutex_);
  return ConfirmsClock(confirm_clock_, now).value_or(false);
}

int UpkeepSettings::cluster_percent() const {
  absl::MutexLock lock(&mutex_);
  return cluster_percent_;
}

std::vector<std::unique_ptr<BackgroundTask>> MakeUpkeep(const std::shared_ptr<const UpkeepSettings>& settings,
                                                        LogStore* store, const IntakeLog& log,
                                                        const DeclaredRetention& declared,
                                                        const std::shared_ptr<UpkeepCounters>& counters) {
  std::vector<std::unique_ptr<BackgroundTask>> tasks;
  tasks.push_back(MakeRetention(settings, store, log, declared, counters));
  tasks.push_back(MakeClustering(settings, store, log, counters));
  return tasks;
}

}  // namespace logquery::shim
