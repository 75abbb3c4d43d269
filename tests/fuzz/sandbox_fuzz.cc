// For any SQL of a caller that the sandbox lets through, DuckDB's own parser finds in the emitted text one SELECT that reads
// nothing but the tables that the endpoint reads and the WITH entries in whose reach it stands, and no table function.
//
//     fuzz_sandbox tests/fuzz/corpus/sandbox          of the preset fuzz
//
// The target finds only leaks that are not DuckDB's: LeakSanitizer looks after each input, while the engine is open, and does not
// see into the engine's arenas what is held there.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "logquery/cancellation.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/fuzz/caller_sql.h"

namespace logquery::fuzz {
namespace {

using nlohmann::json;

// The text's syntax tree, as DuckDB has it.
json TreeOf(const std::string& text) {
  static const std::unique_ptr<DuckDbBackend> engine = *OpenDuckDb({.threads = 1});
  PreparedQuery::Parts parts;
  parts.dialect_text = "SELECT CAST(json_serialize_sql($1::VARCHAR) AS VARCHAR) AS tree";
  parts.slots = {{"text", Type::String()}};
  parts.schema = {{"tree", Type::String()}};
  CollectingSink sink;
  const absl::Status status =
      engine->Execute(PreparedQuery(std::move(parts)), {Value::String(text)}, {}, CancellationSource().token(), sink);
  Require(status.ok(), status.ToString());
  return json::parse(sink.rows()[0][0].string_value());
}

// The names of the node's own WITH entries.
std::set<std::string> EntriesOf(const json& node) {
  std::set<std::string> names;
  if (!node.is_object() || !node.contains("cte_map")) return names;
  for (const json& entry : node.at("cte_map").at("map")) names.insert(entry.at("key").get<std::string>());
  return names;
}

// `names`: of the tables and of the WITH entries around the node.
void CheckReads(const json& node, const std::set<std::string>& names, const std::string& text) {
  if (std::set<std::string> entries = EntriesOf(node);
      !std::includes(names.begin(), names.end(), entries.begin(), entries.end())) {
    entries.insert(names.begin(), names.end());
    return CheckReads(node, entries, text);
  }
  if (node.is_object() && node.contains("type") && node.at("type").is_string()) {
    const std::string type = node.at("type").get<std::string>();
    Require(type != "TABLE_FUNCTION", "a table function in " + text);
    if (type == "BASE_TABLE") {
      const bool plain =
          node.at("catalog_name").get<std::string>().empty() && node.at("schema_name").get<std::string>().empty();
      Require(plain && names.contains(node.at("table_name").get<std::string>()),
              node.at("table_name").get<std::string>() + " is read in " + text);
    }
  }
  for (const json& child : node) {
    if (child.is_structured()) CheckReads(child, names, text);
  }
}

void Check(std::string_view sql) {
  static const LogsAll& logs = *new LogsAll;
  const absl::StatusOr<endpoint::PlannedCall> call = logs.Plan(sql);
  if (!call.ok()) return RequirePlacedError(call.status(), sql);
  const std::string text(call->query->dialect_text());
  const json tree = TreeOf(text);
  Require(tree.at("error") == false, tree.dump() + " in " + text);
  Require(tree.at("statements").size() == 1, "several statements: " + text);
  static const Catalog& read = *new Catalog(Catalog::DeclaredLogs());
  std::set<std::string> names;
  for (const Table& table : read.tables()) names.insert(table.storage_name.empty() ? table.name : table.storage_name);
  CheckReads(tree, names, text);
}

}  // namespace
}  // namespace logquery::fuzz

extern "C" const char* __lsan_default_suppressions() { return "leak:libduckdb"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  logquery::fuzz::Check(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
