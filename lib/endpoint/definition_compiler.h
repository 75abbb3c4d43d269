// Compiles the definitions of one set, which may read one another's rows: an endpoint's name stands as a table in the SQL of
// another one. Each is compiled once, and after those that it reads.
//
//     DefinitionCompiler compiler(&catalog);
//     compiler.Add(&definition);                                                          // each of the set
//     LOGQUERY_ASSIGN_OR_RETURN(auto made, compiler.Compile("logs.all"));
//
// What reads another endpoint gets that one's parameters, as far as it does not declare them itself; its redaction where that is
// mandated; and none of its other settings. Not thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITION_COMPILER_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITION_COMPILER_H_

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

// Settings that are out of range, or don't go together; the query is not looked at. InvalidArgument, with the endpoint's name.
absl::Status CheckSettings(const Endpoint& definition);

// How long a chain of endpoints may be in which each reads the next one.
inline constexpr size_t kMaxEndpointsInARow = 16;

class DefinitionCompiler {
 public:
  using Made = std::shared_ptr<const RegisteredEndpoint>;

  // `catalog` is borrowed, by what is compiled too.
  explicit DefinitionCompiler(const Catalog* catalog) : catalog_(catalog) {}

  // A definition of the set, borrowed until the last Compile. Names are distinct.
  void Add(const Endpoint* definition) { definitions_.emplace(definition->name, definition); }
  // One whose settings can't be read: what reads it fails for that.
  void AddBroken(const std::string& name) { broken_.insert(name); }
  // What was made of it before, against the same catalog: it is taken over where neither it nor what it reads is another one.
  void Keep(Made before) { before_.emplace(before->definition().name, before); }

  // InvalidArgument: EndpointRegistry::Create's reasons. An error of an endpoint that is read is the error of all that read it, and
  // says by ErrorDetails::source which one's it is.
  absl::StatusOr<Made> Compile(const std::string& name);

 private:
  absl::StatusOr<Made> CompileNow(const Endpoint& definition);
  Made TakeOver(const Endpoint& definition);  // nullptr: it has to be compiled
  absl::StatusOr<Made> CompileRead(std::string_view name);
  bool HasToBeCompiled(std::string_view name) const;
  absl::Status CheckChain(std::string_view next) const;

  const Catalog* const catalog_;
  std::map<std::string, const Endpoint*, std::less<>> definitions_;
  std::set<std::string, std::less<>> broken_;
  std::map<std::string, Made, std::less<>> before_;
  std::map<std::string, absl::StatusOr<Made>, std::less<>> made_;
  std::vector<std::string> reading_;  // being compiled: each reads the next one
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITION_COMPILER_H_
