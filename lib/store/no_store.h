// The store of a backend that accepts no logs.
#ifndef LOGQUERY_LIB_STORE_NO_STORE_H_
#define LOGQUERY_LIB_STORE_NO_STORE_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

class NoStore : public LogStore {
 public:
  // Every call returns Unimplemented with the message `reason`.
  explicit NoStore(std::string reason) : reason_(std::move(reason)) {}

  absl::StatusOr<LoadReport> Load(const LoadRequest&, const std::function<void(const LoadProgress&)>&) override {
    return absl::UnimplementedError(reason_);
  }
  absl::StatusOr<LoadReport> Append(const AppendRequest&) override { return absl::UnimplementedError(reason_); }
  absl::StatusOr<bool> HasBatch(const std::string&, const std::string&) override {
    return absl::UnimplementedError(reason_);
  }
  absl::StatusOr<std::vector<EventOutcome>> AppendEvents(const EventBatch&) override {
    return absl::UnimplementedError(reason_);
  }
  absl::StatusOr<RetainReport> Retain(const RetainRequest&) override { return absl::UnimplementedError(reason_); }
  absl::StatusOr<ClusterReport> Cluster(const ClusterRequest&) override { return absl::UnimplementedError(reason_); }
  absl::StatusOr<EraseReport> Erase(const EraseRequest&) override { return absl::UnimplementedError(reason_); }
  absl::Status Checkpoint() override { return absl::UnimplementedError(reason_); }

 private:
  const std::string reason_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_NO_STORE_H_
