// Lists the changes between two sets of definitions that callers notice: endpoints, parameters, columns, limits,
// redaction, and what callers' SQL may read.
//
//     for (const DefinitionChange& change : CompareDefinitions(*before, *after)) …     // own: parameter day is gone
#ifndef LOGQUERY_LIB_TOOLS_DEFINITION_DIFF_H_
#define LOGQUERY_LIB_TOOLS_DEFINITION_DIFF_H_

#include <string>
#include <vector>

#include "logquery/endpoint_registry.h"

namespace logquery::endpoint {

struct DefinitionChange {
  std::string endpoint;   // its name; if it was renamed, the old name
  bool breaking = false;  // calls that worked may fail, or their answers lose content
  std::string what;       // "parameter day is gone"
};

// Returns the changes, ordered by endpoint name. Empty: callers notice at most different rows, if a query has changed.
std::vector<DefinitionChange> CompareDefinitions(const EndpointRegistry& before, const EndpointRegistry& after);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_DEFINITION_DIFF_H_
