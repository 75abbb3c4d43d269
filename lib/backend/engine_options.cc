// A file is read up to a bound, so that a name like /dev/zero is an error.
#include "lib/backend/engine_options.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lib/base/json_fields.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::backend {
namespace {

using base::StrCat;

constexpr std::streamsize kMaxFileBytes = 16 << 20;

absl::Status Wrong(const std::string& place, std::string_view problem) {
  return absl::InvalidArgumentError(StrCat(place, " ", problem));
}

}  // namespace

absl::StatusOr<std::string> ReadOptionFile(const std::string& place, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  text.resize(static_cast<size_t>(kMaxFileBytes) + 1);
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.eof() || file.bad()) return Wrong(place, StrCat("names ", path, ", which can't be read or is over 16 MiB"));
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

absl::StatusOr<std::string> ReadSecret(const nlohmann::ordered_json& json, const std::string& place) {
  if (json.is_string())
    return Wrong(place, R"(is a secret, and is not written here: name it as {"file": …} or {"env": …})");
  absl::Status status;
  base::JsonFields fields(json, StrCat(place, "."), status);
  const std::string file = fields.Text("file", "");
  const std::string variable = fields.Text("env", "");
  fields.RefuseOthers();
  LOGQUERY_RETURN_IF_ERROR(status);
  if (file.empty() == variable.empty()) return Wrong(place, R"(has to have one of "file" and "env")");
  if (!variable.empty()) {
    const char* const value = std::getenv(variable.c_str());
    if (value == nullptr)
      return Wrong(place, StrCat("names the environment variable ", variable, ", which is not set"));
    return std::string(value);
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::string text, ReadOptionFile(place, file));
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

}  // namespace logquery::backend
