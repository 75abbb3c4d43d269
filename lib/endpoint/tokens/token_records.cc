// Reads and prints the records of a token file, which holds digests instead of tokens.
#include "lib/endpoint/tokens/token_records.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/limits_json.h"
#include "logquery/parameter_binder.h"

namespace logquery::endpoint {
namespace {

using base::Json;

constexpr size_t kDigestDigits = 64;
constexpr size_t kIdDigits = 12;

std::string PrintTime(absl::Time time) { return absl::FormatTime(absl::RFC3339_full, time, absl::UTCTimeZone()); }

absl::Time ReadTime(base::JsonFields& fields, const char* key, const std::string& text) {
  const absl::StatusOr<absl::Time> time = ParseTimestamp(text);
  if (time.ok()) return *time;
  fields.Fail(key, base::StrCat("is wrong: ", time.status().message()));
  return absl::UnixEpoch();
}

bool IsDigest(std::string_view text) {
  return text.size() == kDigestDigits && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return absl::ascii_isdigit(c) || (c >= 'a' && c <= 'f');
         });
}

std::optional<int64_t> ReadQuota(base::JsonFields& fields, const char* key) {
  if (fields.Find(key) == nullptr) return std::nullopt;
  return fields.Integer(key, kLimitRange);
}

std::optional<IngestRights> ReadIngest(base::JsonFields& fields) {
  const Json* const json = fields.Find("ingest");
  if (json == nullptr) return std::nullopt;
  base::JsonFields own = fields.Inner(*json, base::StrCat(fields.Place("ingest"), "."));
  IngestRights rights;
  rights.logs = own.OptionalTexts("logs");
  rights.may_learn = own.Flag("may_learn", false);
  rights.rows_per_second = ReadQuota(own, "rows_per_second");
  rights.bytes_per_day = ReadQuota(own, "bytes_per_day");
  own.RefuseOthers();
  return rights;
}

Json PrintIngest(const IngestRights& rights) {
  Json json = Json::object();
  if (rights.logs.has_value()) json["logs"] = *rights.logs;
  if (rights.may_learn) json["may_learn"] = true;
  if (rights.rows_per_second.has_value()) json["rows_per_second"] = *rights.rows_per_second;
  if (rights.bytes_per_day.has_value()) json["bytes_per_day"] = *rights.bytes_per_day;
  return json;
}

TokenRecord ReadToken(const Json& json, const std::string& place, absl::Status& status) {
  base::JsonFields fields(json, place + ".", status);
  TokenRecord record;
  record.sha256 = fields.Text("sha256");
  if (!IsDigest(record.sha256)) fields.Fail("sha256", "must be 64 hexadecimal digits, lower case");
  record.id = fields.Text("id");
  if (record.id != record.sha256.substr(0, kIdDigits)) fields.Fail("id", "must be the first 12 digits of sha256");
  record.created = ReadTime(fields, "created", fields.Text("created"));
  if (const auto expires = fields.OptionalText("expires"); expires.has_value()) {
    record.expires = ReadTime(fields, "expires", *expires);
  }
  record.principal.token_id = record.id;
  record.principal.label = fields.Text("label", "");
  record.principal.endpoints = fields.OptionalTexts("endpoints");
  record.principal.fixed_parameters = fields.TextMap("fixed_parameters");
  record.principal.project_scope = fields.OptionalText("project_scope");
  record.principal.redact_pii = fields.Flag("redact_pii", false);
  record.principal.may_bypass_cache = fields.Flag("may_bypass_cache", false);
  if (fields.Find("max_rows") != nullptr) record.principal.max_rows = fields.Integer("max_rows", kLimitRange);
  record.principal.limits = ReadLimits(fields);
  record.principal.ingest = ReadIngest(fields);
  record.principal.may_read_metrics = fields.Flag("may_read_metrics", false);
  record.principal.may_save = fields.Flag("may_save", false);
  // A limit that this version does not know must not be dropped in silence.
  fields.RefuseOthers();
  return record;
}

Json PrintToken(const TokenRecord& record) {
  Json json = {{"id", record.id}, {"sha256", record.sha256}, {"label", record.principal.label}};
  json["created"] = PrintTime(record.created);
  if (record.expires.has_value()) json["expires"] = PrintTime(*record.expires);
  if (record.principal.endpoints.has_value()) json["endpoints"] = *record.principal.endpoints;
  if (!record.principal.fixed_parameters.empty()) json["fixed_parameters"] = record.principal.fixed_parameters;
  if (record.principal.project_scope.has_value()) json["project_scope"] = *record.principal.project_scope;
  if (record.principal.redact_pii) json["redact_pii"] = true;
  if (record.principal.may_bypass_cache) json["may_bypass_cache"] = true;
  if (record.principal.max_rows.has_value()) json["max_rows"] = *record.principal.max_rows;
  if (Json limits = PrintLimits(record.principal.limits); !limits.is_null()) json["limits"] = std::move(limits);
  if (record.principal.ingest.has_value()) json["ingest"] = PrintIngest(*record.principal.ingest);
  if (record.principal.may_read_metrics) json["may_read_metrics"] = true;
  if (record.principal.may_save) json["may_save"] = true;
  return json;
}

}  // namespace

absl::StatusOr<std::vector<TokenRecord>> ParseTokens(std::string_view source, std::string_view json) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json parsed, base::ParseJson(source, json));
  absl::Status status;
  base::JsonFields fields(parsed, base::StrCat(source, ": "), status);
  fields.Integer("version", {1, 1});
  const Json* tokens = fields.Find("tokens");
  fields.RefuseOthers();
  if (tokens == nullptr || !tokens->is_array()) fields.Fail("tokens", "must be a list");
  LOGQUERY_RETURN_IF_ERROR(status);
  std::vector<TokenRecord> records;
  for (size_t i = 0; i < tokens->size(); ++i) {
    records.push_back(ReadToken((*tokens)[i], base::StrCat(fields.Place("tokens"), "[", i, "]"), status));
  }
  LOGQUERY_RETURN_IF_ERROR(status);
  return records;
}

std::string PrintTokens(const std::vector<TokenRecord>& records) {
  Json tokens = Json::array();
  for (const TokenRecord& record : records) tokens.push_back(PrintToken(record));
  const Json file = {{"version", 1}, {"tokens", std::move(tokens)}};
  // Labels may hold anything; what is not UTF-8 must not make the file unreadable.
  return file.ToString(2) + "\n";
}

}  // namespace logquery::endpoint
