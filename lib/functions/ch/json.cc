// JSONExtract… and relatives: lenient, with the default of the wanted type for bad JSON, a missing path or another type.
// Objects have their members in the order of the text.
//
// A path's parts are texts: a key behind `k`, an index behind `i`, counted from 1, or from the end where it is negative.

#include <cmath>
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/functions/json_text.h"

namespace logquery::functions {
namespace {

// A tree that keeps the order of members, beside the sorted trees of other functions.
using Ordered = base::Json;

const Ordered* Step(const Ordered& value, std::string_view part) {
  if (part.starts_with('k')) {
    if (!value.is_object()) return nullptr;
    const auto found = value.find(std::string(part.substr(1)));
    return found == value.end() ? nullptr : &*found;
  }
  const std::optional<int64_t> index = ParseChInt(part.substr(part.empty() ? 0 : 1));
  if (!index || *index == 0 || !value.is_structured()) return nullptr;
  const auto size = static_cast<int64_t>(value.size());
  const int64_t at = *index > 0 ? *index - 1 : size + *index;
  if (at < 0 || at >= size) return nullptr;
  return &*std::next(value.begin(), at);
}

// nullptr: there is nothing at the path, or the text is not JSON.
const Ordered* Find(const Row& in, Ordered& document) {
  absl::StatusOr<Ordered> parsed = ReadJsonInOrder(in.Text(0));
  if (!parsed.ok()) return nullptr;
  document = *std::move(parsed);
  const Ordered* value = &document;
  for (const std::optional<std::string_view>& part : in.Texts(1)) {
    value = Step(*value, part.value_or(""));
    if (value == nullptr) return nullptr;
  }
  return value;
}

absl::Status ExtractString(const Row& in, Output& out) {
  Ordered document;
  const Ordered* value = Find(in, document);
  if (value == nullptr || value->is_null()) return absl::OkStatus();
  if (value->is_string()) return out.Text(value->get<std::string>());
  return out.Text(value->ToString());
}

absl::Status ExtractRaw(const Row& in, Output& out) {
  Ordered document;
  const Ordered* value = Find(in, document);
  return value == nullptr ? absl::OkStatus() : out.Text(value->ToString());
}

absl::Status ExtractInt(const Row& in, Output& out) {
  Ordered document;
  const Ordered* value = Find(in, document);
  if (value == nullptr) return absl::OkStatus();
  if (value->is_number_integer()) return out.Int(value->get<int64_t>());
  if (value->is_number_float()) {
    const double number = value->get<double>();
    if (std::fabs(number) < 9e18) return out.Int(static_cast<int64_t>(number));
  }
  if (value->is_string()) {
    if (const std::optional<int64_t> number = ParseChInt(value->get<std::string>())) return out.Int(*number);
  }
  return absl::OkStatus();
}

absl::Status ExtractFloat(const Row& in, Output& out) {
  Ordered document;
  const Ordered* value = Find(in, document);
  if (value == nullptr) return absl::OkStatus();
  if (value->is_boolean()) return out.Float(value->get<bool>() ? 1 : 0);
  if (value->is_number()) return out.Float(value->get<double>());
  if (value->is_string()) {
    if (const std::optional<double> number = ParseChFloat(value->get<std::string>())) return out.Float(*number);
  }
  return absl::OkStatus();
}

absl::Status ExtractBool(const Row& in, Output& out) {
  Ordered document;
  const Ordered* value = Find(in, document);
  if (value == nullptr) return absl::OkStatus();
  if (value->is_boolean()) return out.Bool(value->get<bool>());
  return value->is_number() ? out.Bool(value->get<double>() != 0) : absl::OkStatus();
}

absl::Status Has(const Row& in, Output& out) {
  Ordered document;
  return out.Bool(Find(in, document) != nullptr);
}

absl::Status Length(const Row& in, Output& out) {
  Ordered document;
  const Ordered* value = Find(in, document);
  return out.Int(value == nullptr || !value->is_structured() ? 0 : static_cast<int64_t>(value->size()));
}

absl::Status Keys(const Row& in, Output& out) {
  Ordered document;
  const Ordered* value = Find(in, document);
  std::vector<std::optional<std::string>> keys;
  if (value != nullptr && value->is_object()) {
    for (const auto& [key, member] : value->items()) keys.emplace_back(key);
  }
  return out.Texts(keys);
}

absl::Status RawElements(const Row& in, Output& out) {
  Ordered document;
  const Ordered* value = Find(in, document);
  std::vector<std::optional<std::string>> elements;
  if (value != nullptr && value->is_array()) {
    for (const Ordered& element : *value) elements.emplace_back(element.ToString());
  }
  return out.Texts(elements);
}

absl::Status IsValid(const Row& in, Output& out) { return out.Bool(ReadJson(in.Text(0)).ok()); }

absl::Status TypeName(const Row& in, Output& out) {
  Ordered document;
  const Ordered* value = Find(in, document);
  if (value == nullptr) return out.TextAsItIs("Null");
  if (value->is_boolean()) return out.TextAsItIs("Bool");
  if (value->is_number_unsigned()) return out.TextAsItIs(value->get<uint64_t>() > INT64_MAX ? "UInt64" : "Int64");
  if (value->is_number_integer()) return out.TextAsItIs("Int64");
  if (value->is_number()) return out.TextAsItIs("Double");
  if (value->is_string()) return out.TextAsItIs("String");
  if (value->is_array()) return out.TextAsItIs("Array");
  return out.TextAsItIs(value->is_object() ? "Object" : "Null");
}

constexpr FunctionEntry kEntries[] = {
    {"lq_ch_json_string", "(STRING, ARRAY<STRING>) -> STRING", ExtractString, "$ch.json_string"},
    {"lq_ch_json_raw", "(STRING, ARRAY<STRING>) -> STRING", ExtractRaw, "$ch.json_raw"},
    {"lq_ch_json_int", "(STRING, ARRAY<STRING>) -> INT64", ExtractInt, "$ch.json_int"},
    {"lq_ch_json_float", "(STRING, ARRAY<STRING>) -> FLOAT64", ExtractFloat, "$ch.json_float"},
    {"lq_ch_json_bool", "(STRING, ARRAY<STRING>) -> BOOL", ExtractBool, "$ch.json_bool"},
    {"lq_ch_json_has", "(STRING, ARRAY<STRING>) -> BOOL", Has, "$ch.json_has"},
    {"lq_ch_json_length", "(STRING, ARRAY<STRING>) -> INT64", Length, "$ch.json_length"},
    {"lq_ch_json_keys", "(STRING, ARRAY<STRING>) -> ARRAY<STRING>", Keys, "$ch.json_keys"},
    {"lq_ch_json_elements", "(STRING, ARRAY<STRING>) -> ARRAY<STRING>", RawElements, "$ch.json_elements"},
    {"lq_ch_json_valid", "(STRING) -> BOOL", IsValid, "$ch.json_valid"},
    {"lq_ch_json_type", "(STRING, ARRAY<STRING>) -> STRING", TypeName, "$ch.json_type"},
};

}  // namespace

FunctionEntries ChJsonFunctions() { return kEntries; }

}  // namespace logquery::functions
