// Writes and parses the JSON of options and outcomes.
#include "lib/store/spool/spool_outcome.h"

#include <optional>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/learn/learned_fields.h"

namespace logquery::store {
namespace {

using base::Json;

constexpr std::pair<std::string_view, TimestampUnit> kUnits[] = {{"s", TimestampUnit::kSeconds},
                                                                 {"ms", TimestampUnit::kMilliseconds},
                                                                 {"us", TimestampUnit::kMicroseconds},
                                                                 {"ns", TimestampUnit::kNanoseconds}};

absl::Status SetOption(const std::string& key, const Json& value, SpoolFileOptions& options) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.ToString();
  if (key == "timestamp_unit") {
    for (const auto& [name, unit] : kUnits) {
      if (text != name) continue;
      options.timestamp_unit = unit;
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        base::StrCat("its options: timestamp_unit is one of s, ms, us and ns, not ", text));
  }
  if (key == "dedupe") {
    if (text != "id") return absl::InvalidArgumentError(base::StrCat("its options: dedupe can only be id, not ", text));
    options.dedupe_by_id = true;
    return absl::OkStatus();
  }
  if (key == "urgent" || key == "again") {
    if (!value.is_boolean()) {
      return absl::InvalidArgumentError(base::StrCat("its options: ", key, " is true or false, not ", text));
    }
    (key == "urgent" ? options.urgent : options.again) = value.get<bool>();
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      base::StrCat("its options: there are timestamp_unit, dedupe, again and urgent, and no ", key));
}

int64_t Count(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

std::string Text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

Json FieldsJson(const std::vector<LearnedField>& fields) {
  Json list = Json::array();
  for (const LearnedField& field : fields) {
    Json json = {{"path", field.path}, {"type", field.type.ToString()}};
    if (field.narrower != field.type) json["narrower"] = field.narrower.ToString();
    list.push_back(std::move(json));
  }
  return list;
}

std::vector<LearnedField> Fields(const Json& json, const char* key) {
  std::vector<LearnedField> fields;
  const auto list = json.find(key);
  if (list == json.end() || !list->is_array()) return fields;
  for (const Json& field : *list) {
    if (!field.is_object()) continue;
    const std::optional<Type> type = LearnedType(Text(field, "type"));
    if (type.has_value())
      fields.push_back({Text(field, "path"), *type, LearnedType(Text(field, "narrower")).value_or(*type)});
  }
  return fields;
}

}  // namespace

std::string SpoolFileOptions::ToJson() const {
  Json json = Json::object();
  for (const auto& [name, unit] : kUnits) {
    if (unit == timestamp_unit) json["timestamp_unit"] = name;
  }
  if (dedupe_by_id) json["dedupe"] = "id";
  if (again) json["again"] = true;
  if (urgent) json["urgent"] = true;
  return json.ToString() + "\n";
}

absl::StatusOr<SpoolFileOptions> SpoolFileOptions::Parse(std::string_view text) {
  SpoolFileOptions options;
  if (text.empty()) return options;
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("its options", text));
  if (!json.is_object()) return absl::InvalidArgumentError("its options are no JSON object");
  for (const auto& [key, value] : json.items()) LOGQUERY_RETURN_IF_ERROR(SetOption(key, value, options));
  return options;
}

std::string SpoolOutcome::ToJson() const {
  Json json = {{"outcome", outcome}};
  if (!reason.empty()) json["reason"] = reason;
  json["rows"] = rows;
  json["rejected_rows"] = rejected_rows;
  json["duplicate_rows"] = duplicate_rows;
  Json& lines = json["rejected"] = Json::array();
  for (const Rejected& row : rejected) lines.push_back({{"line", row.line}, {"reason", row.reason}});
  Json& counts = json["rejected_by_reason"] = Json::array();
  for (const RejectedCount& count : rejected_by_reason) {
    counts.push_back({{"reason", count.reason}, {"rows", count.rows}});
  }
  json["undeclared_fields"] = undeclared_fields;
  if (!learned_fields.empty()) json["learned_fields"] = FieldsJson(learned_fields);
  if (!widened_fields.empty()) json["widened_fields"] = FieldsJson(widened_fields);
  // A reason may quote bytes of the file that are no text.
  return json.ToString() + "\n";
}

absl::StatusOr<SpoolOutcome> SpoolOutcome::Parse(std::string_view text) {
  const absl::StatusOr<Json> json = base::ParseJson("an outcome", text);
  if (!json.ok() || !json->is_object()) return absl::DataLossError("the outcome of a file can't be read");
  SpoolOutcome outcome;
  outcome.outcome = Text(*json, "outcome");
  outcome.reason = Text(*json, "reason");
  outcome.rows = Count(*json, "rows");
  outcome.rejected_rows = Count(*json, "rejected_rows");
  outcome.duplicate_rows = Count(*json, "duplicate_rows");
  if (const auto lines = json->find("rejected"); lines != json->end() && lines->is_array()) {
    for (const Json& line : *lines) {
      if (line.is_object()) outcome.rejected.push_back({Count(line, "line"), Text(line, "reason")});
    }
  }
  // Older servers do not write it.
  if (const auto counts = json->find("rejected_by_reason"); counts != json->end() && counts->is_array()) {
    for (const Json& count : *counts) {
      if (count.is_object()) outcome.rejected_by_reason.push_back({Text(count, "reason"), Count(count, "rows")});
    }
  }
  if (const auto fields = json->find("undeclared_fields"); fields != json->end() && fields->is_array()) {
    for (const Json& field : *fields) {
      if (field.is_string()) outcome.undeclared_fields.push_back(field.get<std::string>());
    }
  }
  outcome.learned_fields = Fields(*json, "learned_fields");
  outcome.widened_fields = Fields(*json, "widened_fields");
  const bool known = outcome.outcome == "loaded" || outcome.outcome == "skipped" || outcome.outcome == "failed";
  return known ? absl::StatusOr<SpoolOutcome>(std::move(outcome))
               : absl::DataLossError("the outcome of a file can't be read");
}

}  // namespace logquery::store
