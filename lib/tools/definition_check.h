// Checks a folder of definitions as a whole, including schema.json: reports every problem of every file with its place,
// and warns about what is allowed but looks wrong.
//
//     auto check = CheckDefinitionFolder("endpoints", Endpoint::BuiltIn(), catalog);
//     for (const Finding& finding : check->findings) …           // endpoints/own.json:3:3: max_rows must be …
//
// For a query's SQL it reports the first error, and each parameter that is not declared.
#ifndef LOGQUERY_LIB_TOOLS_DEFINITION_CHECK_H_
#define LOGQUERY_LIB_TOOLS_DEFINITION_CHECK_H_

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
  std::string snippet;  // the file's line, and a caret below the place; empty: the finding concerns the whole file
};

// A finding at byte `offset` of `text`, the file's content. `message` is one line.
Finding FindingAt(Finding::Kind kind, const std::string& file, std::string_view text, size_t offset,
                  std::string message);

// Returns "FILE:LINE:COLUMN: MESSAGE", then the line and a caret, like compilers do, for people and editors; each line ends with a
// newline. Quoted text from the files can't control a terminal.
std::string FindingText(const Finding& finding);

struct DefinitionCheck {
  std::vector<Finding> findings;                      // in the order of files and places
  std::vector<std::string> own;                       // names of the folder's definitions that could be read
  std::shared_ptr<const EndpointRegistry> endpoints;  // the folder's and the built-in ones; nullptr: there is an error
};

// `built_in`: definitions that the folder's definitions extend or replace. `schema`: the file that declares logs in
// addition to those of `catalog`; empty: the folder's schema.json, if there is one. Statuses: those of
// ReadDefinitionFiles; InvalidArgument: both schema files exist.
absl::StatusOr<DefinitionCheck> CheckDefinitionFolder(const std::string& folder, const std::vector<Endpoint>& built_in,
                                                      Catalog catalog, const std::string& schema = "");

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_DEFINITION_CHECK_H_
