// Reads both kinds of parameters: those that callers send, with their constraints, and those that the service computes.
#include "lib/endpoint/definitions/parameter_json.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/json/value.h"
#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/parameter_text.h"
#include "logquery/interval_bucketer.h"
#include "logquery/parameter_text.h"

namespace logquery::endpoint {
namespace {

using base::Json;
using base::JsonFields;
using base::QuotedText;

constexpr JsonFields::Range kWindowSeconds = {1, 315'360'000};
constexpr JsonFields::Range kCharacters = {1, 1'000'000};
constexpr JsonFields::Range kBuckets = {1, IntervalBucketer::kMaxBuckets};

bool IsIdentifier(std::string_view text) {
  if (text.empty() || absl::ascii_isdigit(static_cast<unsigned char>(text.front()))) return false;
  for (const unsigned char c : text) {
    if (!absl::ascii_isalnum(c) && c != '_') return false;
  }
  return true;
}

Type ComputedType(ComputedParameter::By by) {
  return by == ComputedParameter::By::kBuckets ? Type::Array(Type::Timestamp()) : Type::Timestamp();
}

ComputedParameter::By ReadBy(JsonFields& fields) {
  const std::string by = fields.Text("by");
  if (by == "buckets") return ComputedParameter::By::kBuckets;
  if (by == "window_start") return ComputedParameter::By::kWindowStart;
  if (by != "retention")
    fields.Fail("by", base::StrCat("must be retention, buckets or window_start, is ", QuotedText(by)));
  return ComputedParameter::By::kRetention;
}

std::map<std::string, ComputedParameter::Buckets> ReadBuckets(JsonFields& fields) {
  std::map<std::string, ComputedParameter::Buckets> choices;
  const Json* json = fields.Find("buckets");
  if (json == nullptr || !json->is_object() || json->empty()) {
    fields.Fail("buckets", "must be an object of text → {\"count\", \"label\"}");
    return choices;
  }
  for (const auto& [text, entry] : json->items()) {
    const std::string place = fields.Place("buckets") + "." + text;
    JsonFields entry_fields = fields.Inner(entry, place + ".");
    ComputedParameter::Buckets& buckets = choices[text];
    buckets.count = static_cast<int>(entry_fields.Integer("count", kBuckets));
    buckets.label = entry_fields.Text("label");
    entry_fields.RefuseOthers();
    const auto starts = IntervalBucketer::Generate(buckets.count, buckets.label, absl::UnixEpoch());
    if (!starts.ok()) entry_fields.Fail("", base::StrCat("is wrong: ", starts.status().message()));
  }
  return choices;
}

std::map<std::string, absl::Duration> ReadWindows(JsonFields& fields) {
  std::map<std::string, absl::Duration> windows;
  const Json* json = fields.Find("windows");
  if (json == nullptr || !json->is_object() || json->empty()) {
    fields.Fail("windows", "must be an object of text → seconds");
    return windows;
  }
  JsonFields entries = fields.Inner(*json, fields.Place("windows") + ".");
  for (const auto& [text, unused] : json->items()) {
    windows[text] = absl::Seconds(entries.Integer(text.c_str(), kWindowSeconds));
  }
  return windows;
}

ComputedParameter ReadComputed(JsonFields fields) {
  ComputedParameter computed;
  computed.by = ReadBy(fields);
  computed.from = fields.Text("from");
  if (computed.by == ComputedParameter::By::kBuckets) computed.buckets = ReadBuckets(fields);
  if (computed.by == ComputedParameter::By::kWindowStart) computed.windows = ReadWindows(fields);
  if (computed.by == ComputedParameter::By::kRetention) {
    computed.start = fields.Text("start", "");
    computed.end = fields.Text("end", "");
    if (fields.Find("windows") != nullptr) computed.windows = ReadWindows(fields);
  }
  // Without tiers of its own a definition has the server's, which know what counts for any other text.
  if (computed.by != ComputedParameter::By::kRetention || !computed.windows.empty()) {
    computed.otherwise = fields.Text("otherwise", "");
  }
  fields.RefuseOthers();
  const std::string& key = computed.otherwise;
  if (!key.empty() && !computed.buckets.contains(key) && !computed.windows.contains(key)) {
    fields.Fail("otherwise", base::StrCat("must be one of the texts listed here, is ", QuotedText(key)));
  }
  return computed;
}

// The types that a parameter may be written with. ENUM and PATTERN are strings of which more is known.
enum class Form { kPlain, kEnum, kPattern, kUnknown };
struct NamedType {
  std::string_view name;
  TypeKind kind;
  Form form = Form::kPlain;
};
constexpr NamedType kTypes[] = {{"STRING", TypeKind::kString},
                                {"INT64", TypeKind::kInt64},
                                {"INTEGER", TypeKind::kInt64},
                                {"FLOAT64", TypeKind::kFloat64},
                                {"FLOAT", TypeKind::kFloat64},
                                {"BOOL", TypeKind::kBool},
                                {"BOOLEAN", TypeKind::kBool},
                                {"DATE", TypeKind::kDate},
                                {"TIMESTAMP", TypeKind::kTimestamp},
                                {"ENUM", TypeKind::kString, Form::kEnum},
                                {"PATTERN", TypeKind::kString, Form::kPattern}};

const NamedType* FindType(std::string_view name) {
  for (const NamedType& type : kTypes) {
    if (base::EqualsIgnoreCase(name, type.name)) return &type;
  }
  return nullptr;
}

// `element`: the part of the name that is of no type.
void FailType(JsonFields& fields, const std::string& name, const std::string& element) {
  std::vector<std::string> names;
  for (const NamedType& type : kTypes) names.emplace_back(type.name);
  fields.Fail("type", base::StrCat(
                          "must be STRING, INT64 (or INTEGER), FLOAT64 (or FLOAT), BOOL (or BOOLEAN), DATE, TIMESTAMP, "
                          "ENUM, PATTERN or ARRAY<one of these>, is ",
                          QuotedText(name), base::DidYouMean(base::NearestNames(element, names))));
}

// Also returns what the type says beside itself: a list of texts is wanted, or a pattern.
Form ReadType(JsonFields& fields, Type& type) {
  constexpr std::string_view kArray = "ARRAY<";
  const std::string name = fields.Text("type");
  const bool array =
      base::EqualsIgnoreCase(std::string_view(name).substr(0, kArray.size()), kArray) && name.back() == '>';
  const std::string element = array ? name.substr(kArray.size(), name.size() - kArray.size() - 1) : name;
  const NamedType* const found = FindType(element);
  if (found == nullptr || (array && found->form == Form::kPattern)) {
    FailType(fields, name, element);
    return Form::kUnknown;
  }
  type = array ? Type::Array(Type(found->kind)) : Type(found->kind);
  return found->form;
}

// A value as a caller would send it. Numbers, flags and lists may be written as such.
std::optional<std::string> TextOf(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_object() || json.is_null()) return std::nullopt;
  return json.ToString();
}

std::vector<std::string> ReadTexts(JsonFields& fields, const char* key) {
  std::vector<std::string> texts;
  const Json* json = fields.Find(key);
  if (json == nullptr) return texts;
  for (const Json& element : json->is_array() ? *json : Json::array({Json()})) {
    std::optional<std::string> text = TextOf(element);
    if (!text) {
      fields.Fail(key, base::StrCat("must be a list of texts, is ", base::ShortJson(*json)));
      return {};
    }
    texts.push_back(*std::move(text));
  }
  return texts;
}

// A bound of a parameter's numbers, as text.
std::optional<std::string> ReadBound(JsonFields& fields, const char* key, const Parameter& parameter) {
  const Json* json = fields.Find(key);
  if (json == nullptr) return std::nullopt;
  const Type& type = parameter.type.is_array() ? parameter.type.element() : parameter.type;
  const bool whole = type.is(TypeKind::kInt64);
  if (!whole && !type.is(TypeKind::kFloat64)) {
    fields.Fail(key, base::StrCat("wants type INT64 or FLOAT64, not ", parameter.type.ToString()));
    return std::nullopt;
  }
  Parameter bound;
  bound.type = type;
  std::string text = json->ToString();
  if (json->is_number() && ParseParameter(bound, text).ok()) return text;
  fields.Fail(key, base::StrCat("must be a ", whole ? "whole " : "", "number, is ", base::ShortJson(*json)));
  return std::nullopt;
}

void ReadRange(JsonFields& fields, Parameter& parameter) {
  std::optional<std::string> least = ReadBound(fields, "minimum", parameter);
  parameter.maximum = ReadBound(fields, "maximum", parameter);
  if (least && parameter.maximum) {
    Parameter number = parameter;
    if (number.type.is_array()) number.type = parameter.type.element();
    number.allowed.clear();
    if (!ParseParameter(number, *least).ok()) {
      fields.Fail("minimum",
                  base::StrCat("must not be greater than the maximum ", *parameter.maximum, ", is ", *least));
    }
  }
  parameter.minimum = std::move(least);
}

void ReadDefault(JsonFields& fields, Parameter& parameter) {
  const Json* json = fields.Find("default");
  if (json == nullptr) return;
  parameter.default_text = TextOf(*json);
  if (!parameter.default_text)
    return fields.Fail("default", base::StrCat("must be a text, is ", base::ShortJson(*json)));
  if (parameter.required) fields.Fail("default", "has no use: the parameter is required");
  if (parameter.default_text->empty()) return fields.Fail("default", "is empty; leave it out for NULL");
  const auto value = ParseParameter(parameter, *parameter.default_text);
  if (!value.ok()) fields.Fail("default", base::StrCat("is wrong: ", base::Message(value.status())));
}

void ReadSentParameter(JsonFields& fields, Parameter& parameter) {
  const Form form = ReadType(fields, parameter.type);
  parameter.required = fields.Flag("required", false);
  fields.Find("default");  // read below, when it is known what it may be
  parameter.allowed = ReadTexts(fields, "allowed");
  parameter.is_pattern = fields.Flag("pattern", form == Form::kPattern);
  parameter.max_length = fields.Integer("max_length", kCharacters, parameter.max_length);
  if (parameter.is_pattern && !parameter.type.is(TypeKind::kString)) {
    fields.Fail("pattern", base::StrCat("wants type STRING, not ", parameter.type.ToString()));
  }
  if (form == Form::kUnknown) {
    // Limits depend on the type, so they can't be judged.
    for (const char* const key : {"minimum", "maximum"}) fields.Find(key);
  } else {
    ReadRange(fields, parameter);
  }
  if (form == Form::kEnum && parameter.allowed.empty()) {
    fields.Fail("allowed", "is missing: type ENUM wants the list of texts that a caller may send");
  }
  if (form != Form::kUnknown) ReadDefault(fields, parameter);
  parameter.examples = ReadTexts(fields, "examples");
  for (const std::string& example : parameter.examples) {
    const auto value = ParseParameter(parameter, example);
    if (!value.ok()) fields.Fail("examples", base::StrCat("has one that is wrong: ", base::Message(value.status())));
  }
}

Parameter ReadParameter(JsonFields fields) {
  Parameter parameter;
  parameter.name = fields.Text("name");
  parameter.description = fields.Text("description", "");
  if (!IsIdentifier(parameter.name)) {
    fields.Fail("name", base::StrCat("must be letters, digits and _, is ", QuotedText(parameter.name)));
  }
  if (parameter.name == "sql") fields.Fail("name", "must not be \"sql\": that is how a caller sends a query");
  if (const Json* computed = fields.Find("computed"); computed != nullptr) {
    parameter.computed = ReadComputed(fields.Inner(*computed, fields.Place("computed") + "."));
    parameter.type = ComputedType(parameter.computed->by);
    const std::string type = fields.Text("type", parameter.type.ToString());
    if (!base::EqualsIgnoreCase(type, parameter.type.ToString())) {
      fields.Fail("type", base::StrCat("must be ", parameter.type.ToString(), ", is ", QuotedText(type)));
    }
  } else {
    ReadSentParameter(fields, parameter);
  }
  fields.RefuseOthers();
  return parameter;
}

// `key` of a computed parameter names a parameter that a caller sends, of type TIMESTAMP where `timestamp`.
void CheckReference(JsonFields computed, const std::vector<Parameter>& parameters, const char* key,
                    const std::string& name, bool timestamp) {
  std::vector<std::string> sent;
  for (const Parameter& parameter : parameters) {
    if (parameter.computed.has_value() || (timestamp && !parameter.type.is(TypeKind::kTimestamp))) continue;
    if (parameter.name == name) return;
    sent.push_back(parameter.name);
  }
  computed.Fail(
      key, base::StrCat("must name a parameter ", timestamp ? "of type TIMESTAMP " : "", "that a caller sends, is ",
                        QuotedText(name), base::DidYouMean(base::NearestNames(name, sent))));
}

// Makes the checks that need all parameters.
void CheckTogether(const JsonFields& fields, const Json& json, const std::vector<Parameter>& parameters) {
  base::NameSet names;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    JsonFields own = fields.Inner(json[i], base::StrCat(fields.Place("parameters"), "[", i, "]."));
    if (!names.insert(parameter.name).second) {
      own.Fail("name", base::StrCat("is taken by another parameter, but for letter case: ", parameter.name));
    }
    if (!parameter.computed.has_value()) continue;
    const ComputedParameter& computed = *parameter.computed;
    const JsonFields inner = own.Inner(*own.Find("computed"), own.Place("computed") + ".");
    CheckReference(inner, parameters, "from", computed.from, false);
    if (!computed.start.empty()) CheckReference(inner, parameters, "start", computed.start, true);
    if (!computed.end.empty()) CheckReference(inner, parameters, "end", computed.end, true);
  }
}

}  // namespace

std::vector<Parameter> ReadParameters(JsonFields& fields) {
  std::vector<Parameter> parameters;
  const Json* json = fields.Find("parameters");
  if (json == nullptr) return parameters;
  if (!json->is_array()) {
    fields.Fail("parameters", "must be a list of objects");
    return parameters;
  }
  for (size_t i = 0; i < json->size(); ++i) {
    parameters.push_back(
        ReadParameter(fields.Inner((*json)[i], base::StrCat(fields.Place("parameters"), "[", i, "]."))));
  }
  CheckTogether(fields, *json, parameters);
  return parameters;
}

}  // namespace logquery::endpoint
