// Writes and strictly parses the manifest's JSON.
#include "lib/store/folder/backup_manifest.h"

#include <algorithm>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/folder/folder_files.h"

namespace logquery::store {
namespace {

using base::Json;

constexpr char kTimeFormat[] = "%Y-%m-%dT%H:%M:%SZ";

absl::Status Damaged(std::string_view what) {
  return absl::DataLossError(base::StrCat(kManifestName, " is damaged: ", what));
}

// The value of that key where it is a count.
absl::StatusOr<int64_t> Count(const Json& object, const char* key) {
  const auto value = object.is_object() ? object.find(key) : object.end();
  if (value == object.end() || !value->is_number_integer() || value->get<int64_t>() < 0) {
    return Damaged(base::StrCat("it has no number \"", key, "\" where it should have one"));
  }
  return value->get<int64_t>();
}

absl::StatusOr<std::string> Text(const Json& object, const char* key) {
  const auto value = object.is_object() ? object.find(key) : object.end();
  if (value == object.end() || !value->is_string()) {
    return Damaged(base::StrCat("it has no text \"", key, "\" where it should have one"));
  }
  return value->get<std::string>();
}

absl::StatusOr<std::vector<Json>> List(const Json& object, const char* key) {
  const auto value = object.find(key);
  if (value == object.end() || !value->is_array()) return Damaged(base::StrCat("it has no list \"", key, "\""));
  return std::vector<Json>(value->begin(), value->end());
}

absl::Status ParseFiles(const Json& json, std::vector<BackupManifest::File>& files) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Json> list, List(json, "files"));
  base::StringSet names;
  for (const Json& entry : list) {
    BackupManifest::File file;
    LOGQUERY_ASSIGN_OR_RETURN(file.name, Text(entry, "name"));
    LOGQUERY_ASSIGN_OR_RETURN(file.bytes, Count(entry, "bytes"));
    LOGQUERY_ASSIGN_OR_RETURN(file.sha256, Text(entry, "sha256"));
    if (!IsFileOfFolder(file.name)) return Damaged(base::StrCat("a backup has no file \"", file.name, "\""));
    if (!names.insert(file.name).second) return Damaged(base::StrCat("it names ", file.name, " twice"));
    files.push_back(std::move(file));
  }
  return names.contains(kDatabaseName) ? absl::OkStatus() : Damaged(base::StrCat("it does not name ", kDatabaseName));
}

}  // namespace

int64_t BackupManifest::rows() const {
  int64_t sum = 0;
  for (const Table& table : tables) sum += table.rows;
  return sum;
}

int64_t BackupManifest::bytes() const {
  int64_t sum = 0;
  for (const File& file : files) sum += file.bytes;
  return sum;
}

std::string BackupManifest::ToJson() const {
  Json json = {{"logquery_backup", kFormat},
               {"made_at", absl::FormatTime(kTimeFormat, made_at, absl::UTCTimeZone())},
               {"folder_format", folder_format},
               {"tables", Json::array()},
               {"files", Json::array()}};
  for (const Table& table : tables) json["tables"].push_back({{"table", table.table}, {"rows", table.rows}});
  for (const File& file : files) {
    json["files"].push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  return json.ToString(1) + "\n";
}

absl::StatusOr<BackupManifest> BackupManifest::Parse(std::string_view text) {
  const absl::StatusOr<Json> json = base::ParseJson(kManifestName, text);
  if (!json.ok()) return Damaged(base::Message(json.status()));
  if (!json->is_object()) return Damaged("it is no object");
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t format, Count(*json, "logquery_backup"));
  if (format != kFormat) {
    return absl::FailedPreconditionError(
        base::StrCat("the backup was made by another version of logquery: its format is ", format,
                     ", this version reads format ", kFormat));
  }
  BackupManifest manifest;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string made_at, Text(*json, "made_at"));
  if (!absl::ParseTime(kTimeFormat, made_at, &manifest.made_at, nullptr)) return Damaged("made_at is no time");
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t folder_format, Count(*json, "folder_format"));
  manifest.folder_format = static_cast<int>(std::min<int64_t>(folder_format, 1'000'000));
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Json> tables, List(*json, "tables"));
  for (const Json& entry : tables) {
    Table table;
    LOGQUERY_ASSIGN_OR_RETURN(table.table, Text(entry, "table"));
    LOGQUERY_ASSIGN_OR_RETURN(table.rows, Count(entry, "rows"));
    manifest.tables.push_back(std::move(table));
  }
  LOGQUERY_RETURN_IF_ERROR(ParseFiles(*json, manifest.files));
  return manifest;
}

}  // namespace logquery::store
