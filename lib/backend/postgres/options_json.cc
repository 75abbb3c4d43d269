// PostgresOptions from a file's text: strict, and with secrets by name alone.
#include "lib/backend/postgres/options_json.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery {
namespace postgres {
namespace {

using base::JsonFields;
using base::StrCat;
using Json = nlohmann::ordered_json;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kDayMs = 86'400'000;
constexpr std::streamsize kMaxFileBytes = 16 << 20;

// The text of a file that the field `key` names; what is wrong with it goes to `fields`.
std::string ReadFile(JsonFields& fields, const char* key, const std::string& folder, const std::string& name) {
  const std::string path = (std::filesystem::path(folder) / name).string();
  std::error_code error;
  // Anything else, such as a pipe that nothing writes to, could be read without an end.
  const bool is_file = std::filesystem::is_regular_file(path, error);
  std::ifstream file;
  if (is_file) file.open(path, std::ios::binary);
  std::string text(static_cast<size_t>(kMaxFileBytes) + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!is_file || !file.eof() || file.bad()) {
    fields.Fail(
        key, StrCat("names the file ", path, ", which ", is_file ? "can't be read or is over 16 MiB" : "is not there"));
    return "";
  }
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

// {"file": PATH} or {"env": NAME}.
std::string ReadSecret(JsonFields& fields, const char* key, const std::string& folder) {
  const Json* const json = fields.Find(key);
  if (json == nullptr) return "";
  if (!json->is_object()) {
    fields.Fail(key, R"(is a secret and not written here: name it as {"file": PATH} or {"env": NAME})");
    return "";
  }
  absl::Status status;
  JsonFields secret(*json, fields.Place(key) + ".", status);
  const std::string file = secret.Text("file", "");
  const std::string variable = secret.Text("env", "");
  secret.RefuseOthers();
  if (status.ok() && file.empty() == variable.empty()) secret.Fail("", R"(must have one of "file" and "env")");
  if (!status.ok()) {
    fields.FailWith(key, std::move(status));
    return "";
  }
  if (!variable.empty()) {
    const char* const value = std::getenv(variable.c_str());
    if (value == nullptr) fields.Fail(key, StrCat("names the environment variable ", variable, ", which is not set"));
    return value != nullptr ? value : "";
  }
  std::string text = ReadFile(fields, key, folder, file);
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

PostgresTable ReadTable(JsonFields& fields, const std::string& name) {
  PostgresTable table;
  table.name = name;
  table.table = fields.Text("table");
  table.schema = fields.Text("schema", table.schema);
  table.body = fields.Text("body", table.body);
  table.columns = fields.TextMap("columns");
  const std::string layout = fields.Text("layout", "columns");
  if (layout == "logflare") table.layout = PostgresTable::Layout::kLogflare;
  if (layout != "logflare" && layout != "columns") {
    fields.Fail("layout", StrCat("must be columns or logflare, is ", base::QuotedText(layout)));
  }
  fields.RefuseOthers();
  return table;
}

std::vector<PostgresTable> ReadTables(JsonFields& fields) {
  const Json* const json = fields.Find("tables");
  std::vector<PostgresTable> tables;
  if (json == nullptr || !json->is_object() || json->empty()) {
    fields.Fail("tables", "must be an object with at least one table");
    return tables;
  }
  for (const auto& [name, entry] : json->items()) {
    absl::Status status;
    JsonFields table(entry, StrCat("tables.", name, "."), status);
    tables.push_back(ReadTable(table, name));
    if (!status.ok()) fields.FailWith("tables", std::move(status));
  }
  return tables;
}

absl::Duration Milliseconds(JsonFields& fields, const char* key, absl::Duration fallback) {
  return absl::Milliseconds(fields.Integer(key, {1, kDayMs}, absl::ToInt64Milliseconds(fallback)));
}

}  // namespace

PostgresOptions ReadOptions(JsonFields& fields, const std::string& folder) {
  PostgresOptions options;
  options.host = fields.Text("host");
  options.port = static_cast<int>(fields.Integer("port", {1, 65'535}, options.port));
  options.database = fields.Text("database");
  options.user = fields.Text("user");
  options.password = ReadSecret(fields, "password", folder);
  options.tls = fields.Text("tls", options.tls);
  const auto file = [&fields, &folder](const char* key) {
    const std::string name = fields.Text(key, "");
    return name.empty() ? name : (std::filesystem::path(folder) / name).string();
  };
  options.ca_file = file("ca_file");
  options.certificate_file = file("certificate_file");
  options.key_file = file("key_file");
  options.max_connections = static_cast<int>(fields.Integer("connections", {1, 1'000}, options.max_connections));
  options.connect_timeout = Milliseconds(fields, "connect_timeout_ms", options.connect_timeout);
  options.statement_timeout = Milliseconds(fields, "statement_timeout_ms", options.statement_timeout);
  options.max_fragment_rows = fields.Integer("fragment_rows", {1, kMost}, options.max_fragment_rows);
  options.max_fragment_bytes = fields.Integer("fragment_bytes", {1, kMost}, options.max_fragment_bytes);
  options.memory_limit_bytes =
      fields.Integer("memory_limit_mb", {64, 1 << 24}, options.memory_limit_bytes / 1'000'000) * 1'000'000;
  options.threads = static_cast<int>(fields.Integer("threads", {0, 1'024}, options.threads));
  if (const std::string name = fields.Text("schema_file", ""); !name.empty()) {
    options.schema_json = ReadFile(fields, "schema_file", folder, name);
  }
  options.tables = ReadTables(fields);
  return options;
}

}  // namespace postgres

absl::StatusOr<PostgresOptions> PostgresOptionsFromJson(std::string_view text, const std::string& folder) {
  PostgresOptions options;
  LOGQUERY_RETURN_IF_ERROR(base::ReadFields("PostgreSQL's options", text, [&](base::JsonFields& fields) {
    if (fields.Text("engine", "postgres") != "postgres") fields.Fail("engine", "must be \"postgres\"");
    options = postgres::ReadOptions(fields, folder);
  }));
  return options;
}

}  // namespace logquery
