// Endpoint::FromJson. The form of a definition, with everything that it may have:
//
//     {"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11", "name": "logs.all", "description": "The newest logs.",
//      "max_rows": 1000,
//      "caching": "disabled",             or a number of seconds
//      "cache_warming": 300,              seconds; may be absent
//      "query_sandboxing": true, "private_ctes": ["retention"],
//      "limits": {"max_result_bytes": 1000000, "time_limit_ms": 5000, "max_concurrent": 4, "calls_per_minute": 60},
//      "redact_pii": false, "redact_email": true, "redact_patterns": ["\\bcus_[A-Za-z0-9]+"],
//      "parameters": [
//        {"name": "project", "type": "STRING", "required": true, "pattern": true, "max_length": 1000,
//         "description": "Whose logs."},
//        {"name": "interval", "type": "STRING", "default": "1day", "allowed": ["1hr", "1day"]},
//        {"name": "start", "computed": {"by": "retention", "from": "project_tier"}},
//        {"name": "starts", "computed": {"by": "buckets", "from": "interval", "otherwise": "1day",
//                                        "buckets": {"1day": {"count": 1, "label": "day_hour"}}}},
//        {"name": "since", "computed": {"by": "window_start", "from": "interval", "windows": {"1hr": 3600}}}]}
//
// The windows are seconds. A computed parameter's type follows from `by`; it may be written, and then has to agree.
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/json.h"
#include "lib/base/json_fields.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/limits_json.h"
#include "lib/endpoint/parameter_text.h"
#include "lib/endpoint/uuid.h"
#include "logquery/endpoint.h"
#include "logquery/interval_bucketer.h"
#include "nlohmann/json.hpp"

namespace logquery {
namespace {

using base::JsonFields;
using base::QuotedText;
using Json = nlohmann::ordered_json;

constexpr JsonFields::Range kRows = {1, 10'000'000};
constexpr JsonFields::Range kCacheSeconds = {1, 31'536'000};
constexpr JsonFields::Range kWindowSeconds = {1, 315'360'000};
constexpr JsonFields::Range kCharacters = {1, 1'000'000};
constexpr JsonFields::Range kBuckets = {1, IntervalBucketer::kMaxBuckets};

bool IsIdentifier(std::string_view text) {
  if (text.empty() || absl::ascii_isdigit(static_cast<unsigned char>(text.front()))) return false;
  for (const unsigned char c : text) {
    if (!absl::ascii_isalnum(c) && c != '_') return false;
  }
  return true;
}

// A number of seconds, or "disabled" or nothing for none.
std::optional<absl::Duration> ReadSeconds(JsonFields& fields, const char* key) {
  const Json* json = fields.Find(key);
  if (json == nullptr || *json == "disabled") return std::nullopt;
  if (json->is_string()) {
    fields.Fail(key, base::StrCat("must be \"disabled\" or a number of seconds, is ", base::ShortJson(*json)));
    return std::nullopt;
  }
  return absl::Seconds(fields.Integer(key, kCacheSeconds));
}

void ReadRedaction(JsonFields& fields, RedactionKinds& kinds) {
  kinds.email = fields.Flag("redact_email", false);
  kinds.patterns = fields.OptionalTexts("redact_patterns").value_or(std::vector<std::string>());
  const auto redactor = Redactor::Create(kinds);
  if (!redactor.ok()) fields.Fail("redact_patterns", base::StrCat("is wrong: ", base::Message(redactor.status())));
}

Type ComputedType(ComputedParameter::By by) {
  return by == ComputedParameter::By::kBuckets ? Type::Array(Type::Timestamp()) : Type::Timestamp();
}

ComputedParameter::By ReadBy(JsonFields& fields) {
  const std::string by = fields.Text("by");
  if (by == "buckets") return ComputedParameter::By::kBuckets;
  if (by == "window_start") return ComputedParameter::By::kWindowStart;
  if (by != "retention")
    fields.Fail("by", base::StrCat("must be retention, buckets or window_start, is ", QuotedText(by)));
  return ComputedParameter::By::kRetention;
}

std::map<std::string, ComputedParameter::Buckets> ReadBuckets(JsonFields& fields, absl::Status& status) {
  std::map<std::string, ComputedParameter::Buckets> choices;
  const Json* json = fields.Find("buckets");
  if (json == nullptr || !json->is_object() || json->empty()) {
    fields.Fail("buckets", "must be an object of text → {\"count\", \"label\"}");
    return choices;
  }
  for (const auto& [text, entry] : json->items()) {
    const std::string place = fields.Place("buckets") + "." + text;
    JsonFields entry_fields(entry, place + ".", status);
    ComputedParameter::Buckets& buckets = choices[text];
    buckets.count = static_cast<int>(entry_fields.Integer("count", kBuckets));
    buckets.label = entry_fields.Text("label");
    entry_fields.RefuseOthers();
    const auto starts = IntervalBucketer::Generate(buckets.count, buckets.label, absl::UnixEpoch());
    if (!starts.ok()) entry_fields.Fail("", base::StrCat("is wrong: ", starts.status().message()));
  }
  return choices;
}

std::map<std::string, absl::Duration> ReadWindows(JsonFields& fields, absl::Status& status) {
  std::map<std::string, absl::Duration> windows;
  const Json* json = fields.Find("windows");
  if (json == nullptr || !json->is_object() || json->empty()) {
    fields.Fail("windows", "must be an object of text → seconds");
    return windows;
  }
  JsonFields entries(*json, fields.Place("windows") + ".", status);
  for (const auto& [text, unused] : json->items()) {
    windows[text] = absl::Seconds(entries.Integer(text.c_str(), kWindowSeconds));
  }
  return windows;
}

ComputedParameter ReadComputed(const Json& json, const std::string& place, absl::Status& status) {
  JsonFields fields(json, place + ".", status);
  ComputedParameter computed;
  computed.by = ReadBy(fields);
  computed.from = fields.Text("from");
  if (computed.by == ComputedParameter::By::kBuckets) computed.buckets = ReadBuckets(fields, status);
  if (computed.by == ComputedParameter::By::kWindowStart) computed.windows = ReadWindows(fields, status);
  if (computed.by != ComputedParameter::By::kRetention) computed.otherwise = fields.Text("otherwise", "");
  fields.RefuseOthers();
  const std::string& key = computed.otherwise;
  if (!key.empty() && !computed.buckets.contains(key) && !computed.windows.contains(key)) {
    fields.Fail("otherwise", base::StrCat("must be one of the texts listed here, is ", QuotedText(key)));
  }
  return computed;
}

Type ReadParameterType(JsonFields& fields) {
  const std::string name = fields.Text("type");
  for (const TypeKind kind : {TypeKind::kString, TypeKind::kInt64, TypeKind::kFloat64, TypeKind::kBool, TypeKind::kDate,
                              TypeKind::kTimestamp}) {
    if (base::EqualsIgnoreCase(name, TypeKindName(kind))) return Type(kind);
  }
  fields.Fail("type", base::StrCat("must be STRING, INT64, FLOAT64, BOOL, DATE or TIMESTAMP, is ", QuotedText(name)));
  return Type::String();
}

void ReadSentParameter(JsonFields& fields, Parameter& parameter) {
  parameter.type = ReadParameterType(fields);
  parameter.required = fields.Flag("required", false);
  parameter.default_text = fields.OptionalText("default");
  parameter.allowed = fields.OptionalTexts("allowed").value_or(std::vector<std::string>());
  parameter.is_pattern = fields.Flag("pattern", false);
  parameter.max_length = fields.Integer("max_length", kCharacters, parameter.max_length);
  if (parameter.is_pattern && !parameter.type.is(TypeKind::kString)) {
    fields.Fail("pattern", base::StrCat("wants type STRING, not ", parameter.type.ToString()));
  }
  if (!parameter.default_text.has_value()) return;
  if (parameter.required) fields.Fail("default", "has no use: the parameter is required");
  if (parameter.default_text->empty()) return fields.Fail("default", "is empty; leave it out for NULL");
  const auto value = endpoint::ParseParameter(parameter, *parameter.default_text);
  if (!value.ok()) fields.Fail("default", base::StrCat("is wrong: ", value.status().message()));
}

Parameter ReadParameter(const Json& json, const std::string& place, absl::Status& status) {
  JsonFields fields(json, place + ".", status);
  Parameter parameter;
  parameter.name = fields.Text("name");
  parameter.description = fields.Text("description", "");
  if (!IsIdentifier(parameter.name)) {
    fields.Fail("name", base::StrCat("must be letters, digits and _, is ", QuotedText(parameter.name)));
  }
  if (parameter.name == "sql") fields.Fail("name", "must not be \"sql\": that is how a caller sends a query");
  if (const Json* computed = fields.Find("computed"); computed != nullptr) {
    parameter.computed = ReadComputed(*computed, fields.Place("computed"), status);
    parameter.type = ComputedType(parameter.computed->by);
    const std::string type = fields.Text("type", parameter.type.ToString());
    if (!base::EqualsIgnoreCase(type, parameter.type.ToString())) {
      fields.Fail("type", base::StrCat("must be ", parameter.type.ToString(), ", is ", QuotedText(type)));
    }
  } else {
    ReadSentParameter(fields, parameter);
  }
  fields.RefuseOthers();
  return parameter;
}

// What can be said only when all parameters are known.
absl::Status CheckParameters(std::string_view source, const Endpoint& endpoint) {
  const auto error = [&](size_t i, std::string_view field, std::string_view problem) {
    return absl::InvalidArgumentError(base::StrCat(source, ": parameters[", i, "].", field, " ", problem));
  };
  base::NameSet names;
  for (size_t i = 0; i < endpoint.parameters.size(); ++i) {
    const Parameter& parameter = endpoint.parameters[i];
    if (!names.insert(parameter.name).second) {
      return error(i, "name", base::StrCat("is taken by another parameter, but for letter case: ", parameter.name));
    }
    if (!parameter.computed.has_value()) continue;
    const Parameter* from = endpoint.FindParameter(parameter.computed->from);
    if (from == nullptr || from->computed.has_value()) {
      return error(
          i, "computed.from",
          base::StrCat("must name a parameter that a caller sends, is ", QuotedText(parameter.computed->from)));
    }
  }
  return absl::OkStatus();
}

void ReadParameters(JsonFields& fields, Endpoint& endpoint, absl::Status& status) {
  const Json* json = fields.Find("parameters");
  if (json == nullptr) return;
  if (!json->is_array()) return fields.Fail("parameters", "must be a list of objects");
  for (size_t i = 0; i < json->size(); ++i) {
    const std::string place = base::StrCat(fields.Place("parameters"), "[", i, "]");
    endpoint.parameters.push_back(ReadParameter((*json)[i], place, status));
  }
}

}  // namespace

absl::StatusOr<Endpoint> Endpoint::FromJson(std::string_view source, std::string_view json, std::string_view sql) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json parsed, base::ParseJson(source, json));
  absl::Status status;
  JsonFields fields(parsed, base::StrCat(source, ": "), status);
  Endpoint endpoint;
  endpoint.id = fields.Text("id");
  endpoint.name = fields.Text("name");
  endpoint.description = fields.Text("description", "");
  endpoint.query = sql;
  endpoint.max_rows = fields.Integer("max_rows", kRows, endpoint.max_rows);
  endpoint.caching = ReadSeconds(fields, "caching");
  endpoint.cache_warming = ReadSeconds(fields, "cache_warming");
  endpoint.query_sandboxing = fields.Flag("query_sandboxing", false);
  endpoint.redact_pii = fields.Flag("redact_pii", false);
  ReadRedaction(fields, endpoint.redaction);
  endpoint.limits = endpoint::ReadLimits(fields, status);
  endpoint.private_ctes = fields.OptionalTexts("private_ctes").value_or(std::vector<std::string>());
  ReadParameters(fields, endpoint, status);
  fields.RefuseOthers();
  if (!IsUuid(endpoint.id)) fields.Fail("id", base::StrCat("must be a UUID, is ", QuotedText(endpoint.id)));
  if (endpoint.name.empty()) fields.Fail("name", "must not be empty");
  if (endpoint.cache_warming.has_value() && !endpoint.caching.has_value()) {
    fields.Fail("cache_warming", "has no use: caching is disabled");
  }
  if (sql.find_first_not_of(" \t\r\n") == std::string_view::npos) fields.Fail("query", "is empty: there is no SQL");
  LOGQUERY_RETURN_IF_ERROR(status);
  LOGQUERY_RETURN_IF_ERROR(CheckParameters(source, endpoint));
  return endpoint;
}

}  // namespace logquery
