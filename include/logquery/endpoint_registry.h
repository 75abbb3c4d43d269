// The endpoints that a service answers for: found by name or id, each parsed, resolved and checked when loaded.
//
//     auto registry = EndpointRegistry::Create(Endpoint::BuiltIn(), catalog);
//     const RegisteredEndpoint* endpoint = (*registry)->Find("logs.all");
//
// A registry never changes: a reload makes another one, and a bad definition makes none. Thread-safe.
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

namespace endpoint {
struct CompiledQuery;  // lib/endpoint/compiled_query.h
}

// A definition together with what was made of its query. Immutable; shared by the registries that took it over.
class RegisteredEndpoint {
 public:
  RegisteredEndpoint(Endpoint definition, Schema schema, uint64_t revision,
                     std::shared_ptr<const endpoint::CompiledQuery> compiled)
      : definition_(std::move(definition)),
        schema_(std::move(schema)),
        revision_(revision),
        compiled_(std::move(compiled)) {}

  const Endpoint& definition() const { return definition_; }
  // The columns of the result.
  const Schema& schema() const { return schema_; }
  // Another number for each definition that was ever resolved in this process: while it is the same, so is the endpoint.
  uint64_t revision() const { return revision_; }
  // For the library itself.
  const endpoint::CompiledQuery& compiled() const { return *compiled_; }

 private:
  const Endpoint definition_;
  const Schema schema_;
  const uint64_t revision_;
  const std::shared_ptr<const endpoint::CompiledQuery> compiled_;
};

class EndpointRegistry {
 public:
  // Parses and resolves every definition against `catalog`. InvalidArgument: two of one name or id, a name that is empty
  // or a UUID's form, an id that is no UUID, a setting out of range, SQL that does not parse or resolve (with the
  // endpoint's name, line and column), an @parameter that is not declared, a private CTE that the query has not.
  static absl::StatusOr<std::shared_ptr<const EndpointRegistry>> Create(std::vector<Endpoint> definitions,
                                                                        Catalog catalog);
  ~EndpointRegistry();

  // A registry of other definitions against the same catalog. Endpoints whose definition is the same are taken over with
  // their revision and all that was planned for them. Create's statuses.
  absl::StatusOr<std::shared_ptr<const EndpointRegistry>> With(std::vector<Endpoint> definitions) const;

  // By exact name, or by id in either case; nullptr when there is none.
  const RegisteredEndpoint* Find(std::string_view name_or_id) const;
  // In the order of their names.
  std::vector<const RegisteredEndpoint*> All() const;
  const Catalog& catalog() const;

 private:
  EndpointRegistry();
  // `previous`, which may be nullptr: the endpoints to take over.
  static absl::StatusOr<std::shared_ptr<const EndpointRegistry>> Make(std::vector<Endpoint> definitions,
                                                                      std::shared_ptr<const Catalog> catalog,
                                                                      const EndpointRegistry* previous);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_REGISTRY_H_
