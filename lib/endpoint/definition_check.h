// Checks a folder of definitions as a whole, schema.json in it too: every problem of every file, with its place, and what is allowed but looks wrong.
//
//     LOGQUERY_ASSIGN_OR_RETURN(DefinitionCheck check, CheckDefinitionFolder("endpoints", Endpoint::BuiltIn(), catalog));
//     for (const Finding& finding : check.findings) …            // endpoints/own.json:3:3: max_rows must be …
//
// Of a query's SQL the first error counts, and each parameter that is not declared.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITION_CHECK_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITION_CHECK_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"

namespace logquery::endpoint {

struct Finding {
  enum class Kind { kError, kWarning, kNote };
  Kind kind = Kind::kError;
  std::string file;
  int line = 1;         // from 1
  int column = 1;       // in characters, from 1
  std::string message;  // one line
  std::string snippet;  // the file's line, and a caret under the place; empty: the finding is about the file as a whole
};

// At the byte `offset` of `text`, which is the file's. `message` is one line.
Finding FindingAt(Finding::Kind kind, const std::string& file, std::string_view text, size_t offset,
                  std::string message);

struct DefinitionCheck {
  std::vector<Finding> findings;                      // in the order of files and places
  std::vector<std::string> own;                       // the names of the folder's definitions that could be read
  std::shared_ptr<const EndpointRegistry> endpoints;  // of the folder and the built-in ones; nullptr: there is an error
};

// `built_in`: the definitions that the folder's stand beside, or replace. `schema`: the file that declares logs beside those of
// `catalog`; empty: the folder's, if it has one. ReadDefinitionFiles' statuses; InvalidArgument: both are there.
absl::StatusOr<DefinitionCheck> CheckDefinitionFolder(const std::string& folder, const std::vector<Endpoint>& built_in,
                                                      Catalog catalog, const std::string& schema = "");

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITION_CHECK_H_
