// Definitions of an operator's beside those that are there: one of the same name takes the other's place.
#ifndef LOGQUERY_LIB_ENDPOINT_REPLACE_DEFINITIONS_H_
#define LOGQUERY_LIB_ENDPOINT_REPLACE_DEFINITIONS_H_

#include <iterator>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

// Those of `there` whose names `own` has not, then `own`, each in its order. Two of `own` with one name both stay, for the registry
// to refuse.
inline std::vector<Endpoint> ReplaceDefinitions(std::vector<Endpoint> there, std::vector<Endpoint> own) {
  base::StringSet names;
  for (const Endpoint& endpoint : own) names.insert(endpoint.name);
  std::erase_if(there, [&names](const Endpoint& endpoint) { return names.contains(endpoint.name); });
  std::move(own.begin(), own.end(), std::back_inserter(there));
  return there;
}

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_REPLACE_DEFINITIONS_H_
