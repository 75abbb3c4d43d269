// Merges the logs of two schema files, and adds them to a catalog. The properties that rows are stored by stay as they are.
#include <algorithm>
#include <utility>

#include "lib/base/strings.h"
#include "lib/model/own_logs.h"

namespace logquery::model {

using base::StrCat;

namespace {

// The fields of `now` in the order of `before`, and then those that are new: rows store a record's fields in this order.
Schema InOrderOf(const Schema& before, const Schema& now) {
  Schema ordered;
  const auto add = [&](const Schema& from, const Schema& other, bool only_new) {
    for (const Field& field : from) {
      const auto same = std::find_if(other.begin(), other.end(), [&](const Field& known) {
        return base::EqualsIgnoreCase(known.name, field.name);
      });
      if (only_new ? same == other.end() : same != other.end()) ordered.push_back(only_new ? field : *same);
    }
  };
  add(before, now, false);
  add(now, before, true);
  for (Field& field : ordered) {
    const Type* const stored = FieldType(before, {field.name});
    if (stored == nullptr || !stored->is_record() || !field.type.is_record()) continue;
    field.type = Type::Record(InOrderOf(stored->fields(), field.type.fields()));
  }
  return ordered;
}

// `now` with the columns and fields of records that only `before` has.
Schema KeepColumns(const Schema& before, const Schema& now) {
  Schema all = WithFields(now, before);
  for (Field& column : all) {
    const Type* const stored = FieldType(before, {column.name});
    if (stored == nullptr || !stored->is_record() || !column.type.is_record()) continue;
    column.type = Type::Record(InOrderOf(stored->fields(), column.type.fields()));
  }
  return all;
}

void AddMissing(const std::string& prefix, const Schema& before, const Schema& now, std::vector<std::string>& missing) {
  for (const Field& field : before) {
    const Type* const type = FieldType(now, {field.name});
    const std::string path = StrCat(prefix, ".", field.name);
    if (type == nullptr) {
      missing.push_back(path);
    } else if (type->is_record() && field.type.is_record()) {
      AddMissing(path, field.type.fields(), type->fields(), missing);
    }
  }
}

}  // namespace

std::vector<std::string> ColumnsLeftOut(const SchemaFile& before, const SchemaFile& declared) {
  std::vector<std::string> missing;
  for (const Table& table : declared.tables) {
    for (const Table& there : before.tables) {
      if (base::EqualsIgnoreCase(there.name, table.name)) AddMissing(table.name, there.columns, table.columns, missing);
    }
  }
  return missing;
}

absl::StatusOr<SchemaFile> MergeOwnLogs(SchemaFile earlier, const SchemaFile& newer) {
  for (size_t i = 0; i < newer.tables.size(); ++i) {
    const Table& table = newer.tables[i];
    size_t at = earlier.tables.size();
    for (size_t j = 0; j < earlier.tables.size(); ++j) {
      const Table& other = earlier.tables[j];
      if (base::EqualsIgnoreCase(other.name, table.name)) {
        at = j;
        if (other.name == table.name) continue;
        return absl::InvalidArgumentError(
            StrCat("the table ", table.name, " is there already, and its name is written ", other.name));
      } else if (base::EqualsIgnoreCase(other.log, table.log) || base::EqualsIgnoreCase(other.log, table.name) ||
                 base::EqualsIgnoreCase(other.name, table.log)) {
        return absl::InvalidArgumentError(StrCat("the log ", table.log, " of the table ", table.name,
                                                 " has a name of another log: the table ", other.name, " has the log ",
                                                 other.log));
      }
    }
    if (at == earlier.tables.size()) {
      earlier.tables.emplace_back();
      earlier.hot.emplace_back();
      earlier.logs.emplace_back();
    }
    Schema columns = KeepColumns(earlier.tables[at].columns, table.columns);
    earlier.tables[at] = table;
    earlier.tables[at].columns = std::move(columns);
    earlier.hot[at] = newer.hot[i];
    earlier.logs[at] = newer.logs[i];
  }
  for (const FurtherFields& further : newer.further) {
    const auto same = std::find_if(earlier.further.begin(), earlier.further.end(),
                                   [&](const FurtherFields& other) { return other.table == further.table; });
    if (same == earlier.further.end()) {
      earlier.further.push_back(further);
    } else {
      same->fields = further.fields;
    }
  }
  return earlier;
}

Catalog WithOwnLogs(const Catalog& catalog, const SchemaFile& own) {
  std::vector<Table> tables = catalog.tables();
  for (const Table& table : own.tables) {
    if (catalog.Find(table.name) == nullptr) tables.push_back(table);
  }
  for (const FurtherFields& further : own.further) {
    for (Table& table : tables) {
      if (base::EqualsIgnoreCase(table.name, further.table)) {
        table.columns = WithFields(std::move(table.columns), further.fields);
      }
    }
  }
  const uint64_t revision = Fingerprint(tables);
  return Catalog(std::move(tables), revision);
}

}  // namespace logquery::model
