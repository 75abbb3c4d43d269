// Reads named files strictly; options never contain a secret itself.
#include "lib/backend/engine_options.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/strings.h"

namespace logquery::backend {
namespace {

namespace fs = std::filesystem;
using base::JsonFields;
using base::StrCat;

constexpr std::streamsize kMaxFileBytes = 16 << 20;

std::string ReadFile(JsonFields& fields, const char* key, const std::string& path) {
  std::error_code error;
  // Anything else, such as a pipe that nothing writes to, could be read without an end.
  const bool is_file = fs::is_regular_file(path, error);
  std::ifstream file;
  if (is_file) file.open(path, std::ios::binary);
  std::string text(static_cast<size_t>(kMaxFileBytes) + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!is_file || !file.eof() || file.bad()) {
    const char* const problem = is_file ? "can't be read or is over 16 MiB" : "is not there";
    fields.Fail(key, StrCat("names the file ", path, ", which ", problem));
    return "";
  }
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

}  // namespace

std::string ReadPath(JsonFields& fields, const char* key, const std::string& folder) {
  const std::string name = fields.Text(key, "");
  return name.empty() ? name : (fs::path(folder) / name).string();
}

std::string ReadNamedFile(JsonFields& fields, const char* key, const std::string& folder) {
  const std::string path = ReadPath(fields, key, folder);
  return path.empty() ? path : ReadFile(fields, key, path);
}

std::string ReadSecret(JsonFields& fields, const char* key, const std::string& folder) {
  const base::Json* const json = fields.Find(key);
  if (json == nullptr) return "";
  if (!json->is_object()) {
    fields.Fail(key, R"(is a secret and not written here: name it as {"file": PATH} or {"env": NAME})");
    return "";
  }
  absl::Status status;
  JsonFields secret(*json, fields.Place(key) + ".", status);
  const std::string file = ReadPath(secret, "file", folder);
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
  std::string text = ReadFile(fields, key, file);
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

void ReadTables(JsonFields& fields, const std::function<void(JsonFields& table, const std::string& name)>& read) {
  const base::Json* const json = fields.Find("tables");
  if (json == nullptr || !json->is_object() || json->empty()) {
    return fields.Fail("tables", "must be an object with at least one table");
  }
  for (const auto& [name, entry] : json->items()) {
    absl::Status status;
    JsonFields table(entry, StrCat("tables.", name, "."), status);
    read(table, name);
    table.RefuseOthers();
    if (!status.ok()) fields.FailWith("tables", std::move(status));
  }
}

}  // namespace logquery::backend
