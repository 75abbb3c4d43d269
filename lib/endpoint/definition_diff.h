// What callers notice when one set of definitions takes the place of another: endpoints, parameters, columns, limits, redaction,
// and what callers' SQL may read.
//
//     for (const DefinitionChange& change : CompareDefinitions(*before, *after)) …     // own: parameter day is gone
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITION_DIFF_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITION_DIFF_H_

#include <string>
#include <vector>

#include "logquery/endpoint_registry.h"

namespace logquery::endpoint {

struct DefinitionChange {
  std::string endpoint;   // its name, before the change where it has another
  bool breaking = false;  // calls that worked may fail, or their answers lack what they had
  std::string what;       // "parameter day is gone"
};

// In the order of the endpoints' names. Nothing: callers notice no difference but in rows, where a query has changed.
std::vector<DefinitionChange> CompareDefinitions(const EndpointRegistry& before, const EndpointRegistry& after);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITION_DIFF_H_
