// The model from which a typed client is generated: endpoints of a registry, with what a caller sends and what a row has.
//
//     LOGQUERY_ASSIGN_OR_RETURN(ClientModel model, MakeClientModel(*registry, {"logs.all"}, "0.1.0"));
//     std::string header = CppClient(model);
#ifndef LOGQUERY_SHIM_CLI_QUERY_CODEGEN_CLIENT_MODEL_H_
#define LOGQUERY_SHIM_CLI_QUERY_CODEGEN_CLIENT_MODEL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"
#include "logquery/type.h"

namespace logquery::shim {

struct ClientEndpoint {
  std::string name;
  std::string description;
  std::string revision;
  std::string path;                   // of its calls, percent-encoded
  bool takes_sql = false;             // callers may send SQL, whose rows have columns of their own
  std::vector<Parameter> parameters;  // that callers send, in the definition's order
  Schema columns;                     // named as the members of a row in JSON; see JsonMembers

  // Whether the definition itself has a parameter of that name, which then does not steer the answer's form.
  bool Declares(std::string_view parameter) const;
};

struct ClientModel {
  std::string version;                    // of logquery
  std::vector<ClientEndpoint> endpoints;  // by name
};

// The endpoints of these names or ids, each once; all when `names` is empty. InvalidArgument: there is no endpoint of a name,
// with the near ones; there is none at all.
absl::StatusOr<ClientModel> MakeClientModel(const EndpointRegistry& registry, const std::vector<std::string>& names,
                                            std::string version);

// The members of a STRUCT's or row's JSON object: a field without a name has one there, and of fields of one name a reader sees the
// last.
std::vector<Field> JsonMembers(const std::vector<Field>& fields);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_CODEGEN_CLIENT_MODEL_H_
