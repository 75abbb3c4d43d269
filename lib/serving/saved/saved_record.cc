// Reads the newest revision from the object itself, so that an error in it has its own line.
#include "lib/serving/saved/saved_record.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/json_fields.h"
#include "lib/base/json_place.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

using base::Json;
using base::JsonFields;
using base::StrCat;

constexpr JsonFields::Range kRevisions = {1, std::numeric_limits<int64_t>::max() - 1};

absl::Time ReadTime(JsonFields& fields, const char* key) {
  const std::string text = fields.Text(key);
  absl::Time time;
  std::string problem;
  if (!fields.ok() || absl::ParseTime(absl::RFC3339_full, text, &time, &problem)) return time;
  fields.Fail(key, "must be a time such as 2026-01-31T08:00:00+00:00");
  return absl::UnixEpoch();
}

void ReadRevision(JsonFields& fields, SavedQuery& query, bool& deleted) {
  query.revision = fields.Integer("revision", kRevisions);
  query.saved_by = fields.Text("saved_by", "");
  query.token_id = fields.Text("token_id", "");
  query.saved_at = ReadTime(fields, "saved_at");
  deleted = fields.Flag("deleted", false);
  if (deleted) return;
  query.endpoint = fields.Text("endpoint");
  query.language = fields.Text("language", "bigquery");
  if (fields.ok() && query.language != "bigquery" && query.language != "clickhouse") {
    fields.Fail("language", "must be \"bigquery\" or \"clickhouse\"");
  }
  query.description = fields.Text("description", "");
  query.sql = fields.Text("sql");
}

// Adds the revisions of `former` behind the newest one. False: there is an error in them.
bool ReadFormer(JsonFields& fields, SavedRecord& record) {
  const Json* const former = fields.Find("former");
  if (former == nullptr || !fields.ok()) return true;
  if (!former->is_array()) {
    fields.Fail("former", "must be a list");
    return true;
  }
  for (size_t i = 0; i < former->size(); ++i) {
    JsonFields inner = fields.Inner((*former)[i], StrCat("former[", i, "]."));
    SavedQuery query;
    query.name = record.newest().name;
    query.project = record.newest().project;
    bool deleted = false;
    ReadRevision(inner, query, deleted);
    inner.RefuseOthers();
    if (inner.ok() && query.revision >= record.revisions.back().revision) {
      inner.Fail("revision", "must be less than that of the entry before");
    }
    if (!inner.ok()) return false;
    record.revisions.push_back(std::move(query));
    record.deleted.push_back(deleted);
  }
  return true;
}

Json RevisionJson(const SavedQuery& query, bool deleted) {
  Json json = {{"revision", query.revision}, {"saved_by", query.saved_by}};
  if (!query.token_id.empty()) json["token_id"] = query.token_id;
  json["saved_at"] = SavedTimeText(query.saved_at);
  if (deleted) {
    json["deleted"] = true;
    return json;
  }
  json["endpoint"] = query.endpoint;
  json["language"] = query.language;
  json["description"] = query.description;
  json["sql"] = query.sql;
  return json;
}

}  // namespace

std::string SavedTimeText(absl::Time time) { return absl::FormatTime(absl::RFC3339_full, time, absl::UTCTimeZone()); }

absl::StatusOr<SavedRecord> ParseSavedRecord(std::string_view source, std::string_view text) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson(source, text));
  absl::Status status;
  JsonFields fields(json, "", status);
  SavedRecord record;
  SavedQuery newest;
  newest.name = fields.Text("name");
  newest.project = fields.OptionalText("project");
  bool deleted = false;
  ReadRevision(fields, newest, deleted);
  record.revisions.push_back(std::move(newest));
  record.deleted.push_back(deleted);
  const bool has_former = ReadFormer(fields, record);
  if (status.ok()) fields.RefuseOthers();
  if (status.ok()) return record;
  const std::string place =
      base::PlaceInText(text, base::OffsetOfKey(text, has_former ? fields.wrong_field() : "former"));
  return absl::InvalidArgumentError(StrCat(source, " at ", place, ": ", base::Message(status)));
}

std::string PrintSavedRecord(const SavedRecord& record) {
  Json json = {{"name", record.newest().name}};
  if (record.newest().project) json["project"] = *record.newest().project;
  json.update(RevisionJson(record.newest(), record.is_deleted()));
  for (size_t i = 1; i < record.revisions.size(); ++i) {
    json["former"].push_back(RevisionJson(record.revisions[i], record.deleted[i]));
  }
  return json.ToString(2) + "\n";
}

}  // namespace logquery::serving
