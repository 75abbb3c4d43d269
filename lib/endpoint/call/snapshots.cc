// Makes snapshots one at a time, and reports to the observer how each differs from the previous one.
//
// A definition that the tables no longer fit takes only itself down. It is not the definition that is wrong then, so the
// others serve; a set with a wrong definition, however, replaces nothing.
#include "lib/endpoint/call/snapshots.h"

#include <algorithm>
#include <iterator>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/compiled_query.h"
#include "lib/endpoint/definitions/definition_compiler.h"
#include "lib/endpoint/definitions/replace_definitions.h"

namespace logquery::endpoint {
namespace {

// How many projects have their plans kept. Projects that see the same fields share them.
constexpr size_t kMaxProjects = 64;

std::vector<Endpoint> DefinitionsOf(const Snapshot& snapshot) {
  std::vector<Endpoint> definitions;
  for (const RegisteredEndpoint* endpoint : snapshot.registry->All()) {
    definitions.push_back(endpoint->compiled().declared);
  }
  for (const UnplannedEndpoint& endpoint : snapshot.unplanned) definitions.push_back(endpoint.definition);
  return definitions;
}

// Those of `definitions` that can't be planned for the catalog.
std::vector<UnplannedEndpoint> FindUnplanned(const std::vector<Endpoint>& definitions, const Catalog& catalog) {
  DefinitionCompiler compiler(&catalog);
  for (const Endpoint& definition : definitions) compiler.Add(&definition);
  std::vector<UnplannedEndpoint> unplanned;
  for (const Endpoint& definition : definitions) {
    const absl::StatusOr<DefinitionCompiler::Made> made = compiler.Compile(definition.name);
    if (!made.ok()) unplanned.push_back({definition, made.status()});
  }
  return unplanned;
}

// OK: all are planned.
absl::Status StatusOf(const Snapshot& snapshot) {
  if (snapshot.unplanned.empty()) return absl::OkStatus();
  std::string reasons;
  for (const UnplannedEndpoint& endpoint : snapshot.unplanned) {
    base::StrAppend(&reasons, reasons.empty() ? "" : "; ", base::Message(endpoint.reason));
  }
  return absl::UnavailableError(base::StrCat("not for the tables as they are: ", reasons));
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

absl::StatusOr<std::shared_ptr<Snapshot>> Snapshots::Plan(const EndpointSet& set, bool served) const {
  const uint64_t version = backend_->CatalogVersion();
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, backend_->ReadCatalog());
  return PlanFor(set, std::move(catalog), version, served);
}

absl::StatusOr<std::shared_ptr<Snapshot>> Snapshots::PlanFor(const EndpointSet& set, Catalog catalog, uint64_t version,
                                                             bool served) const {
  absl::StatusOr<std::shared_ptr<const EndpointRegistry>> registry = EndpointRegistry::Create(set.endpoints, catalog);
  std::vector<UnplannedEndpoint> unplanned;
  if (!registry.ok() && (served || by_project_ != nullptr)) {
    unplanned = endpoint::FindUnplanned(set.endpoints, catalog);
    std::vector<Endpoint> planned, failed;
    for (const Endpoint& definition : set.endpoints) {
      const auto is_it = [&](const UnplannedEndpoint& endpoint) { return endpoint.definition.name == definition.name; };
      const bool fails = std::any_of(unplanned.begin(), unplanned.end(), is_it);
      (fails ? failed : planned).push_back(definition);
    }
    if (!served) {
      LOGQUERY_ASSIGN_OR_RETURN(const Catalog declared, by_project_->ReadDeclaredCatalog());
      for (const UnplannedEndpoint& wrong : endpoint::FindUnplanned(set.endpoints, declared)) {
        const auto is_it = [&](const Endpoint& definition) { return definition.name == wrong.definition.name; };
        if (std::any_of(failed.begin(), failed.end(), is_it)) return registry.status();
      }
    }
    if (!failed.empty()) registry = EndpointRegistry::Create(std::move(planned), std::move(catalog));
  }
  LOGQUERY_RETURN_IF_ERROR(registry.status());
  return std::make_shared<Snapshot>(*std::move(registry), version, set.revision,
                                    std::make_shared<PlanCache>(kMaxCachedTexts), std::move(unplanned));
}

absl::Status Snapshots::Take(DefinitionsEvent::Cause cause, absl::StatusOr<std::shared_ptr<Snapshot>> made) {
  const std::shared_ptr<Snapshot> before = last();
  if (made.ok()) {
    absl::MutexLock lock(&mutex_);
    last_ = *made;
  }
  if (cause != DefinitionsEvent::Cause::kTables) definitions_state_ = made.status();
  absl::Status state = made.ok() ? StatusOf(**made) : made.status();
  if (made.ok() && !state.ok()) cause = DefinitionsEvent::Cause::kTables;
  if (state.ok() && !definitions_state_.ok()) {
    // The tables changed, and the newest definitions are still refused.
    if (before->unplanned.empty()) return made.status();
    state = definitions_state_;
    cause = DefinitionsEvent::Cause::kChanged;
  }
  if (observer_ == nullptr || (before == nullptr && (state.ok() || !made.ok()))) return made.status();
  const Snapshot& now = made.ok() ? **made : *before;
  DefinitionsEvent event;
  event.cause = cause;
  event.status = state;
  event.revision = now.definitions;
  event.endpoints = static_cast<int64_t>(now.registry->All().size());
  if (before != nullptr) Compare(*before->registry, *now.registry, event);
  observer_->OnDefinitions(event);
  return made.status();
}

absl::Status Snapshots::Reload() {
  absl::MutexLock lock(&renew_mutex_);
  absl::StatusOr<EndpointSet> set = ReadDefinitions();
  return Take(DefinitionsEvent::Cause::kAsked, set.ok() ? Plan(*set, false) : set.status());
}

absl::Status Snapshots::TakeDefinitions() {
  constexpr auto kCause = DefinitionsEvent::Cause::kChanged;
  absl::MutexLock lock(&renew_mutex_);
  absl::StatusOr<EndpointSet> set = ReadDefinitions();
  if (!set.ok()) return Take(kCause, set.status());
  const std::shared_ptr<Snapshot> before = last();
  if (before != nullptr && before->definitions == set->revision) {
    // Whoever was told of a failure learns that it is over.
    return definitions_state_.ok() ? absl::OkStatus() : Take(kCause, before);
  }
  if (before == nullptr || IsOutdated(*before) || !before->unplanned.empty()) {
    return Take(kCause, Plan(*set, false));
  }
  absl::StatusOr<std::shared_ptr<const EndpointRegistry>> registry = before->registry->With(std::move(set->endpoints));
  if (!registry.ok()) return Take(kCause, registry.status());
  // The catalog is the same, so callers' SQL stays planned too.
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
      Take(DefinitionsEvent::Cause::kTables, Plan({DefinitionsOf(*now), now->definitions}, true));
  if (!status.ok()) refused_ = version;
  return last();
}

std::shared_ptr<Snapshot> Snapshots::Current(const std::optional<std::string>& project) {
  std::shared_ptr<Snapshot> whole = Current();
  if (!project.has_value() || by_project_ == nullptr) return whole;
  absl::MutexLock lock(&projects_mutex_);
  const auto found = projects_.find(*project);
  if (found != projects_.end() && found->second.whole == whole) {
    found->second.used = ++uses_;
    return found->second.snapshot;
  }
  std::shared_ptr<Snapshot> made = PlanForProject(*project, whole);
  if (made == nullptr) return whole;
  projects_[*project] = {made, std::move(whole), ++uses_};
  if (projects_.size() > kMaxProjects) {
    const auto older = [](const auto& a, const auto& b) { return a.second.used < b.second.used; };
    projects_.erase(std::min_element(projects_.begin(), projects_.end(), older));
  }
  return made;
}

// nullptr: the backend's tables can't be read.
std::shared_ptr<Snapshot> Snapshots::PlanForProject(const std::string& project,
                                                    const std::shared_ptr<Snapshot>& whole) {
  absl::StatusOr<Catalog> catalog = by_project_->ReadCatalogFor(project);
  if (!catalog.ok()) return nullptr;
  const uint64_t revision = catalog->revision();
  if (revision == whole->registry->catalog().revision()) return whole;
  for (const auto& [name, other] : projects_) {
    if (other.snapshot->registry->catalog().revision() != revision) continue;
    if (other.whole == whole) return other.snapshot;
    // The tables changed for others alone: the plans stay, and so do the answers that are cached.
    const bool same = name == project && DefinitionsOf(*other.whole) == DefinitionsOf(*whole);
    if (!same) continue;
    return std::make_shared<Snapshot>(other.snapshot->registry, whole->catalog_version, whole->definitions,
                                      other.snapshot->callers_sql, other.snapshot->unplanned);
  }
  absl::StatusOr<std::shared_ptr<Snapshot>> made =
      PlanFor({DefinitionsOf(*whole), whole->definitions}, *std::move(catalog), whole->catalog_version, true);
  return made.ok() ? *std::move(made) : nullptr;
}

}  // namespace logquery::endpoint
