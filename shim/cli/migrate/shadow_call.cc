// Takes what a line has of a call, and drops the parameters that are about the answer's form: both servers are asked for
// JSON.
#include "shim/cli/migrate/shadow_call.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "lib/base/call_parameters.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

using base::Json;

bool IsAboutForm(std::string_view name) {
  return name == "format" || name == "int64" || name == "csv_safe" || name == "cursor";
}

void DropForm(ParameterTexts& parameters) {
  std::erase_if(parameters, [](const auto& parameter) { return IsAboutForm(parameter.first); });
}

std::string TextOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<ShadowCall> OfLogLine(std::string_view line) {
  const Json json = base::TryReadJson(line).value_or(nullptr);
  if (!json.is_object() || !json.contains("parameters") || !json["parameters"].is_object()) return std::nullopt;
  ShadowCall call;
  call.endpoint = TextOf(json, "endpoint");
  if (call.endpoint.empty()) return std::nullopt;
  for (const auto& [name, value] : json["parameters"].items()) {
    if (value.is_null()) continue;
    call.parameters.emplace_back(name, value.is_string() ? value.get<std::string>() : value.ToString());
  }
  call.redact_pii = json.value("redact_pii", Json(false)) == Json(true);
  DropForm(call.parameters);
  return call;
}

// The endpoint's part of a path; empty: it is no call.
std::string_view EndpointIn(std::string_view path) {
  for (const std::string_view prefix : {"/endpoints/query/name/", "/endpoints/query/"}) {
    const size_t at = path.find(prefix);
    if (at == path.npos) continue;
    const std::string_view name = path.substr(at + prefix.size());
    return name.find('/') == name.npos ? name : std::string_view();
  }
  return {};
}

std::optional<ShadowCall> OfUrl(std::string_view url) {
  const size_t question = std::min(url.find('?'), url.size());
  const std::string_view endpoint = EndpointIn(url.substr(0, question));
  const std::string_view query = url.substr(std::min(question + 1, url.size()));
  absl::StatusOr<std::string> name = base::PercentDecode(endpoint, false);
  absl::StatusOr<ParameterTexts> parameters = base::ParseQueryString(query.substr(0, query.find('#')));
  if (!name.ok() || name->empty() || !parameters.ok()) return std::nullopt;
  const bool dry_run = std::any_of(parameters->begin(), parameters->end(),
                                   [](const auto& parameter) { return parameter.first == "dry_run"; });
  if (dry_run) return std::nullopt;
  ShadowCall call{*std::move(name), *std::move(parameters), false};
  DropForm(call.parameters);
  return call;
}

}  // namespace

std::string ShadowCall::QueryString() const {
  std::string query;
  for (const auto& [name, text] : parameters) {
    base::StrAppend(&query, query.empty() ? "" : "&", base::PercentEncode(name), "=", base::PercentEncode(text));
  }
  return query;
}

std::string_view ShadowCall::sql() const {
  for (const auto& [name, text] : parameters) {
    if (name == "sql") return text;
  }
  return {};
}

std::optional<ShadowCall> ReadShadowCall(std::string_view line) {
  const std::string_view text = base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(line)));
  if (text.starts_with('{')) return OfLogLine(text);
  const bool is_url = text.starts_with('/') || text.starts_with("http://") || text.starts_with("https://");
  return is_url && text.find_first_of(" \t") == text.npos ? OfUrl(text) : std::nullopt;
}

}  // namespace logquery::shim
