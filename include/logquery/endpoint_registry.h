// The endpoints that a service answers for: found by name or id, each parsed, resolved and checked when loaded.
//
//     auto registry = EndpointRegistry::Create(Endpoint::BuiltIn(), catalog);
//     const RegisteredEndpoint* endpoint = (*registry)->Find("logs.all");
//
// A registry never changes: a reload makes another one, and a bad definition makes none. Thread-safe.
#ifndef LOGQUERY_ENDPOINT_REGISTRY_H_
#define LOGQUERY_ENDPOINT_REGISTRY_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"

namespace logquery {

// A definition together with what was made of its query. Lives as long as its registry.
class RegisteredEndpoint {
 public:
  virtual ~RegisteredEndpoint() = default;
  const Endpoint& definition() const { return definition_; }
  // The columns of the result.
  const Schema& schema() const { return schema_; }

 protected:
  RegisteredEndpoint() = default;
  Endpoint definition_;
  Schema schema_;
};

class EndpointRegistry {
 public:
  // Parses and resolves every definition against `catalog`. InvalidArgument: two of one name or id, a name that is empty
  // or a UUID's form, an id that is no UUID, a setting out of range, SQL that does not parse or resolve (with the
  // endpoint's name, line and column), an @parameter that is not declared, a private CTE that the query has not.
  static absl::StatusOr<std::shared_ptr<const EndpointRegistry>> Create(std::vector<Endpoint> definitions,
                                                                        Catalog catalog);
  ~EndpointRegistry();

  // By exact name, or by id in either case; nullptr when there is none.
  const RegisteredEndpoint* Find(std::string_view name_or_id) const;
  // In the order of their names.
  std::vector<const RegisteredEndpoint*> All() const;
  const Catalog& catalog() const;

 private:
  EndpointRegistry();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_REGISTRY_H_
