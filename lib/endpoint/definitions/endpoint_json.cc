// Endpoint::FromJson. The form of a definition, with everything that it may have:
//
//     {"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11", "name": "logs.all", "description": "The newest logs.",
//      "aliases": ["logs"],               further names of it
//      "language": "bigquery",            or "clickhouse"
//      "max_rows": 1000,
//      "caching": "disabled",             or a number of seconds
//      "cache_warming": 300,              seconds; may be absent
//      "query_sandboxing": true, "private_ctes": ["retention"],
//      "limits": {"max_result_bytes": 1000000, "time_limit_ms": 5000, "max_concurrent": 4, "calls_per_minute": 60},
//      "revision": "2026-01-31",          names this state of it to callers; without it a digest does
//      "redact_pii": false, "redact_email": true, "redact_patterns": ["\\bcus_[A-Za-z0-9]+"],
//      "labels": "environment=production,tenant=@project,session_id",       fixed, of a parameter, of the caller's header
//      "parameters": [
//        {"name": "project", "type": "STRING", "required": true, "pattern": true, "max_length": 1000,
//         "description": "Whose logs."},
//        {"name": "count", "type": "INT64", "minimum": 1, "maximum": 100, "default": 10},
//        {"name": "interval", "type": "ENUM", "default": "1day", "allowed": ["1hr", "1day"], "examples": ["1hr"]},
//        {"name": "ids", "type": "ARRAY<STRING>", "default": ["a", "b"]},
//        {"name": "floor", "computed": {"by": "retention", "from": "project_tier", "start": "since", "end": "until"}},
//        {"name": "starts", "computed": {"by": "buckets", "from": "interval", "otherwise": "1day",
//                                        "buckets": {"1day": {"count": 1, "label": "day_hour"}}}},
//        {"name": "hour", "computed": {"by": "window_start", "from": "interval", "windows": {"1hr": 3600}}}]}
//
// The windows are seconds. A computed parameter's type follows from `by`; it may be written, and then has to agree.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "lib/base/json_map.h"
#include "lib/base/json_parse.h"
#include "lib/base/quoted_text.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/definition_json.h"
#include "lib/endpoint/definitions/labels.h"
#include "lib/endpoint/definitions/limits_json.h"
#include "lib/endpoint/definitions/parameter_json.h"
#include "lib/endpoint/definitions/uuid.h"
#include "logquery/endpoint.h"

namespace logquery {
namespace {

using base::Json;
using base::JsonFields;
using base::QuotedText;

constexpr JsonFields::Range kRows = {1, 10'000'000};
constexpr JsonFields::Range kCacheSeconds = {1, 31'536'000};

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

// Runs after the parameters are read, because labels may name them.
void ReadLabels(JsonFields& fields, Endpoint& endpoint) {
  const std::optional<std::string> text = fields.OptionalText("labels");
  if (!text) return;
  absl::StatusOr<std::vector<EndpointLabel>> labels = endpoint::ParseLabels(*text);
  if (!labels.ok()) return fields.Fail("labels", base::Message(labels.status()));
  for (const EndpointLabel& label : *labels) {
    if (label.from != EndpointLabel::From::kParameter) continue;
    const Parameter* const parameter = endpoint.FindParameter(label.value);
    if (parameter != nullptr && !parameter->computed) continue;
    return fields.Fail("labels", base::StrCat("names the parameter ", label.value, ", which the definition ",
                                              parameter != nullptr ? "computes" : "does not have"));
  }
  endpoint.labels = *std::move(labels);
}

// A definition that replaces a built-in one may leave its id out.
std::string ReadId(JsonFields& fields, const std::optional<std::string>& name) {
  const std::optional<std::string> id = fields.OptionalText("id");
  if (id) {
    if (!IsUuid(*id)) fields.Fail("id", base::StrCat("must be a UUID, is ", QuotedText(*id)));
    return *id;
  }
  if (fields.Find("id") == nullptr && name) {
    for (const Endpoint& known : Endpoint::BuiltIn()) {
      if (known.name == *name) return known.id;
    }
  }
  fields.FailMissing("id");
  return "";
}

std::string ReadName(JsonFields& fields, const std::optional<std::string>& name) {
  if (!name) fields.FailMissing("name");
  if (name && name->empty()) fields.Fail("name", "must not be empty");
  if (name && IsUuid(*name)) fields.Fail("name", "has the form of an id; choose another");
  return name.value_or("");
}

bool IsRevision(std::string_view text) {
  if (text.empty() || text.size() > 64) return false;
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-'; });
}

std::string ReadRevision(JsonFields& fields, const Json& parsed, std::string_view sql) {
  if (const std::optional<std::string> given = fields.OptionalText("revision")) {
    if (!IsRevision(*given)) {
      fields.Fail("revision", base::StrCat("must be 1 to 64 letters, digits, dots, - and _, is ", QuotedText(*given)));
    }
    return *given;
  }
  constexpr size_t kDigits = 16;
  return base::Sha256Hex(base::StrCat(parsed.ToString(), "\n", sql)).substr(0, kDigits);
}

QueryLanguage ReadLanguage(JsonFields& fields) {
  const std::string language = fields.OptionalText("language").value_or("bigquery");
  if (language == "clickhouse") return QueryLanguage::kClickHouse;
  if (language != "bigquery") {
    fields.Fail("language", base::StrCat("must be \"bigquery\" or \"clickhouse\", is ", QuotedText(language)));
  }
  return QueryLanguage::kBigQuery;
}

Endpoint ReadFields(JsonFields fields, const Json& parsed, std::string_view sql) {
  Endpoint endpoint;
  fields.Find("id");  // the first field that is known
  const std::optional<std::string> name = fields.OptionalText("name");
  endpoint.id = ReadId(fields, name);
  endpoint.name = ReadName(fields, name);
  endpoint.aliases = fields.OptionalTexts("aliases").value_or(std::vector<std::string>());
  endpoint.description = fields.Text("description", "");
  endpoint.language = ReadLanguage(fields);
  endpoint.query = sql;
  endpoint.max_rows = fields.Integer("max_rows", kRows, endpoint.max_rows);
  endpoint.caching = ReadSeconds(fields, "caching");
  endpoint.cache_warming = ReadSeconds(fields, "cache_warming");
  endpoint.query_sandboxing = fields.Flag("query_sandboxing", false);
  endpoint.redact_pii = fields.Flag("redact_pii", false);
  ReadRedaction(fields, endpoint.redaction);
  endpoint.limits = endpoint::ReadLimits(fields);
  endpoint.private_ctes = fields.OptionalTexts("private_ctes").value_or(std::vector<std::string>());
  endpoint.parameters = endpoint::ReadParameters(fields);
  ReadLabels(fields, endpoint);
  endpoint.revision = ReadRevision(fields, parsed, sql);
  fields.RefuseOthers();
  if (endpoint.cache_warming.has_value() && !endpoint.caching.has_value()) {
    fields.Fail("cache_warming", "has no use: caching is disabled");
  }
  return endpoint;
}

bool IsBlank(std::string_view sql) { return sql.find_first_not_of(" \t\r\n") == std::string_view::npos; }
constexpr std::string_view kNoQuery = "query is empty: there is no SQL";

}  // namespace

absl::StatusOr<Endpoint> Endpoint::FromJson(std::string_view source, std::string_view json, std::string_view sql) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json parsed, base::ParseWrittenJson(source, json));
  absl::Status status;
  Endpoint endpoint = ReadFields(JsonFields(parsed, base::StrCat(source, ": "), status), parsed, sql);
  LOGQUERY_RETURN_IF_ERROR(status);
  if (IsBlank(sql)) return absl::InvalidArgumentError(base::StrCat(source, ": ", kNoQuery));
  return endpoint;
}

namespace endpoint {

Endpoint ReadDefinition(std::string_view json, std::string_view sql, std::vector<DefinitionProblem>& problems) {
  const auto add = [&problems](bool in_query, size_t offset, std::string_view message) {
    problems.push_back({in_query, offset, std::string(message)});
  };
  if (IsBlank(sql)) add(true, 0, kNoQuery);
  Json parsed;
  base::JsonTextError error;
  if (!base::ParseJsonText(json, parsed, error)) {
    add(false, error.offset, base::StrCat(error.syntax ? "not JSON: " : "the JSON ", error.message));
    Endpoint unread;
    unread.query = sql;
    return unread;
  }
  base::JsonProblems found;
  absl::Status first;
  Endpoint endpoint = ReadFields(JsonFields(parsed, "", first, &found), parsed, sql);
  const base::JsonMap map(json, parsed);
  for (const base::JsonProblem& problem : found.all()) {
    add(false, map.OffsetOfMember(*problem.object, problem.key), problem.message);
  }
  return endpoint;
}

}  // namespace endpoint
}  // namespace logquery
