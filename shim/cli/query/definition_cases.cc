// Parses cases strictly, because a test with a misspelt field would test nothing.
#include "shim/cli/query/definition_cases.h"

#include <set>

#include "lib/base/json.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

using base::Json;
using base::JsonFields;

constexpr std::string_view kRedact = "LF-ENDPOINT-REDACT-PII";

void ReadRows(JsonFields& fields, DefinitionCases& cases) {
  const Json* rows = fields.Find("rows");
  if (rows == nullptr) return;
  if (!rows->is_object()) return fields.Fail("rows", "must be an object of a log's name → its rows");
  for (const auto& [log, list] : rows->items()) {
    if (!list.is_array()) return fields.Fail("rows", base::StrCat("of ", log, " must be a list of objects"));
    std::string lines;
    for (const Json& row : list) {
      if (!row.is_object()) return fields.Fail("rows", base::StrCat("of ", log, " must be a list of objects"));
      lines += row.ToString() + "\n";
    }
    cases.logs.emplace_back(log, std::move(lines));
  }
}

void ReadParameters(JsonFields& fields, DefinitionCase& one) {
  const Json* parameters = fields.Find("parameters");
  if (parameters == nullptr) return;
  if (!parameters->is_object()) return fields.Fail("parameters", "must be an object of names and values");
  for (const auto& [name, value] : parameters->items()) {
    if (value.is_object() || value.is_null()) return fields.Fail("parameters", "has values that are no text: " + name);
    one.parameters.emplace_back(name, value.is_string() ? value.get<std::string>() : value.ToString());
  }
}

void ReadHeaders(JsonFields& fields, DefinitionCase& one) {
  for (const auto& [name, value] : fields.TextMap("headers")) {
    if (!base::EqualsIgnoreCase(name, kRedact)) {
      return fields.Fail("headers", base::StrCat("has ", name, "; cases know ", kRedact));
    }
    one.redact_pii = base::EqualsIgnoreCase(value, "true");
  }
}

void ReadExpectation(JsonFields& fields, DefinitionCase& one) {
  const Json* result = fields.Find("result");
  const Json* error = fields.Find("error");
  if (result != nullptr && error != nullptr) fields.Fail("error", "stands beside result; a case has one of them");
  if (result != nullptr && !result->is_array()) return fields.Fail("result", "must be a list of rows");
  if (result != nullptr) {
    one.rows.emplace();
    for (const Json& row : *result) one.rows->push_back(row.ToString());
  }
  if (error == nullptr) return;
  JsonFields inner = fields.Inner(*error, fields.Place("error") + ".");
  one.error.emplace();
  one.error->status = inner.Text("status");
  one.error->message = inner.Text("message", "");
  inner.RefuseOthers();
}

}  // namespace

absl::StatusOr<DefinitionCases> ReadCases(std::string_view source, std::string_view json) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json parsed, base::ParseWrittenJson(source, json));
  absl::Status status;
  JsonFields fields(parsed, base::StrCat(source, ": "), status);
  DefinitionCases cases;
  const std::string now = fields.Text("now");
  ReadRows(fields, cases);
  const Json* list = fields.Find("cases");
  if (list == nullptr || !list->is_array() || list->empty()) fields.Fail("cases", "must be a list of cases");
  fields.RefuseOthers();
  LOGQUERY_RETURN_IF_ERROR(status);
  std::set<std::string> names;
  for (size_t i = 0; i < list->size(); ++i) {
    JsonFields own = fields.Inner((*list)[i], base::StrCat(fields.Place("cases"), "[", i, "]."));
    DefinitionCase& one = cases.cases.emplace_back();
    one.name = own.Text("name");
    if (!names.insert(one.name).second) own.Fail("name", base::StrCat("is that of another case: ", one.name));
    one.now = own.Text("now", now);
    ReadParameters(own, one);
    ReadHeaders(own, one);
    ReadExpectation(own, one);
    own.RefuseOthers();
  }
  LOGQUERY_RETURN_IF_ERROR(status);
  return cases;
}

std::string UpdatedCases(std::string_view json, const std::vector<CaseUpdate>& updates) {
  Json document = base::TryReadJson(json).value_or(nullptr);
  for (const CaseUpdate& update : updates) {
    Json& one = document["cases"][update.index];
    one.erase(update.is_error ? "result" : "error");
    one[update.is_error ? "error" : "result"] = base::TryReadJson(update.json).value_or(nullptr);
  }
  return document.ToString(2) + "\n";
}

}  // namespace logquery::shim
