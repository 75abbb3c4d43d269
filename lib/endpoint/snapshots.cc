// Makes snapshots one at a time, and reports to the observer how each differs from the previous one.
#include "lib/endpoint/snapshots.h"

#include <iterator>

#include "lib/base/status_macros.h"
#include "lib/endpoint/compiled_query.h"
#include "lib/endpoint/replace_definitions.h"

namespace logquery::endpoint {
namespace {

std::vector<Endpoint> DefinitionsOf(const EndpointRegistry& registry) {
  std::vector<Endpoint> definitions;
  for (const RegisteredEndpoint* endpoint : registry.All()) definitions.push_back(endpoint->compiled().declared);
  return definitions;
}

void Compare(const EndpointRegistry& before, const EndpointRegistry& now, DefinitionsEvent& event) {
  for (const RegisteredEndpoint* endpoint : now.All()) {
    const std::string& name = endpoint->definition().name;
    const RegisteredEndpoint* const old = before.Find(name);
    if (old == nullptr) {
      event.added.push_back(name);
    } else if (!(old->definition() == endpoint->definition())) {
      event.changed.push_back(name);
    }
  }
  for (const RegisteredEndpoint* endpoint : before.All()) {
    if (now.Find(endpoint->definition().name) == nullptr) event.removed.push_back(endpoint->definition().name);
  }
}

}  // namespace

absl::StatusOr<EndpointSet> Snapshots::ReadDefinitions() const {
  EndpointSet set;
  if (source_ != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(set, source_->Read());
  }
  set.endpoints = ReplaceDefinitions(fixed_, std::move(set.endpoints));
  return set;
}

absl::StatusOr<std::shared_ptr<Snapshot>> Snapshots::Plan(EndpointSet set) const {
  const uint64_t version = backend_->CatalogVersion();
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, backend_->ReadCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const EndpointRegistry> registry,
                            EndpointRegistry::Create(std::move(set.endpoints), std::move(catalog)));
  return std::make_shared<Snapshot>(std::move(registry), version, std::move(set.revision),
                                    std::make_shared<PlanCache>(kMaxCachedTexts));
}

absl::Status Snapshots::Take(DefinitionsEvent::Cause cause, absl::StatusOr<std::shared_ptr<Snapshot>> made) {
  const std::shared_ptr<Snapshot> before = last();
  if (made.ok()) {
    absl::MutexLock lock(&mutex_);
    last_ = *made;
  }
  stayed_ = !made.ok();
  if (observer_ == nullptr || before == nullptr) return made.status();
  const Snapshot& now = made.ok() ? **made : *before;
  DefinitionsEvent event;
  event.cause = cause;
  event.status = made.status();
  event.revision = now.definitions;
  event.endpoints = static_cast<int64_t>(now.registry->All().size());
  Compare(*before->registry, *now.registry, event);
  observer_->OnDefinitions(event);
  return made.status();
}

absl::Status Snapshots::Reload() {
  absl::MutexLock lock(&renew_mutex_);
  absl::StatusOr<EndpointSet> set = ReadDefinitions();
  return Take(DefinitionsEvent::Cause::kAsked, set.ok() ? Plan(*std::move(set)) : set.status());
}

absl::Status Snapshots::TakeDefinitions() {
  constexpr auto kCause = DefinitionsEvent::Cause::kChanged;
  absl::MutexLock lock(&renew_mutex_);
  absl::StatusOr<EndpointSet> set = ReadDefinitions();
  if (!set.ok()) return Take(kCause, set.status());
  const std::shared_ptr<Snapshot> before = last();
  if (before != nullptr && before->definitions == set->revision) {
    // Whoever was told of a failure learns that it is over.
    return stayed_ ? Take(kCause, before) : absl::OkStatus();
  }
  if (before == nullptr || IsOutdated(*before)) return Take(kCause, Plan(*std::move(set)));
  absl::StatusOr<std::shared_ptr<const EndpointRegistry>> registry = before->registry->With(std::move(set->endpoints));
  if (!registry.ok()) return Take(kCause, registry.status());
  // Of the same catalog: callers' SQL stays planned too.
  return Take(kCause, std::make_shared<Snapshot>(*std::move(registry), before->catalog_version,
                                                 std::move(set->revision), before->callers_sql));
}

std::shared_ptr<Snapshot> Snapshots::Current() {
  std::shared_ptr<Snapshot> now = last();
  if (!IsOutdated(*now)) return now;
  absl::MutexLock lock(&renew_mutex_);
  now = last();
  const uint64_t version = backend_->CatalogVersion();
  if (version == now->catalog_version || version == refused_) return now;
  // The definitions that serve, not those that a source has meanwhile: they may be wrong.
  const absl::Status status =
      Take(DefinitionsEvent::Cause::kTables, Plan({DefinitionsOf(*now->registry), now->definitions}));
  if (!status.ok()) refused_ = version;
  return last();
}

}  // namespace logquery::endpoint
