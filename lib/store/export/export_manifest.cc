// Reads what an earlier run has written with care: names in it become names of files.
#include "lib/store/export/export_manifest.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::store {
namespace {

using base::Json;

absl::Status Damaged(std::string_view what) {
  return absl::DataLossError(base::StrCat(kExportManifestName, " is damaged: ", what));
}

// "LOG/DAY.parquet", which leads nowhere else.
bool IsExportedName(std::string_view name) {
  const size_t slash = name.find('/');
  return slash != 0 && slash != std::string_view::npos && name.find('/', slash + 1) == std::string_view::npos &&
         name.front() != '.' && name[slash + 1] != '.' && name.ends_with(".parquet") &&
         name.find('\0') == std::string_view::npos;
}

bool IsBefore(const ExportedFile& file, std::string_view name) { return file.name < name; }

absl::StatusOr<ExportedFile> ParseFile(const Json& json) {
  constexpr base::JsonFields::Range kCount = {0, std::numeric_limits<int64_t>::max()};
  absl::Status status;
  base::JsonFields fields(json, "", status);
  ExportedFile file;
  file.name = fields.Text("name");
  file.table = fields.Text("table");
  file.rows = fields.Integer("rows", kCount);
  file.bytes = fields.Integer("bytes", kCount);
  file.sha256 = fields.Text("sha256");
  if (!status.ok()) return Damaged(base::Message(status));
  if (!IsExportedName(file.name)) return Damaged(base::StrCat("an export has no file \"", file.name, "\""));
  return file;
}

}  // namespace

const ExportedFile* ExportManifest::Find(std::string_view name) const {
  const auto found = std::lower_bound(files.begin(), files.end(), name, IsBefore);
  return found != files.end() && found->name == name ? &*found : nullptr;
}

void ExportManifest::Put(ExportedFile file) {
  const auto place = std::lower_bound(files.begin(), files.end(), file.name, IsBefore);
  if (place != files.end() && place->name == file.name) {
    *place = std::move(file);
  } else {
    files.insert(place, std::move(file));
  }
}

std::string ExportManifest::ToJson() const {
  Json json = {{"logquery_export", kFormat}, {"files", Json::array()}};
  for (const ExportedFile& file : files) {
    json["files"].push_back({{"name", file.name},
                             {"table", file.table},
                             {"rows", file.rows},
                             {"bytes", file.bytes},
                             {"sha256", file.sha256}});
  }
  return json.ToString(1) + "\n";
}

absl::StatusOr<ExportManifest> ExportManifest::Parse(std::string_view text) {
  const absl::StatusOr<Json> json = base::ParseJson(kExportManifestName, text);
  if (!json.ok()) return Damaged(base::Message(json.status()));
  const auto format = json->is_object() ? json->find("logquery_export") : json->end();
  if (format == json->end() || !format->is_number_integer()) {
    return absl::FailedPreconditionError(base::StrCat(
        kExportManifestName, " is not of an export: export into a new folder, or into one that only exports wrote to"));
  }
  if (format->get<int64_t>() > kFormat) {
    return absl::FailedPreconditionError(base::StrCat(kExportManifestName, " is of a newer logquery: its format is ",
                                                      format->get<int64_t>(), ", this version writes ", kFormat));
  }
  const auto list = json->find("files");
  if (list == json->end() || !list->is_array()) return Damaged("it has no list \"files\"");
  ExportManifest manifest;
  for (const Json& each : *list) {
    LOGQUERY_ASSIGN_OR_RETURN(ExportedFile file, ParseFile(each));
    manifest.Put(std::move(file));
  }
  return manifest;
}

}  // namespace logquery::store
