// Two background tasks: clustering can take hours, which must not delay retention.
#include "logquery/serving/maintenance.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/background_task.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/serving/store/maintenance_lines.h"
#include "lib/serving/store/retention_rules.h"
#include "logquery/cancellation.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/log_store.h"

namespace logquery {
namespace {

absl::Status CheckRules(const MaintenanceRules& rules, DuckDbBackend& backend) {
  if (!(rules.cluster_share >= 0 && rules.cluster_share <= 1)) {
    return absl::InvalidArgumentError(
        base::StrCat("cluster_share is ", rules.cluster_share, "; it must be from 0 to 1"));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend.ReadCatalog());
  return serving::CheckRetention(rules.retention, catalog);
}

bool IsConfirmed(const MaintenanceRules& rules, absl::Time now) {
  if (!rules.clock_confirmed_on.has_value()) return false;
  const absl::Duration day = absl::Hours(24);
  const absl::Time midnight = absl::UnixEpoch() + absl::Floor(*rules.clock_confirmed_on - absl::UnixEpoch(), day);
  return now >= midnight - day && now < midnight + 2 * day;
}

class MaintenanceImpl : public Maintenance {
 public:
  MaintenanceImpl(DuckDbBackend* backend, MaintenanceOptions options)
      : backend_(backend),
        clock_(options.clock),
        log_(std::move(options.log)),
        rules_(std::move(options.rules)),
        retention_(options.retain_every, [this](const CancellationToken& stopping) { Retain(stopping); }),
        clustering_(options.cluster_every, [this](const CancellationToken& stopping) { Cluster(stopping); }) {}
  ~MaintenanceImpl() override { Stop(); }

  absl::Status Start() override {
    absl::Status status = retention_.Start();
    if (status.ok()) status = clustering_.Start();
    if (!status.ok()) Stop();
    return status;
  }

  void Stop() override {
    retention_.Stop();
    clustering_.Stop();
  }

  absl::Status Change(const MaintenanceRules& rules) override {
    LOGQUERY_RETURN_IF_ERROR(CheckRules(rules, *backend_));
    absl::MutexLock lock(&mutex_);
    rules_ = rules;
    return absl::OkStatus();
  }

  Counters counters() const override {
    absl::MutexLock lock(&mutex_);
    return counters_;
  }

 private:
  MaintenanceRules rules() const {
    absl::MutexLock lock(&mutex_);
    return rules_;
  }

  void Log(std::string_view level, const std::string& line) const {
    if (log_) log_(level, line);
  }

  void Count(int64_t Counters::*counter, int64_t by) {
    absl::MutexLock lock(&mutex_);
    counters_.*counter += by;
  }

  void Fail(const std::string& line) {
    Count(&Counters::failures, 1);
    Log("error", line);
  }

  // A run that Stop cancelled did not fail.
  void FailUnlessStopped(std::string_view task, const absl::Status& status) {
    if (!status.ok() && !absl::IsCancelled(status)) Fail(base::StrCat(task, ": ", base::Message(status)));
  }

  absl::StatusOr<RetainReport> RetainAt(absl::Time now, const CancellationToken& stopping) {
    const MaintenanceRules rules = this->rules();
    LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend_->ReadCatalog());
    RetainRequest request;
    request.rules = serving::RulesOfLogs(rules.retention, backend_->DeclaredRetention(), catalog);
    request.now = now;
    request.clock_is_confirmed = IsConfirmed(rules, now);
    request.cancellation = stopping;
    return backend_->store().Retain(request);
  }

  void Retain(const CancellationToken& stopping) {
    const absl::Time now = clock_->Now();
    const absl::StatusOr<RetainReport> report = RetainAt(now, stopping);
    if (!report.ok()) return FailUnlessStopped("retention", report.status());
    if (report->held_back.has_value()) {
      Fail(base::StrCat("retention: ", serving::HeldBackText(now, *report->held_back)));
    }
    Count(&Counters::retained_rows, report->rows);
    for (const RetainReport::Table& table : report->tables) {
      Log("info", base::StrCat("retention: ", serving::RetainedText(table)));
    }
    if (report->rejected_events > 0) {
      Log("info", base::StrCat("retention: ", base::Counted(report->rejected_events, "rejected event"),
                               report->rejected_events == 1 ? " is gone, by its age" : " are gone, by their age"));
    }
  }

  void Cluster(const CancellationToken& stopping) {
    ClusterRequest request;
    request.share = rules().cluster_share;
    if (request.share <= 0) return;
    request.now = clock_->Now();
    request.cancellation = stopping;
    request.on_day = [this](const ClusteredDay& day) {
      Count(&Counters::clustered_rows, day.rows);
      Log("info", base::StrCat("clustering: ", serving::ClusteredText(day)));
    };
    FailUnlessStopped("clustering", backend_->store().Cluster(request).status());
  }

  DuckDbBackend* const backend_;
  const Clock* const clock_;
  const std::function<void(std::string_view level, std::string_view line)> log_;
  mutable absl::Mutex mutex_;
  MaintenanceRules rules_ ABSL_GUARDED_BY(mutex_);
  Counters counters_ ABSL_GUARDED_BY(mutex_);
  base::BackgroundTask retention_;
  base::BackgroundTask clustering_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Maintenance>> Maintenance::Create(DuckDbBackend* backend, MaintenanceOptions options) {
  if (backend == nullptr || options.clock == nullptr) {
    return absl::InvalidArgumentError("maintenance needs a backend and a clock");
  }
  LOGQUERY_RETURN_IF_ERROR(CheckRules(options.rules, *backend));
  return std::make_unique<MaintenanceImpl>(backend, std::move(options));
}

}  // namespace logquery
