// JSON that is made of values. JSON_OBJECT of arrays: one pass with a set of the names, where DuckDB's lists would be searched once
// for each name. Texts as JSON: each nested call may double the length, since quotes and backslashes are escaped, so what a text
// grows by counts against the budget.

#include "absl/container/flat_hash_set.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/json_text.h"

namespace logquery::functions {
namespace {

// Makes an object of the names, and the values as JSON texts. If a name comes twice, the first value counts.
absl::Status JsonObject(const Row& in, Output& out) {
  const bool have_nulls = in.IsNull(0) || in.IsNull(1);
  const TextList names = have_nulls ? TextList() : in.Texts(0), values = have_nulls ? TextList() : in.Texts(1);
  if (have_nulls || names.size() != values.size()) {
    return absl::InvalidArgumentError("JSON_OBJECT: names and values must be arrays of one length");
  }
  absl::flat_hash_set<std::string_view> seen;
  std::string text = "{";
  for (size_t i = 0; i < names.size(); ++i) {
    LOGQUERY_RETURN_IF_ERROR(in.Spend(1));
    if (!names[i].has_value()) return absl::InvalidArgumentError("JSON_OBJECT: a name must not be NULL");
    if (!seen.insert(*names[i]).second) continue;
    if (text.size() > 1) text += ',';
    text += WriteJson(std::string(*names[i]));
    text += ':';
    text += values[i].value_or("null");
    LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(text.size()));
  }
  text += '}';
  return out.Text(text);
}

// The character behind the backslash; 0: it is written as it is, or as \u00XX if it is a control character.
char ShortEscape(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20; }

// Quotes a text as DuckDB's to_json does.
absl::Status JsonQuoted(const Row& in, Output& out) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  const std::string_view text = in.Text(0);
  LOGQUERY_RETURN_IF_ERROR(in.Spend(text.size()));
  size_t more = 2;
  for (const char c : text) more += ShortEscape(c) != 0 ? 1 : IsControl(c) ? 5 : 0;
  LOGQUERY_RETURN_IF_ERROR(out.Charge(more));
  std::string quoted = "\"";
  quoted.reserve(text.size() + more);
  for (const char c : text) {
    if (const char escape = ShortEscape(c); escape != 0) {
      quoted += '\\';
      quoted += escape;
    } else if (IsControl(c)) {
      quoted += "\\u00";
      quoted += kHex[static_cast<unsigned char>(c) >> 4];
      quoted += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  return out.TextAsItIs(quoted);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_json_quoted", "(STRING) -> STRING", JsonQuoted},
    {"lq_json_object", "(ARRAY<STRING>, ARRAY<STRING>) -> STRING", JsonObject, "", Nulls::kAreTaken},
};

}  // namespace

FunctionEntries JsonObjectFunctions() { return kEntries; }

}  // namespace logquery::functions
