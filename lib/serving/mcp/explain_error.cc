// Tables of words and parts of messages. tests/serving/mcp_explain_error_test.cc has the errors that they are about.
#include "lib/serving/mcp/explain_error.h"

#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/error_statuses.h"
#include "lib/base/strings.h"
#include "lib/serving/mcp/tool_result.h"

namespace logquery::serving {
namespace {

using base::Json;

// Parts of messages that models meet when they write SQL. Where several fit, all are told.
constexpr base::ErrorReasonText kMessages[] = {
    {"can't be read here", "the SQL names a table that is none of the endpoint's logs",
     "use the logs that list_logs names; other tables and files can't be read"},
    {"only SELECT is allowed", "the SQL is another statement than a SELECT; nothing can be written",
     "write one SELECT, or WITH … SELECT"},
    {"only one statement is allowed", "the SQL has several statements", "send each SELECT as a call of its own"},
    {"unknown name", "the SQL names a column, field or alias that is not there",
     "take the name that the message suggests, or look with list_logs at the log's fields"},
    {"unknown function", "there is no function of this name",
     "use a function of BigQuery's SQL; names of other engines differ"},
    {"is not allowed in a sandboxed query", "callers' SQL may not call this function", "leave the function out"},
    {"can't read the field", "the field is inside of an array, as the fields of records are in BigQuery's SQL",
     "add LEFT JOIN UNNEST(metadata) AS m, then LEFT JOIN UNNEST(m.request) AS r, and write r.method; of an array of "
     "values, take one with [OFFSET(0)]"},
    {"neither in GROUP BY nor aggregated", "a column is selected beside an aggregate, and is no key of the groups",
     "add it to GROUP BY, or aggregate it, for example with ANY_VALUE"},
    {"Syntax error", "the text is no SQL at this place", "correct it at the line and column of the message"},
    {"no operator", "no operator takes values of these two types", "convert one of them, as the message says"},
    {"is missing or empty", "the endpoint needs a value for this parameter", "pass the argument of this name"},
    {"division by zero", "a row divides by zero", "use SAFE_DIVIDE(a, b), which returns NULL then"},
    {"too many queries wait", "the server's queue is full", "try again in a moment"},
};

constexpr base::ErrorReasonText kProtocolCodes[] = {
    {"-32700", "the message is not JSON", "send one JSON object"},
    {"-32600", "the message is no request of JSON-RPC, or one of several in a batch", "send each request by itself"},
    {"-32601", "the server has no such method", "use tools/list and tools/call"},
    {"-32602", "a parameter of the method is wrong; for tools/call, the tool may not exist", "list the tools again"},
    {"-32020", "a header differs from the message", "send the headers of the message's revision"},
    {"-32022", "the server does not speak this revision of MCP", "use one that the error's data lists"},
};

bool IsWordCharacter(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Returns whether the text has the word, not as a part of a longer one.
bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !IsWordCharacter(text[at - 1])) && (end == text.size() || !IsWordCharacter(text[end]))) return true;
  }
  return false;
}

void AddStatuses(std::string_view error, Json& explanations) {
  const auto add = [&explanations](const base::ErrorStatus& status) {
    explanations.push_back(
        {{"of", base::StrCat(status.name, " (", status.code, ")")}, {"meaning", status.when}, {"help", status.help}});
  };
  bool named = false;
  for (const base::ErrorStatus& status : base::kErrorStatuses) {
    if (!HasWord(error, status.name)) continue;
    const bool exceeded = HasWord(error, "resourcesExceeded");
    if (status.name == "RESOURCE_EXHAUSTED" && (status.code == 400) != exceeded) continue;
    named = true;
    add(status);
  }
  for (const base::ErrorStatus& status : base::kErrorStatuses) {
    if (!named && HasWord(error, std::to_string(status.code))) add(status);
  }
}

}  // namespace

Json ExplainError(std::string_view error) {
  Json explanations = Json::array();
  const auto add = [&explanations](const base::ErrorReasonText& text) {
    explanations.push_back({{"of", text.name}, {"meaning", text.when}, {"help", text.help}});
  };
  for (const base::ErrorReasonText& message : kMessages) {
    if (error.find(message.name) != error.npos) add(message);
  }
  for (const base::ErrorReasonText& reason : base::kErrorReasonTexts) {
    if (HasWord(error, reason.name)) add(reason);
  }
  AddStatuses(error, explanations);
  for (const base::ErrorReasonText& code : kProtocolCodes) {
    if (error.find(code.name) != error.npos) add(code);
  }
  std::string text;
  for (const Json& one : std::as_const(explanations)) {
    base::StrAppend(&text, one["of"].text(), ": ", one["meaning"].text(), ". What helps: ", one["help"].text(), ".\n");
  }
  if (explanations.empty()) {
    text = "Nothing in this text is a word of this server's errors. The statuses are:";
    for (const base::ErrorStatus& status : base::kErrorStatuses) base::StrAppend(&text, " ", status.name);
    text += ". Pass one of them, or the whole error as it was answered.\n";
  }
  return Result({{"explanations", std::move(explanations)}}, std::move(text));
}

}  // namespace logquery::serving
