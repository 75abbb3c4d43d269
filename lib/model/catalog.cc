// Finds tables by name, and builds catalogs from schema files.
#include "logquery/catalog.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/schema_file.h"

namespace logquery {
namespace {

Catalog MakeCatalog(std::vector<Table> tables) {
  const uint64_t revision = model::Fingerprint(tables);
  return Catalog(std::move(tables), revision);
}

}  // namespace

const Table* Catalog::Find(std::string_view name) const {
  for (const Table& table : tables_) {
    if (base::EqualsIgnoreCase(table.name, name)) return &table;
  }
  return nullptr;
}

Catalog Catalog::DeclaredLogs() { return MakeCatalog(model::BuiltInSchema().tables); }

absl::StatusOr<Catalog> Catalog::FromSchemaJson(std::string_view json) {
  LOGQUERY_ASSIGN_OR_RETURN(model::SchemaFile file, model::ParseSchemaFile("schema", json));
  return MakeCatalog(std::move(file.tables));
}

}  // namespace logquery
