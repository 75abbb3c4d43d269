// The endpoints that a service offers, found by name or id. Each is parsed, resolved and checked when it is loaded.
//
//     auto registry = EndpointRegistry::Create(Endpoint::BuiltIn(), catalog);
//     const RegisteredEndpoint* endpoint = (*registry)->Find("logs.all");
//
// A registry is immutable: a reload creates a new one, and fails as a whole if a definition is bad. Thread-safe.
#ifndef LOGQUERY_ENDPOINT_REGISTRY_H_
#define LOGQUERY_ENDPOINT_REGISTRY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"

namespace logquery {

// A definition with its compiled query. Immutable; several registries may share one.
class RegisteredEndpoint {
 public:
  struct Compiled;  // internal to the library

  RegisteredEndpoint(Endpoint definition, Schema schema, uint64_t revision, std::shared_ptr<const Compiled> compiled)
      : definition_(std::move(definition)),
        schema_(std::move(schema)),
        revision_(revision),
        compiled_(std::move(compiled)) {}

  const Endpoint& definition() const { return definition_; }
  // The result's columns.
  const Schema& schema() const { return schema_; }
  // Unique to each definition resolved in this process: an equal revision means the same endpoint.
  uint64_t revision() const { return revision_; }
  // For the library's own use.
  const Compiled& compiled() const { return *compiled_; }

 private:
  const Endpoint definition_;
  const Schema schema_;
  const uint64_t revision_;
  const std::shared_ptr<const Compiled> compiled_;
};

class EndpointRegistry {
 public:
  // Parses and resolves every definition against `catalog`. InvalidArgument: two definitions have the same name or id;
  // a name is empty or has the form of a UUID; an id is not a UUID; a setting is out of range; SQL does not parse or
  // resolve (the message has the endpoint's name, line and column); an @parameter is not declared; a private CTE is not
  // in the query.
  static absl::StatusOr<std::shared_ptr<const EndpointRegistry>> Create(std::vector<Endpoint> definitions,
                                                                        Catalog catalog);
  ~EndpointRegistry();

  // Returns a registry of other definitions against the same catalog. Endpoints whose definition is unchanged are
  // shared, with their revision and their cached plans. Statuses: those of Create.
  absl::StatusOr<std::shared_ptr<const EndpointRegistry>> With(std::vector<Endpoint> definitions) const;

  // Returns the endpoint with exactly this name, or with this id in either case; nullptr if there is none. Owned by the
  // registry.
  const RegisteredEndpoint* Find(std::string_view name_or_id) const;
  // Returns all endpoints, ordered by name.
  std::vector<const RegisteredEndpoint*> All() const;
  const Catalog& catalog() const;

 private:
  EndpointRegistry();
  // `previous`: the registry to share unchanged endpoints with; may be nullptr.
  static absl::StatusOr<std::shared_ptr<const EndpointRegistry>> Make(std::vector<Endpoint> definitions,
                                                                      std::shared_ptr<const Catalog> catalog,
                                                                      const EndpointRegistry* previous);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_REGISTRY_H_
