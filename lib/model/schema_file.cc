// Parses whole schema files, and derives catalogs from them.
#include "lib/model/schema_file.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "lib/base/embedded.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/json_problems.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/schema_reader.h"

namespace logquery::model {
namespace {

// Everything that makes a table another one, in an order, each part ended by a byte that no name has.
std::string Description(const Table& table) {
  std::string text = base::StrCat(table.name, "\n", table.storage_name, "\n", table.log, "\n", table.time_column, "\n",
                                  table.id_column, "\n", base::Join(table.project_path, "\t"), "\n");
  for (const Field& column : table.columns) {
    // The text of a type hides what is a record.
    base::StrAppend(&text, column.name, "\t", column.type.is_record() ? "record " : "", column.type.ToString(), "\n");
  }
  for (const std::vector<HotColumn>* columns : {&table.hot_columns, &table.learned_columns}) {
    for (const HotColumn& hot : *columns) {
      base::StrAppend(&text, base::Join(hot.path, "\t"), "\n", hot.column, static_cast<int>(hot.holds), "\n");
    }
    text += '\v';
  }
  for (const PackedRecord& packed : table.packed_records) {
    base::StrAppend(&text, packed.record, "\n", packed.column, "\n");
  }
  return text + "\f";
}

}  // namespace

absl::StatusOr<SchemaFile> ParseSchemaFile(std::string_view source, std::string_view json) {
  LOGQUERY_ASSIGN_OR_RETURN(const base::Json parsed, base::ParseWrittenJson(source, json));
  base::JsonProblems problems;
  SchemaFile file = ReadSchema(parsed, problems);
  if (problems.all().empty()) return file;
  return absl::InvalidArgumentError(base::StrCat(source, ": ", problems.all().front().message));
}

const SchemaFile& BuiltInSchema() {
  static const SchemaFile* const schema = [] {
    auto parsed = ParseSchemaFile("log_schema.json", base::EmbeddedFile("log_schema.json"));
    if (!parsed.ok()) {
      // This happens only in a build with a broken file, which tests detect.
      std::fprintf(stderr, "%s\n", parsed.status().ToString().c_str());
      std::abort();
    }
    return new SchemaFile(*std::move(parsed));
  }();
  return *schema;
}

const Type* FieldType(const Schema& columns, const FieldPath& path) {
  const std::vector<Field>* fields = &columns;
  const Type* type = nullptr;
  for (const std::string& name : path) {
    if (type != nullptr && !type->is_record()) return nullptr;
    type = nullptr;
    for (const Field& field : *fields) {
      if (base::EqualsIgnoreCase(field.name, name)) type = &field.type;
    }
    if (type == nullptr) return nullptr;
    fields = &type->fields();
  }
  return type;
}

Schema WithFields(Schema columns, const Schema& more) {
  for (const Field& field : more) {
    const auto there = std::find_if(columns.begin(), columns.end(),
                                    [&](const Field& known) { return base::EqualsIgnoreCase(known.name, field.name); });
    if (there == columns.end()) {
      columns.push_back(field);
    } else if (there->type.is_record() && field.type.is_record()) {
      there->type = Type::Record(WithFields(there->type.fields(), field.type.fields()));
    }
  }
  return columns;
}

// FNV-1a of 64 bits: the same on every machine and in every version of the compiler.
uint64_t Fingerprint(const std::vector<Table>& tables) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const Table& table : tables) {
    for (const unsigned char c : Description(table)) hash = (hash ^ c) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace logquery::model
