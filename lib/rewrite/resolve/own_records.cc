// Knows a type by the address of its fields.
#include "lib/rewrite/resolve/own_records.h"

#include <utility>

#include "lib/base/strings.h"
#include "lib/model/schema_file.h"

namespace logquery::rewrite {
namespace {

const base::NameSet& BuiltInTables() {
  static const base::NameSet* const names = [] {
    auto* made = new base::NameSet;
    for (const Table& table : model::BuiltInSchema().tables) made->insert(table.name);
    return made;
  }();
  return *names;
}

}  // namespace

bool OwnRecords::Has(const Type& record) {
  if (const Catalog* const catalog = std::exchange(catalog_, nullptr)) {
    for (const Table& table : catalog->tables()) {
      if (!BuiltInTables().contains(table.name)) Collect(table.columns);
    }
  }
  return record.is_struct() && records_.contains(&record.fields());
}

void OwnRecords::Collect(const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    const Type& type = field.type;
    if (type.is_record()) records_.insert(&type.fields());
    // Also below an array of records, whose elements may hold some.
    if (type.is_array() && type.element().is_struct()) Collect(type.element().fields());
  }
}

}  // namespace logquery::rewrite
