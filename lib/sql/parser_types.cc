// Parses type names.
#include <charconv>
#include <utility>

#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::sql {
namespace {

struct NamedType {
  std::string_view name;
  TypeKind kind;
  bool googlesql;  // else a name from PostgreSQL, which those write who cast with ::
};

constexpr NamedType kTypes[] = {
    {"BOOL", TypeKind::kBool, true},
    {"BOOLEAN", TypeKind::kBool, true},
    {"INT64", TypeKind::kInt64, true},
    {"INT", TypeKind::kInt64, true},
    {"INTEGER", TypeKind::kInt64, true},
    {"BIGINT", TypeKind::kInt64, true},
    {"SMALLINT", TypeKind::kInt64, true},
    {"TINYINT", TypeKind::kInt64, true},
    {"BYTEINT", TypeKind::kInt64, true},
    {"INT2", TypeKind::kInt64, false},
    {"INT4", TypeKind::kInt64, false},
    {"INT8", TypeKind::kInt64, false},
    {"FLOAT64", TypeKind::kFloat64, true},
    {"FLOAT", TypeKind::kFloat64, false},
    {"FLOAT4", TypeKind::kFloat64, false},
    {"FLOAT8", TypeKind::kFloat64, false},
    {"REAL", TypeKind::kFloat64, false},
    {"DOUBLE", TypeKind::kFloat64, false},
    {"NUMERIC", TypeKind::kNumeric, true},
    {"DECIMAL", TypeKind::kNumeric, true},
    {"BIGNUMERIC", TypeKind::kBigNumeric, true},
    {"BIGDECIMAL", TypeKind::kBigNumeric, true},
    {"STRING", TypeKind::kString, true},
    {"TEXT", TypeKind::kString, false},
    {"VARCHAR", TypeKind::kString, false},
    {"BYTES", TypeKind::kBytes, true},
    {"BYTEA", TypeKind::kBytes, false},
    {"DATE", TypeKind::kDate, true},
    {"TIME", TypeKind::kTime, true},
    {"DATETIME", TypeKind::kDatetime, true},
    {"TIMESTAMP", TypeKind::kTimestamp, true},
    {"TIMESTAMPTZ", TypeKind::kTimestamp, false},
    {"INTERVAL", TypeKind::kInterval, true},
    {"JSON", TypeKind::kJson, true},
    {"JSONB", TypeKind::kJson, false},
};

std::vector<std::string> GoogleSqlTypeNames() {
  std::vector<std::string> names = {"ARRAY", "STRUCT"};
  for (const NamedType& type : kTypes) {
    if (type.googlesql) names.emplace_back(type.name);
  }
  return names;
}

bool ParseInteger(std::string_view digits, int64_t& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

TypeName Parser::ParseType() {
  const size_t first = at_;
  TypeName type;
  if (At(Keyword::kArray)) {
    type = ParseArrayType();
  } else if (At(Keyword::kStruct)) {
    type = ParseStructType();
  } else {
    type = ParseSimpleType();
  }
  type.span = SpanFrom(first);
  return type;
}

// ARRAY<type>.
TypeName Parser::ParseArrayType() {
  const Level level(this);
  Next();
  TypeName type;
  Expect(TokenKind::kLess, "< and the type of the elements after ARRAY");
  TypeName element = ParseType();
  if (element.type.is_array())
    Fail(element.span, "an ARRAY of ARRAYs is not a type of GoogleSQL; put a STRUCT between");
  Expect(TokenKind::kGreater, "> of ARRAY<");
  type.type = Type::Array(element.type);
  type.parts.push_back(std::move(element));
  return type;
}

// `<>`, which the lexer took for an operator.
bool Parser::AtEmptyAngles(size_t distance) const {
  return At(TokenKind::kNotEqual, distance) && TextOf(Peek(distance).span) == "<>";
}

// STRUCT<a INT64, STRING>: fields may be without name.
TypeName Parser::ParseStructType() {
  const Level level(this);
  Next();
  TypeName type;
  std::vector<Field> fields;
  if (AtEmptyAngles()) {
    Next();
    type.type = Type::Struct({});
    return type;
  }
  Expect(TokenKind::kLess, "< and the types of the fields after STRUCT");
  while (!At(TokenKind::kGreater) && !failed()) {
    Field field;
    const bool named =
        AtName() && (AtName(1) || At(Keyword::kArray, 1) || At(Keyword::kStruct, 1) || At(Keyword::kInterval, 1));
    if (named) field.name = TakeName().text;
    TypeName part = ParseType();
    field.type = part.type;
    fields.push_back(std::move(field));
    type.parts.push_back(std::move(part));
    if (!Accept(TokenKind::kComma)) break;
  }
  Expect(TokenKind::kGreater, "> of STRUCT<");
  type.type = Type::Struct(std::move(fields));
  return type;
}

TypeName Parser::ParseSimpleType() {
  TypeName type;
  if (!AtName() && !At(Keyword::kInterval)) {
    FailExpected("a type");
    return type;
  }
  const Identifier name = TakeName();
  if (base::EqualsIgnoreCase(name.text, "DOUBLE") && AtWordOf("precision")) Next();
  for (const NamedType& known : kTypes) {
    if (!base::EqualsIgnoreCase(name.text, known.name)) continue;
    type.type = Type(known.kind);
    ParseTypeParameters(type);
    return type;
  }
  Fail(name.span, base::StrCat("unknown type ", name.text), NearestNames(name.text, GoogleSqlTypeNames()));
  return type;
}

// STRING(10), NUMERIC(10, 2).
void Parser::ParseTypeParameters(TypeName& type) {
  const size_t open = at_;
  if (!Accept(TokenKind::kLeftParen)) return;
  do {
    const Token token = Peek();
    int64_t value = 0;
    if (!At(TokenKind::kInteger) || !ParseInteger(TextOf(token.span), value)) {
      return FailExpected("a number as parameter of the type");
    }
    Next();
    type.parameters.push_back(value);
  } while (Accept(TokenKind::kComma));
  ExpectClosing(open);
}

}  // namespace logquery::sql
