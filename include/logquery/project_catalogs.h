// An optional part of a QueryBackend: tables whose fields depend on the project of a caller.
//
// A backend whose tables get fields from the rows of many projects derives from this class as well as from QueryBackend. The
// service then plans the calls of a token that is limited to one project against that project's catalog, so that rows of
// other projects can't change what the call means.
#ifndef LOGQUERY_PROJECT_CATALOGS_H_
#define LOGQUERY_PROJECT_CATALOGS_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"

namespace logquery {

// Implementations must be thread-safe.
class ProjectCatalogs {
 public:
  virtual ~ProjectCatalogs() = default;
  // Returns the tables for queries that read rows of this project alone. QueryBackend::CatalogVersion changes whenever this
  // would return a different catalog for any project. Statuses: those of QueryBackend::ReadCatalog.
  virtual absl::StatusOr<Catalog> ReadCatalogFor(const std::string& project) = 0;
  // Returns the tables with the fields that are declared, whatever the engine has: a definition that can be planned against
  // these is right.
  virtual absl::StatusOr<Catalog> ReadDeclaredCatalog() = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_PROJECT_CATALOGS_H_
