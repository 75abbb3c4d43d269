// PostgresOptions from a file's text: strict, and with secrets by name alone.
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "lib/backend/engine_options.h"
#include "lib/base/json.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery {
namespace {

using base::StrCat;
using Json = nlohmann::ordered_json;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

absl::Status Wrong(const std::string& place, std::string_view problem) {
  return absl::InvalidArgumentError(StrCat("PostgreSQL's options: ", place, " ", problem));
}

// An object that is read key by key; the first thing that is wrong decides.
class Fields {
 public:
  Fields(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
    if (!json.is_object()) status_ = Wrong(place_.empty() ? "the text" : place_, "has to be an object");
  }

  std::string Text(const char* key, const std::optional<std::string>& fallback = std::nullopt) {
    const Json* const found = Find(key);
    if (found == nullptr && !fallback.has_value()) Fail(key, "is missing");
    if (found != nullptr && !found->is_string()) Fail(key, "has to be text");
    return found != nullptr && found->is_string() ? found->get<std::string>() : fallback.value_or("");
  }
  int64_t Number(const char* key, int64_t least, int64_t most, int64_t fallback) {
    const Json* const found = Find(key);
    if (found == nullptr) return fallback;
    const bool fits = found->is_number_integer() &&
                      (!found->is_number_unsigned() || found->get<uint64_t>() <= static_cast<uint64_t>(kMost));
    const int64_t number = fits ? found->get<int64_t>() : 0;
    if (!fits || number < least || number > most)
      Fail(key, StrCat("has to be a whole number from ", least, " to ", most));
    return number;
  }
  // nullptr: it is absent.
  const Json* Find(const char* key) {
    known_.insert(key);
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }
  std::string Place(std::string_view key) const { return place_.empty() ? std::string(key) : StrCat(place_, ".", key); }
  void Fail(std::string_view key, std::string_view problem) { status_.Update(Wrong(Place(key), problem)); }
  void Update(const absl::Status& status) { status_.Update(status); }

  // What was wrong, or a key that nobody has asked for.
  absl::Status Finish() {
    if (!status_.ok()) return status_;
    for (const auto& [key, value] : json_.items()) {
      if (!known_.contains(key)) {
        return Wrong(Place(key), StrCat("is no option; there are ",
                                        base::Join(std::vector<std::string>(known_.begin(), known_.end()), ", ")));
      }
    }
    return absl::OkStatus();
  }

 private:
  const Json& json_;
  const std::string place_;
  std::set<std::string> known_;
  absl::Status status_;
};

absl::StatusOr<PostgresTable> ReadTable(const std::string& name, const Json& json) {
  Fields fields(json, StrCat("tables.", name));
  PostgresTable table;
  table.name = name;
  table.table = fields.Text("table");
  table.schema = fields.Text("schema", table.schema);
  table.body = fields.Text("body", table.body);
  const std::string layout = fields.Text("layout", "columns");
  if (layout == "logflare") {
    table.layout = PostgresTable::Layout::kLogflare;
  } else if (layout != "columns") {
    fields.Fail("layout", StrCat("is ", layout, "; it has to be columns or logflare"));
  }
  if (const Json* const columns = fields.Find("columns")) {
    if (!columns->is_object()) fields.Fail("columns", "has to be an object");
    if (columns->is_object()) {
      for (const auto& [ours, theirs] : columns->items()) {
        if (!theirs.is_string()) fields.Fail(StrCat("columns.", ours), "has to be text");
        if (theirs.is_string()) table.columns[ours] = theirs.get<std::string>();
      }
    }
  }
  LOGQUERY_RETURN_IF_ERROR(fields.Finish());
  return table;
}

void ReadTables(Fields& fields, PostgresOptions& options) {
  const Json* const tables = fields.Find("tables");
  if (tables == nullptr || !tables->is_object() || tables->empty()) {
    return fields.Fail("tables", "has to be an object with at least one table");
  }
  for (const auto& [name, json] : tables->items()) {
    absl::StatusOr<PostgresTable> table = ReadTable(name, json);
    if (!table.ok()) return fields.Update(table.status());
    options.tables.push_back(*std::move(table));
  }
}

}  // namespace

absl::StatusOr<PostgresOptions> PostgresOptionsFromJson(std::string_view text) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("PostgreSQL's options", text));
  Fields fields(json, "");
  PostgresOptions options;
  if (fields.Text("engine", "postgres") != "postgres") fields.Fail("engine", "has to be postgres");
  options.host = fields.Text("host");
  options.port = static_cast<int>(fields.Number("port", 1, 65'535, options.port));
  options.database = fields.Text("database");
  options.user = fields.Text("user");
  options.tls = fields.Text("tls", options.tls);
  options.ca_file = fields.Text("ca_file", "");
  options.certificate_file = fields.Text("certificate_file", "");
  options.key_file = fields.Text("key_file", "");
  options.max_connections = static_cast<int>(fields.Number("connections", 1, 1'000, options.max_connections));
  constexpr int64_t kDayMs = 86'400'000;
  options.connect_timeout = absl::Milliseconds(
      fields.Number("connect_timeout_ms", 1, kDayMs, absl::ToInt64Milliseconds(options.connect_timeout)));
  options.statement_timeout = absl::Milliseconds(
      fields.Number("statement_timeout_ms", 1, kDayMs, absl::ToInt64Milliseconds(options.statement_timeout)));
  options.max_fragment_rows = fields.Number("fragment_rows", 1, kMost, options.max_fragment_rows);
  options.max_fragment_bytes = fields.Number("fragment_bytes", 1, kMost, options.max_fragment_bytes);
  options.memory_limit_bytes = fields.Number("memory_limit_bytes", 64 << 20, kMost, options.memory_limit_bytes);
  options.threads = static_cast<int>(fields.Number("threads", 0, 1'024, options.threads));
  ReadTables(fields, options);
  const Json* const password = fields.Find("password");
  const std::string schema_file = fields.Text("schema_file", "");
  LOGQUERY_RETURN_IF_ERROR(fields.Finish());
  if (password != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(options.password, backend::ReadSecret(*password, "PostgreSQL's options: password"));
  }
  if (!schema_file.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(options.schema_json,
                              backend::ReadOptionFile("PostgreSQL's options: schema_file", schema_file));
  }
  return options;
}

}  // namespace logquery
