// The reference's fields and their JSON types: 64-bit numbers are strings there, 32-bit ones numbers.
#include "tests/bigquery/rest_checks.h"

#include <openssl/evp.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <regex>
#include <set>

#include "absl/strings/escaping.h"
#include "lib/base/strings.h"

namespace logquery::testing {
namespace {

using base::StrCat;
using Json = nlohmann::ordered_json;
using Check = std::function<bool(const Json&)>;

bool IsText(const Json& json) { return json.is_string(); }
bool IsBool(const Json& json) { return json.is_boolean(); }
bool IsUint32(const Json& json) { return json.is_number_unsigned() && json.get<uint64_t>() <= 0xffffffff; }
bool Matches(const Json& json, const char* pattern) {
  return json.is_string() && std::regex_match(json.get<std::string>(), std::regex(pattern));
}
bool IsInt64Text(const Json& json) { return Matches(json, "-?[0-9]{1,19}"); }
// "up to 36 ASCII characters, a UUID is recommended"
bool IsRequestId(const Json& json) { return Matches(json, "[0-9A-Za-z_-]{1,36}"); }
bool IsLocation(const Json& json) { return Matches(json, "[A-Za-z0-9-]+"); }

bool AreLabels(const Json& json) {
  if (!json.is_object()) return false;
  return std::all_of(json.items().begin(), json.items().end(), [](const auto& item) {
    return Matches(Json(item.key()), "[a-z][a-z0-9_-]{0,62}") && Matches(item.value(), "[a-z0-9_-]{0,63}");
  });
}

bool IsFormat(const Json& json) {
  return json.is_object() && json.size() == 1 && json.contains("useInt64Timestamp") &&
         json["useInt64Timestamp"].is_boolean();
}

bool IsScalarType(const Json& json) {
  static const auto& types =
      *new std::set<std::string>{"BOOL", "INT64",    "FLOAT64", "NUMERIC",   "BIGNUMERIC", "STRING", "BYTES",
                                 "DATE", "DATETIME", "TIME",    "TIMESTAMP", "INTERVAL",   "JSON",   "GEOGRAPHY"};
  return json.is_object() && json.size() == 1 && json.contains("type") && IsText(json["type"]) &&
         types.contains(json["type"].get<std::string>());
}

// QueryParameterValue of a scalar: a value that is text, or none, which is NULL.
bool IsScalarValue(const Json& json) {
  return json.is_object() && (json.empty() || (json.size() == 1 && json.contains("value") && IsText(json["value"])));
}

bool IsParameter(const Json& json) {
  if (!json.is_object() || json.size() != 3 || !json.contains("parameterType") || !json.contains("parameterValue"))
    return false;
  if (!Matches(json.value("name", Json()), "[A-Za-z_][A-Za-z0-9_]*")) return false;
  const Json& type = json["parameterType"];
  const Json& value = json["parameterValue"];
  if (type.value("type", "") != "ARRAY") return IsScalarType(type) && IsScalarValue(value);
  if (type.size() != 2 || !IsScalarType(type.value("arrayType", Json()))) return false;
  if (value.empty()) return value.is_object();
  if (value.size() != 1 || !value.contains("arrayValues") || !value["arrayValues"].is_array()) return false;
  return std::all_of(value["arrayValues"].begin(), value["arrayValues"].end(), IsScalarValue);
}

bool AreParameters(const Json& json) { return json.is_array() && std::all_of(json.begin(), json.end(), IsParameter); }

const std::map<std::string, Check>& QueryFields() {
  static const auto& fields =
      *new std::map<std::string, Check>{{"query", IsText},
                                        {"maxResults", IsUint32},
                                        {"timeoutMs", IsUint32},
                                        {"jobTimeoutMs", IsInt64Text},
                                        {"dryRun", IsBool},
                                        {"useLegacySql", IsBool},
                                        {"parameterMode", [](const Json& json) { return json == "NAMED"; }},
                                        {"queryParameters", AreParameters},
                                        {"location", IsLocation},
                                        {"formatOptions", IsFormat},
                                        {"labels", AreLabels},
                                        {"maximumBytesBilled", IsInt64Text},
                                        {"requestId", IsRequestId}};
  return fields;
}

// The text without what stands in quotes, which our emitter writes on one line each.
std::string WithoutQuoted(const std::string& sql) {
  std::string rest;
  for (size_t at = 0; at < sql.size(); ++at) {
    const char quote = sql[at];
    if (quote != '\'' && quote != '"' && quote != '`') {
      rest += quote;
      continue;
    }
    for (++at; at < sql.size() && sql[at] != quote; ++at) at += sql[at] == '\\' ? 1 : 0;
  }
  return rest;
}

// The names after @ in the text.
std::set<std::string> NamedIn(const std::string& text) {
  const std::string sql = WithoutQuoted(text);
  std::set<std::string> names;
  const std::regex name("@([A-Za-z_][A-Za-z0-9_]*)");
  for (auto at = std::sregex_iterator(sql.begin(), sql.end(), name); at != std::sregex_iterator(); ++at)
    names.insert((*at)[1]);
  return names;
}

std::string DecodedPart(const std::string& part) {
  std::string text;
  return absl::WebSafeBase64Unescape(part, &text) ? text : std::string();
}

bool IsSignedBy(evp_pkey_st* key, const std::string& text, const std::string& signature) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  return EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
         EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()), signature.size(),
                          reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1;
}

std::string Of(const std::multimap<std::string, std::string>& form, const std::string& name) {
  const auto found = form.find(name);
  return found == form.end() || form.count(name) != 1 ? "" : found->second;
}

}  // namespace

std::string WrongInQuery(const Json& body) {
  if (!body.is_object()) return "the body is no JSON object";
  for (const auto& [name, value] : body.items()) {
    const auto field = QueryFields().find(name);
    if (field == QueryFields().end()) return StrCat("there is no field ", name);
    if (!field->second(value)) return StrCat("the field ", name, " is ", value.dump());
  }
  if (!body.contains("query")) return "there is no query";
  // The default of useLegacySql is true.
  if (body.value("useLegacySql", true)) return "the query is legacy SQL";
  std::set<std::string> given;
  for (const Json& parameter : body.value("queryParameters", Json::array())) {
    if (!given.insert(parameter["name"].get<std::string>()).second) return "two parameters have one name";
  }
  if (!given.empty() && !body.contains("parameterMode")) return "named parameters without parameterMode";
  for (const std::string& name : NamedIn(body["query"].get<std::string>())) {
    if (!given.contains(name)) return StrCat("the query names @", name, ", which is not given");
  }
  return "";
}

std::string WrongInUrl(const std::string& method, const std::multimap<std::string, std::string>& parameters) {
  static const auto& patterns = *new std::map<std::string, std::map<std::string, std::string>>{
      {"getQueryResults",
       {{"maxResults", "[0-9]{1,9}"},
        {"timeoutMs", "[0-9]{1,9}"},
        {"startIndex", "[0-9]{1,19}"},
        {"pageToken", "[^]+"},
        {"location", "[A-Za-z0-9-]+"},
        {"formatOptions.useInt64Timestamp", "true|false"}}},
      {"cancel", {{"location", "[A-Za-z0-9-]+"}}},
      {"tables.get",
       {{"view", "BASIC|STORAGE_STATS|FULL|TABLE_METADATA_VIEW_UNSPECIFIED"}, {"selectedFields", "[^]+"}}}};
  const auto& known = patterns.at(method);
  for (const auto& [name, value] : parameters) {
    const auto pattern = known.find(name);
    if (pattern == known.end()) return StrCat(method, " has no parameter ", name);
    if (!std::regex_match(value, std::regex(pattern->second))) return StrCat(method, "'s ", name, " is ", value);
    if (parameters.count(name) > 1) return StrCat(method, "'s ", name, " stands twice");
  }
  return "";
}

std::string WrongInTokenRequest(const std::multimap<std::string, std::string>& form, evp_pkey_st* key,
                                const std::string& email, const std::string& url, int64_t now_seconds) {
  if (Of(form, "grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer") return "the grant_type is another";
  const std::string assertion = Of(form, "assertion");
  std::smatch parts;
  if (!std::regex_match(assertion, parts, std::regex("([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)"))) {
    return "the assertion is no JWT";
  }
  if (!IsSignedBy(key, StrCat(parts[1].str(), ".", parts[2].str()), DecodedPart(parts[3])))
    return "the signature is wrong";
  const Json head = Json::parse(DecodedPart(parts[1]), nullptr, false),
             claims = Json::parse(DecodedPart(parts[2]), nullptr, false);
  if (!head.is_object() || head.value("alg", "") != "RS256" || head.value("typ", "") != "JWT")
    return "the header is wrong";
  if (!claims.is_object() || claims.value("iss", "") != email || claims.value("aud", "") != url)
    return "iss or aud is wrong";
  if (claims.value("scope", "").find("https://www.googleapis.com/auth/") != 0) return "the scope is wrong";
  const int64_t issued = claims.value("iat", int64_t{0}), expires = claims.value("exp", int64_t{0});
  if (expires <= issued || expires - issued > 3'600) return "it holds for more than an hour";
  return issued > now_seconds + 60 || expires <= now_seconds ? "it does not hold now" : "";
}

}  // namespace logquery::testing
