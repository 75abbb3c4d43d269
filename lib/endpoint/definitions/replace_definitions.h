// Merges an operator's definitions into existing ones: on equal names, the operator's definition replaces the existing
// one.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_REPLACE_DEFINITIONS_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_REPLACE_DEFINITIONS_H_

#include <iterator>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

// Returns the definitions of `there` whose names are not in `own`, followed by `own`, each in its order. Duplicates
// within `own` stay; the registry rejects them.
inline std::vector<Endpoint> ReplaceDefinitions(std::vector<Endpoint> there, std::vector<Endpoint> own) {
  base::StringSet names;
  for (const Endpoint& endpoint : own) names.insert(endpoint.name);
  std::erase_if(there, [&names](const Endpoint& endpoint) { return names.contains(endpoint.name); });
  std::move(own.begin(), own.end(), std::back_inserter(there));
  return there;
}

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_REPLACE_DEFINITIONS_H_
