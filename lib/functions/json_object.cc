// JSON_OBJECT of arrays: one pass with a set of the names, where DuckDB's lists would be searched once for each name.
#include <nlohmann/json.hpp>

#include "absl/container/flat_hash_set.h"
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

constexpr FunctionEntry kEntries[] = {
    {"lq_json_object", "(ARRAY<STRING>, ARRAY<STRING>) -> STRING", JsonObject, "", Nulls::kAreTaken},
};

}  // namespace

FunctionEntries JsonObjectFunctions() { return kEntries; }

}  // namespace logquery::functions
