// Compiles the definitions of one set. An endpoint's SQL may read another endpoint by its name, like a table. Each
// endpoint is compiled once, after the endpoints that it reads.
//
//     DefinitionCompiler compiler(&catalog);
//     compiler.Add(&definition);                                                          // each of the set
//     LOGQUERY_ASSIGN_OR_RETURN(auto made, compiler.Compile("logs.all"));
//
// An endpoint that reads another one inherits its undeclared parameters, and its redaction if that is mandated, but no
// other settings. Not thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_DEFINITION_COMPILER_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_DEFINITION_COMPILER_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"

namespace logquery::endpoint {

// Checks that settings are in range and consistent, without looking at the query. InvalidArgument, with the endpoint's
// name.
absl::Status CheckSettings(const Endpoint& definition);

// The maximum length of a chain of endpoints in which each reads the next.
inline constexpr size_t kMaxEndpointsInARow = 16;

class DefinitionCompiler {
 public:
  using Made = std::shared_ptr<const RegisteredEndpoint>;

  // `catalog` is borrowed, also by the compiled endpoints.
  explicit DefinitionCompiler(const Catalog* catalog) : catalog_(catalog) {}

  // Adds a definition of the set, borrowed until the last Compile. Names must be distinct.
  void Add(const Endpoint* definition) { definitions_.emplace(definition->name, definition); }
  // Adds a definition whose settings can't be read. Endpoints that read it fail to compile.
  void AddBroken(const std::string& name) { broken_.insert(name); }
  // Adds a result of an earlier compilation against the same catalog. It is reused if neither its definition nor any
  // definition that it reads has changed.
  void Keep(Made before) { before_.emplace(before->definition().name, before); }

  // Returns the compiled endpoint. InvalidArgument: see EndpointRegistry::Create. An error of an endpoint is also the
  // error of every endpoint that reads it; ErrorDetails::source names the origin.
  absl::StatusOr<Made> Compile(const std::string& name);

 private:
  absl::StatusOr<Made> CompileNow(const Endpoint& definition);
  Made TakeOver(const Endpoint& definition);  // nullptr: it must be compiled
  absl::StatusOr<Made> CompileRead(std::string_view name);
  bool HasToBeCompiled(std::string_view name) const;
  absl::Status CheckChain(std::string_view next) const;

  const Catalog* const catalog_;
  std::map<std::string, const Endpoint*, std::less<>> definitions_;
  std::set<std::string, std::less<>> broken_;
  std::map<std::string, Made, std::less<>> before_;
  std::map<std::string, absl::StatusOr<Made>, std::less<>> made_;
  std::vector<std::string> reading_;  // the endpoints being compiled: each reads the next one
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_DEFINITION_COMPILER_H_
