// Each value is decided by its own form: an object with one member that names a kind is an AnyValue, any other is a map.
#include "lib/store/ingest/otlp_values.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "lib/store/ingest/json_members.h"
#include "lib/store/ingest/json_text.h"

namespace logquery::store {
namespace {

// Nested values are read again at each depth. Deeper values stay as OTLP writes them.
constexpr int kMaxDepth = 6;

// The only member of an object; an empty key: it has none, or several.
struct OnlyMember {
  std::string_view key;
  std::string_view value;
  int members = 0;
};

OnlyMember OnlyMemberOf(std::string_view object) {
  OnlyMember only;
  ForEachMember(object, [&only](std::string_view key, std::string_view value) {
    only = {only.members == 0 ? key : std::string_view(), value, only.members + 1};
  });
  return only;
}

// Base64 of any alphabet in that of RFC 4648, section 4, with padding, as protobuf's encoding gives it.
std::string Base64(std::string_view json) {
  std::string text(Unquoted(json));
  for (char& c : text) c = c == '-' ? '+' : c == '_' ? '/' : c;
  const bool is_base64 = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '+' || c == '/' || c == '=';
  });
  if (!is_base64) return std::string(json);
  while (text.size() % 4 > 1) text += '=';
  return base::StrCat("\"", text, "\"");
}

// The list in {"values":[…]}, or in its place; nullopt: there is none.
std::optional<std::string_view> ValuesIn(std::string_view value) {
  if (value.front() == '[') return value;
  if (value == "null") return "[]";
  if (value.front() != '{') return std::nullopt;
  const OnlyMember only = OnlyMemberOf(value);
  if (only.members == 0) return "[]";
  if (only.key != "values") return std::nullopt;
  return only.value == "null" ? "[]" : only.value;
}

}  // namespace

std::string OtlpName(std::string_view key) {
  std::string name;
  bool upper = false;
  for (const char c : key) {
    if (c == '_') {
      upper = true;
      continue;
    }
    name += upper ? absl::ascii_toupper(static_cast<unsigned char>(c)) : c;
    upper = false;
  }
  return name;
}

bool IsOtlpDefault(std::string_view json) {
  return json.empty() || json == "null" || json == "\"\"" || json == "0" || json == "\"0\"";
}

std::string OtlpId(std::string_view json, size_t bytes) {
  if (!IsText(json)) return std::string(json);
  const absl::string_view text = base::ToAbsl(Unquoted(json));
  if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return absl::ascii_isxdigit(c); })) {
    return base::StrCat("\"", absl::AsciiStrToLower(text), "\"");
  }
  std::string id;
  if (text.size() == (bytes + 2) / 3 * 4 && absl::Base64Unescape(text, &id) && id.size() == bytes) {
    return base::StrCat("\"", absl::BytesToHexString(id), "\"");
  }
  return std::string(json);
}

std::string OtlpValues::Plain(std::string_view any, int depth) {
  if (any.empty()) return "null";
  if (depth > kMaxDepth) return std::string(any);
  if (any.front() == '[') return List(any, depth);
  if (any.front() != '{') return std::string(any);
  const OnlyMember only = OnlyMemberOf(any);
  if (only.members == 0) return "null";
  std::optional<std::string> plain;
  if (only.members == 1) plain = OfKind(OtlpName(only.key), only.value, depth);
  return plain.has_value() ? *std::move(plain) : Map(any, depth);
}

// nullopt: there is no such kind, or it has no such value.
std::optional<std::string> OtlpValues::OfKind(std::string_view kind, std::string_view value, int depth) {
  if (kind == "stringValue" || kind == "boolValue" || kind == "doubleValue") return std::string(value);
  // 64 bits come as text, as JavaScript has no such numbers.
  if (kind == "intValue") return std::string(IsInteger(Unquoted(value)) ? Unquoted(value) : value);
  if (kind == "bytesValue") return IsText(value) ? Base64(value) : std::string(value);
  if (kind != "arrayValue" && kind != "kvlistValue") return std::nullopt;
  const std::optional<std::string_view> values = ValuesIn(value);
  const bool is_map = kind == "kvlistValue";
  if (!values.has_value()) return is_map && value.front() == '{' ? std::optional(Map(value, depth)) : std::nullopt;
  if (is_map) return Attributes(*values, depth + 1);
  return values->front() == '[' ? List(*values, depth) : base::StrCat("[", Plain(*values, depth + 1), "]");
}

std::string OtlpValues::List(std::string_view list, int depth) {
  std::string plain = "[";
  ForEachElement(list, [&](std::string_view element) {
    base::StrAppend(&plain, plain.size() > 1 ? "," : "", Plain(element, depth + 1));
  });
  return plain + "]";
}

std::string OtlpValues::Map(std::string_view object, int depth) {
  std::string map;
  ForEachMember(
      object, [&](std::string_view key, std::string_view value) { AddJsonMember(key, Plain(value, depth + 1), map); });
  return map + "}";
}

std::string OtlpValues::Attributes(std::string_view attributes, int depth) {
  if (attributes.empty() || attributes == "null") return "{}";
  if (attributes.front() == '{') {
    // One KeyValue without the list around it.
    std::string_view key;
    int members = 0;
    bool has_value = false;
    ForEachMember(attributes, [&](std::string_view name, std::string_view value) {
      ++members;
      if (name == "key" && IsText(value)) key = value;
      has_value = has_value || name == "value";
    });
    if (members == 0) return "{}";
    if (members > 2 || key.empty() || !has_value) return Map(attributes, depth);
    std::string object;
    AddAttribute(attributes, depth, object);
    return object + "}";
  }
  std::string object;
  if (attributes.front() != '[') {
    problem_ = base::StrCat("attributes are ", base::QuotedText(Unquoted(attributes)),
                            ", which is no list of keys and values");
    return "{}";
  }
  ForEachElement(attributes, [&](std::string_view attribute) { AddAttribute(attribute, depth, object); });
  return object.empty() ? "{}" : object + "}";
}

void OtlpValues::AddAttribute(std::string_view attribute, int depth, std::string& object) {
  std::string_view key;
  std::string_view value;
  std::string_view other;
  ForEachMember(attribute, [&](std::string_view name, std::string_view json) {
    (name == "key" ? key : name == "value" ? value : other) = json;
  });
  // Protobuf omits an empty key, and a value of no kind.
  const bool has_key = key.empty() || IsText(key);
  if (attribute.front() != '{' || !has_key || (!other.empty() && (key.empty() || value.empty()))) {
    problem_ = base::StrCat("an attribute is ", base::QuotedText(attribute), ", which is no key and value");
    return;
  }
  AddJsonMember(Unquoted(key), Plain(value, depth), object);
}

}  // namespace logquery::store
