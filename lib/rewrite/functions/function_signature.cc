// Parses signatures and prints them.
#include "lib/rewrite/functions/function_signature.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::rewrite {
namespace {

struct Variable {
  std::string_view prefix;
  TypePattern::Kind kind;
};

constexpr Variable kVariables[] = {
    {"T", TypePattern::Kind::kAny},
    {"NUM", TypePattern::Kind::kNumber},
    {"ORD", TypePattern::Kind::kOrderable},
    {"GRP", TypePattern::Kind::kGroupable},
};

constexpr TypeKind kScalarKinds[] = {
    TypeKind::kBool,      TypeKind::kInt64,    TypeKind::kFloat64, TypeKind::kNumeric, TypeKind::kBigNumeric,
    TypeKind::kString,    TypeKind::kBytes,    TypeKind::kDate,    TypeKind::kTime,    TypeKind::kDatetime,
    TypeKind::kTimestamp, TypeKind::kInterval, TypeKind::kJson,
};

bool IsWordCharacter(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class SignatureParser {
 public:
  explicit SignatureParser(std::string_view text) : text_(text) {}

  absl::StatusOr<Signature> Parse() {
    Signature signature;
    LOGQUERY_RETURN_IF_ERROR(Expect("("));
    if (!Take(")")) {
      do {
        LOGQUERY_ASSIGN_OR_RETURN(ParameterPattern parameter, ParseParameter());
        signature.parameters.push_back(std::move(parameter));
      } while (Take(","));
      LOGQUERY_RETURN_IF_ERROR(Expect(")"));
    }
    LOGQUERY_RETURN_IF_ERROR(Expect("->"));
    LOGQUERY_ASSIGN_OR_RETURN(signature.result, ParseType());
    SkipSpaces();
    if (offset_ != text_.size()) return Error("the end");
    return signature;
  }

 private:
  absl::StatusOr<ParameterPattern> ParseParameter() {
    ParameterPattern parameter;
    parameter.optional = Take("[");
    if (const size_t colon = NameEnd(); colon != std::string_view::npos) {
      parameter.name = std::string(Word());
      offset_ = colon + 1;
    }
    LOGQUERY_ASSIGN_OR_RETURN(parameter.type, ParseType());
    // A variable in a parameter's STRUCT could never be bound to a type.
    if (parameter.type.kind == TypePattern::Kind::kStruct) return Error("a type without variables");
    parameter.repeated = Take("...");
    if (parameter.optional) LOGQUERY_RETURN_IF_ERROR(Expect("]"));
    if (parameter.name.empty()) return parameter;
    LOGQUERY_RETURN_IF_ERROR(Expect("="));
    const bool quoted = Take("'");
    parameter.default_text = std::string(Word());
    if (quoted) LOGQUERY_RETURN_IF_ERROR(Expect("'"));
    return parameter;
  }

  // Returns the offset of the colon after a word, if a word with a colon comes next.
  size_t NameEnd() const {
    size_t end = std::min(text_.find_first_not_of(' ', offset_), text_.size());
    while (end < text_.size() && IsWordCharacter(text_[end])) ++end;
    return end < text_.size() && text_[end] == ':' ? end : std::string_view::npos;
  }

  absl::StatusOr<TypePattern> ParseType() {
    TypePattern pattern;
    const std::string_view word = Word();
    if (word == "ARRAY") {
      LOGQUERY_RETURN_IF_ERROR(Expect("<"));
      LOGQUERY_ASSIGN_OR_RETURN(TypePattern element, ParseType());
      LOGQUERY_RETURN_IF_ERROR(Expect(">"));
      return ArrayOf(std::move(element));
    }
    if (word == "STRUCT") return ParseStruct();
    if (word == "PART") {
      pattern.kind = TypePattern::Kind::kPart;
      return pattern;
    }
    if (word == "LAMBDA") {
      pattern.kind = TypePattern::Kind::kLambda;
      return pattern;
    }
    if (ParseVariable(word, pattern)) return pattern;
    for (TypeKind kind : kScalarKinds) {
      if (word == TypeKindName(kind)) {
        pattern.exact = Type(kind);
        return pattern;
      }
    }
    return Error("a type");
  }

  // STRUCT<a INT64, b T1>: of a result.
  absl::StatusOr<TypePattern> ParseStruct() {
    LOGQUERY_RETURN_IF_ERROR(Expect("<"));
    std::vector<Field> fields;
    TypePattern pattern;
    do {
      std::string name(Word());
      LOGQUERY_ASSIGN_OR_RETURN(TypePattern type, ParseType());
      if (type.kind != TypePattern::Kind::kExact) pattern.kind = TypePattern::Kind::kStruct;
      fields.push_back({std::move(name), type.exact});
      pattern.element.push_back(std::move(type));
    } while (Take(","));
    LOGQUERY_RETURN_IF_ERROR(Expect(">"));
    pattern.exact = Type::Struct(std::move(fields));
    if (pattern.kind == TypePattern::Kind::kExact) pattern.element.clear();
    return pattern;
  }

  static TypePattern ArrayOf(TypePattern element) {
    TypePattern pattern;
    if (element.kind == TypePattern::Kind::kExact) {
      pattern.exact = Type::Array(element.exact);
      return pattern;
    }
    pattern.kind = TypePattern::Kind::kArray;
    pattern.element.push_back(std::move(element));
    return pattern;
  }

  static bool ParseVariable(std::string_view word, TypePattern& pattern) {
    for (const Variable& variable : kVariables) {
      if (word.substr(0, variable.prefix.size()) != variable.prefix) continue;
      int index = 0;
      if (!absl::SimpleAtoi(base::ToAbsl(word.substr(variable.prefix.size())), &index)) continue;
      pattern.kind = variable.kind;
      pattern.index = index;
      return true;
    }
    return false;
  }

  void SkipSpaces() {
    while (offset_ < text_.size() && text_[offset_] == ' ') ++offset_;
  }

  std::string_view Word() {
    SkipSpaces();
    const size_t begin = offset_;
    while (offset_ < text_.size() && IsWordCharacter(text_[offset_])) ++offset_;
    return text_.substr(begin, offset_ - begin);
  }

  bool Take(std::string_view token) {
    SkipSpaces();
    if (text_.substr(offset_, token.size()) != token) return false;
    offset_ += token.size();
    return true;
  }

  absl::Status Expect(std::string_view token) { return Take(token) ? absl::OkStatus() : Error(token); }

  absl::Status Error(std::string_view expected) const {
    return absl::InvalidArgumentError(
        base::StrCat("signature \"", text_, "\": expected ", expected, " at offset ", offset_));
  }

  std::string_view text_;
  size_t offset_ = 0;
};

std::string VariableText(const TypePattern& pattern) {
  for (const Variable& variable : kVariables) {
    if (variable.kind == pattern.kind) return base::StrCat(variable.prefix, pattern.index);
  }
  return "?";
}

std::string StructText(const TypePattern& pattern) {
  std::string text = "STRUCT<";
  for (size_t i = 0; i < pattern.element.size(); ++i) {
    base::StrAppend(&text, i == 0 ? "" : ", ", pattern.exact.fields()[i].name, " ",
                    TypePatternText(pattern.element[i]));
  }
  return text + ">";
}

}  // namespace

absl::StatusOr<Signature> ParseSignature(std::string_view text) { return SignatureParser(text).Parse(); }

std::string TypePatternText(const TypePattern& pattern) {
  switch (pattern.kind) {
    case TypePattern::Kind::kExact:
      return pattern.exact.ToString();
    case TypePattern::Kind::kArray:
      return base::StrCat("ARRAY<", TypePatternText(pattern.element[0]), ">");
    case TypePattern::Kind::kStruct:
      return StructText(pattern);
    case TypePattern::Kind::kPart:
      return "PART";
    case TypePattern::Kind::kLambda:
      return "LAMBDA";
    case TypePattern::Kind::kAny:
    case TypePattern::Kind::kNumber:
    case TypePattern::Kind::kOrderable:
    case TypePattern::Kind::kGroupable:
      return VariableText(pattern);
  }
  return "?";
}

}  // namespace logquery::rewrite
