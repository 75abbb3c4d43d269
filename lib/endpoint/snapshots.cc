#include "lib/endpoint/snapshots.h"

#include "lib/base/status_macros.h"

namespace logquery::endpoint {

absl::Status Snapshots::Reload() {
  const uint64_t version = backend_->CatalogVersion();
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, backend_->ReadCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const EndpointRegistry> registry,
                            EndpointRegistry::Create(endpoints_, std::move(catalog)));
  absl::MutexLock lock(&mutex_);
  last_ = std::make_shared<Snapshot>(std::move(registry), version, std::make_shared<PlanCache>(kMaxCachedTexts));
  return absl::OkStatus();
}

std::shared_ptr<Snapshot> Snapshots::Current() {
  std::shared_ptr<Snapshot> now = last();
  if (!IsOutdated(*now)) return now;
  absl::MutexLock lock(&renew_mutex_);
  now = last();
  const uint64_t version = backend_->CatalogVersion();
  if (version == now->catalog_version || version == refused_) return now;
  if (!Reload().ok()) refused_ = version;
  return last();
}

}  // namespace logquery::endpoint
