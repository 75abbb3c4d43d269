// Names of types, and the type that two have in common.
#include "lib/clickhouse_sql/resolve/type.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "lib/base/back_quoted.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

ChType Int(int bits, bool is_signed) {
  ChType type;
  type.kind = ChKind::kInt;
  type.bits = bits;
  type.is_signed = is_signed;
  return type;
}

namespace {

ChType Plain(ChKind kind) {
  ChType type;
  type.kind = kind;
  return type;
}

bool IsPlainName(std::string_view name) {
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

std::string Name(const ChType& type, int indent) {
  const std::string zone = StrCat("'", type.zone, "'");
  switch (type.kind) {
    case ChKind::kNothing:
      return "Nothing";
    case ChKind::kBool:
      return "Bool";
    case ChKind::kInt:
      return StrCat(type.is_signed ? "Int" : "UInt", type.bits);
    case ChKind::kWideInt:
      return indent >= 0 ? "UInt64" : "UInt64 above 9223372036854775807";
    case ChKind::kFloat:
      return StrCat("Float", type.bits);
    case ChKind::kString:
      return "String";
    case ChKind::kDate:
      return type.precision == 32 ? "Date32" : "Date";
    case ChKind::kDateTime:
      return type.zone.empty() ? "DateTime" : StrCat("DateTime(", zone, ")");
    case ChKind::kDateTime64:
      return type.zone.empty() ? StrCat("DateTime64(", type.precision, ")")
                               : StrCat("DateTime64(", type.precision, ", ", zone, ")");
    case ChKind::kDecimal:
      return StrCat("Decimal(", type.precision, ", ", type.scale, ")");
    case ChKind::kArray:
      return StrCat("Array(", type.parts[0].ToString(indent), ")");
    case ChKind::kMap:
      return "Map(String, String)";
    case ChKind::kTuple: {
      const bool named = !type.names.empty();
      const bool lines = named && indent >= 0;
      const std::string line = lines ? StrCat("\n", std::string(static_cast<size_t>(indent + 1) * 4, ' ')) : "";
      std::vector<std::string> parts;
      for (size_t i = 0; i < type.parts.size(); ++i) {
        const std::string part = type.parts[i].ToString(lines ? indent + 1 : indent);
        parts.push_back(named ? StrCat(line, NameInType(type.names[i]), " ", part) : part);
      }
      return StrCat("Tuple(", base::Join(parts, lines ? "," : ", "), ")");
    }
    case ChKind::kInterval:
      return StrCat("Interval", type.zone);
  }
  return "";
}

std::optional<ChType> CommonNumber(const ChType& a, const ChType& b) {
  if (a.Is(ChKind::kBool) && b.Is(ChKind::kBool)) return a;
  const auto is_byte = [](const ChType& t) { return t.Is(ChKind::kInt) && t.bits == 8 && !t.is_signed; };
  if ((a.Is(ChKind::kBool) && is_byte(b)) || (b.Is(ChKind::kBool) && is_byte(a))) return BoolType();
  const auto as_int = [](const ChType& t) { return t.Is(ChKind::kBool) ? UInt8() : t; };
  const ChType x = as_int(a), y = as_int(b);
  if (x.Is(ChKind::kFloat) || y.Is(ChKind::kFloat)) return Float64();
  if (x.Is(ChKind::kDecimal) || y.Is(ChKind::kDecimal)) {
    ChType type = x.Is(ChKind::kDecimal) ? x : y;
    if (x.Is(ChKind::kDecimal) && y.Is(ChKind::kDecimal)) type.scale = std::max(x.scale, y.scale);
    return type;
  }
  if (x.is_signed == y.is_signed) return Int(std::max(x.bits, y.bits), x.is_signed);
  const int unsigned_bits = x.is_signed ? y.bits : x.bits;
  const int signed_bits = x.is_signed ? x.bits : y.bits;
  if (signed_bits > 64) return Int(signed_bits, true);
  return Int(std::min(64, std::max(signed_bits, unsigned_bits * 2)), true);
}

std::optional<ChType> CommonOfSameKind(const ChType& a, const ChType& b) {
  if (a.Is(ChKind::kDateTime64))
    return DateTime64(std::max(a.precision, b.precision), a.zone.empty() ? b.zone : a.zone);
  if (a.Is(ChKind::kDate)) return a.precision > b.precision ? a : b;
  if (!a.Is(ChKind::kArray) && !a.Is(ChKind::kTuple)) return a;
  if (a.parts.size() != b.parts.size()) return std::nullopt;
  ChType type = a;
  if (a.names != b.names) type.names.clear();
  for (size_t i = 0; i < a.parts.size(); ++i) {
    std::optional<ChType> part = CommonType(a.parts[i], b.parts[i]);
    if (!part) return std::nullopt;
    type.parts[i] = *std::move(part);
  }
  return type;
}

// Returns whether the first type's values are integers without a sign, and the second one is that of the greatest of them.
bool WidensTo(const ChType& a, const ChType& b) {
  return b.Is(ChKind::kWideInt) && (a.Is(ChKind::kBool) || (a.Is(ChKind::kInt) && !a.is_signed));
}

}  // namespace

std::string NameInType(std::string_view name) { return IsPlainName(name) ? std::string(name) : base::BackQuoted(name); }

std::string ChType::ToString(int indent) const {
  const std::string name = Name(*this, indent);
  return nullable ? StrCat("Nullable(", name, ")") : name;
}

Type ChType::PlanType() const {
  switch (kind) {
    case ChKind::kBool:
      return Type::Bool();
    case ChKind::kNothing:
    case ChKind::kInt:
    case ChKind::kInterval:
      return Type::Int64();
    case ChKind::kFloat:
      return Type::Float64();
    case ChKind::kString:
    case ChKind::kMap:
      return Type::String();
    case ChKind::kDate:
      return Type::Date();
    case ChKind::kDateTime:
    case ChKind::kDateTime64:
      return Type::Timestamp();
    case ChKind::kDecimal:
    case ChKind::kWideInt:
      return Type::Numeric();
    case ChKind::kArray:
      return Type::Array(parts[0].PlanType());
    case ChKind::kTuple: {
      std::vector<Field> fields;
      for (size_t i = 0; i < parts.size(); ++i) fields.push_back({StrCat("f", i + 1), parts[i].PlanType()});
      return Type::Struct(std::move(fields));
    }
  }
  return Type::Int64();
}

ChType WideInt() { return Plain(ChKind::kWideInt); }
ChType Float64() { return Plain(ChKind::kFloat); }
ChType String() { return Plain(ChKind::kString); }
ChType BoolType() { return Plain(ChKind::kBool); }
ChType DateType() { return Plain(ChKind::kDate); }
ChType Date32Type() {
  ChType type = DateType();
  type.precision = 32;
  return type;
}
ChType MapType() { return Plain(ChKind::kMap); }
ChType NothingType() { return Plain(ChKind::kNothing).Nullable(); }
ChType DateTime(std::string zone) {
  ChType type = Plain(ChKind::kDateTime);
  type.zone = std::move(zone);
  return type;
}
ChType DateTime64(int precision, std::string zone) {
  ChType type = Plain(ChKind::kDateTime64);
  type.precision = precision;
  type.zone = std::move(zone);
  return type;
}
ChType ArrayOf(ChType element) {
  ChType type = Plain(ChKind::kArray);
  type.parts.push_back(std::move(element));
  return type;
}

std::optional<ChType> CommonType(const ChType& a, const ChType& b) {
  if (a.Is(ChKind::kNothing)) return b.Nullable(a.nullable && !b.Is(ChKind::kArray));
  if (b.Is(ChKind::kNothing)) return a.Nullable(b.nullable && !a.Is(ChKind::kArray));
  const bool nullable = a.nullable || b.nullable;
  std::optional<ChType> type;
  if (a.IsNumber() && b.IsNumber()) {
    type = CommonNumber(a, b);
  } else if (a.kind == b.kind) {
    type = CommonOfSameKind(a, b);
  } else if (WidensTo(a, b)) {
    type = b;
  } else if (WidensTo(b, a)) {
    type = a;
  } else if (a.IsTime() && b.IsTime()) {
    const ChType& finer = a.kind > b.kind ? a : b;
    type = finer;
  }
  if (type) type->nullable = nullable;
  return type;
}

namespace {

std::string_view Strip(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Splits at commas outside of parentheses and quotes.
std::vector<std::string_view> Arguments(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  char quote = '\0';
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (quote == '`' && text[i] == '\\') {
      ++i;
      continue;
    }
    const bool marks = text[i] == '\'' || text[i] == '`';
    if (marks && (quote == '\0' || quote == text[i])) quote = quote == '\0' ? text[i] : '\0';
    if (quote != '\0') continue;
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(Strip(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  parts.push_back(Strip(text.substr(begin)));
  return parts;
}

absl::Status Unknown(std::string_view text) {
  return absl::InvalidArgumentError(StrCat("the type ", text.substr(0, 60), " is unknown or not supported"));
}

bool Number(std::string_view text, int most, int& value) {
  return absl::SimpleAtoi(base::ToAbsl(text), &value) && value >= 0 && value <= most;
}

bool Quoted(std::string_view text, std::string& value) {
  if (text.size() < 2 || text.front() != '\'' || text.back() != '\'') return false;
  value = text.substr(1, text.size() - 2);
  return true;
}

// Takes the name off the front of a tuple's part, `name Type`; empty: the part is a type alone.
std::string TakeName(std::string_view& part) {
  std::string name;
  size_t end = 0;
  if (part.starts_with('`')) {
    for (end = 1; end < part.size() && part[end] != '`'; ++end) {
      if (part[end] == '\\' && end + 1 < part.size()) ++end;
      name += part[end];
    }
    ++end;
  } else {
    end = part.find_first_of(" (");
    if (end == std::string_view::npos || part[end] == '(') return "";
    name = std::string(part.substr(0, end));
  }
  if (end >= part.size() || part[end] != ' ') return "";
  part = Strip(part.substr(end));
  return name;
}

std::optional<ChType> SimpleType(std::string_view name) {
  static const auto& types = *new std::vector<std::pair<std::string_view, ChType>>{
      {"UInt8", Int(8, false)}, {"UInt16", Int(16, false)}, {"UInt32", Int(32, false)},    {"UInt64", Int(64, false)},
      {"Int8", Int(8, true)},   {"Int16", Int(16, true)},   {"Int32", Int(32, true)},      {"Int64", Int(64, true)},
      {"Float64", Float64()},   {"String", String()},       {"Bool", BoolType()},          {"Date", DateType()},
      {"Date32", Date32Type()}, {"DateTime", DateTime()},   {"DateTime64", DateTime64(3)}, {"UUID", String()}};
  for (const auto& [known, type] : types) {
    if (known == name) return type;
  }
  static const auto& folded = *new std::vector<std::pair<std::string_view, ChType>>{
      {"integer", Int(32, true)}, {"int", Int(32, true)},  {"bigint", Int(64, true)}, {"smallint", Int(16, true)},
      {"tinyint", Int(8, true)},  {"double", Float64()},   {"text", String()},        {"varchar", String()},
      {"char", String()},         {"boolean", BoolType()}, {"bool", BoolType()},      {"timestamp", DateTime()},
      {"datetime", DateTime()},   {"date", DateType()}};
  for (const auto& [known, type] : folded) {
    if (base::EqualsIgnoreCase(known, name)) return type;
  }
  return std::nullopt;
}

absl::StatusOr<ChType> ParseNested(std::string_view text, int depth) {
  text = Strip(text);
  if (depth > 16) return Unknown(text);
  const size_t open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')') {
    if (std::optional<ChType> simple = SimpleType(text)) return *std::move(simple);
    return Unknown(text);
  }
  const std::string_view name = Strip(text.substr(0, open));
  const std::vector<std::string_view> args = Arguments(text.substr(open + 1, text.size() - open - 2));
  if (name == "Nullable" || name == "LowCardinality" || name == "Array") {
    if (args.size() != 1) return Unknown(text);
    LOGQUERY_ASSIGN_OR_RETURN(ChType inner, ParseNested(args[0], depth + 1));
    if (name == "Array") return ArrayOf(std::move(inner));
    return name == "Nullable" ? inner.Nullable() : inner;
  }
  ChType type;
  if (name == "DateTime" && args.size() == 1 && Quoted(args[0], type.zone)) return DateTime(type.zone);
  if (name == "DateTime64" && args.size() <= 2) {
    if (!Number(args[0], 9, type.precision)) return Unknown(text);
    if (args.size() == 2 && !Quoted(args[1], type.zone)) return Unknown(text);
    return DateTime64(type.precision, type.zone);
  }
  if (name == "Decimal" && args.size() == 2 && Number(args[0], 38, type.precision) && Number(args[1], 9, type.scale)) {
    type.kind = ChKind::kDecimal;
    return type;
  }
  if ((name == "Decimal64" || name == "Decimal32") && args.size() == 1 && Number(args[0], 9, type.scale)) {
    type.kind = ChKind::kDecimal;
    type.precision = name == "Decimal64" ? 18 : 9;
    return type;
  }
  if (name == "Tuple") {
    type.kind = ChKind::kTuple;
    for (std::string_view part : args) {
      std::string part_name = TakeName(part);
      const bool alike = type.parts.empty() || type.names.empty() == part_name.empty();
      if (!alike) return Unknown(text);
      LOGQUERY_ASSIGN_OR_RETURN(ChType made, ParseNested(part, depth + 1));
      type.parts.push_back(std::move(made));
      if (!part_name.empty()) type.names.push_back(std::move(part_name));
    }
    return type;
  }
  if (name == "Map" && args.size() == 2 && args[0] == "String" && args[1] == "String") return MapType();
  return Unknown(text);
}

}  // namespace

absl::StatusOr<ChType> ParseType(std::string_view text) { return ParseNested(text, 0); }

}  // namespace logquery::clickhouse_sql
