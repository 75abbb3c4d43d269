// Parses query strings and JSON bodies into one list of texts.
#include "lib/base/call_parameters.h"

#include <algorithm>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::base {
namespace {

absl::Status CheckCount(const ParameterTexts& texts) {
  if (texts.size() < kMaxParameters) return absl::OkStatus();
  return absl::InvalidArgumentError(StrCat("there are more than ", kMaxParameters, " parameters"));
}

// A list is sent as its JSON text.
bool IsText(const Json& value) {
  if (!value.is_array()) return !value.is_object();
  return std::all_of(value.begin(), value.end(),
                     [](const auto& element) { return !element.is_structured() && !element.is_null(); });
}

bool Has(const ParameterTexts& texts, std::string_view name) {
  return std::any_of(texts.begin(), texts.end(), [name](const auto& text) { return text.first == name; });
}

}  // namespace

absl::Status WrongParameter(std::string_view name, std::string_view what) {
  ErrorDetails details;
  details.parameter = name;
  return WithErrorDetails(absl::InvalidArgumentError(StrCat("parameter ", name, " ", what)), details);
}

absl::StatusOr<ParameterTexts> ParseQueryString(std::string_view query) {
  ParameterTexts texts;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    const size_t equals = std::min(pair.find('='), pair.size());
    LOGQUERY_ASSIGN_OR_RETURN(std::string name, PercentDecode(pair.substr(0, equals), true));
    absl::StatusOr<std::string> value = PercentDecode(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!value.ok()) return WrongParameter(name, StrCat("can't be read: ", Message(value.status())));
    if (Has(texts, name)) return WrongParameter(name, "is given twice");
    LOGQUERY_RETURN_IF_ERROR(CheckCount(texts));
    texts.emplace_back(std::move(name), *std::move(value));
  }
  return texts;
}

absl::Status AddJsonBody(std::string_view body, ParameterTexts& texts) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, ParseWrittenJson("the request's body", body));
  if (!json.is_object()) {
    return absl::InvalidArgumentError(
        "the request's body must be a JSON object of parameters, like {\"project\":\"…\"}");
  }
  for (const auto& [name, value] : json.items()) {
    if (Has(texts, name)) return WrongParameter(name, "is given in both the URL and the body");
    if (!IsText(value)) return WrongParameter(name, "must be a string, a number, true or false, or a list of these");
    if (value.is_null()) continue;
    LOGQUERY_RETURN_IF_ERROR(CheckCount(texts));
    texts.emplace_back(name, value.is_string() ? value.get<std::string>() : value.ToString());
  }
  return absl::OkStatus();
}

absl::Status AddSqlOfBody(std::string_view body, ParameterTexts& texts) {
  if (Has(texts, "sql")) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, ParseJson("the request's body", body));
  if (!json.is_object()) return absl::InvalidArgumentError("the body of a GET must be a JSON object, {\"sql\":\"…\"}");
  const auto sql = json.find("sql");
  if (sql == json.end()) return absl::OkStatus();
  if (!sql->is_string()) return WrongParameter("sql", "must be a string");
  LOGQUERY_RETURN_IF_ERROR(CheckCount(texts));
  texts.emplace_back("sql", sql->get<std::string>());
  return absl::OkStatus();
}

}  // namespace logquery::base
