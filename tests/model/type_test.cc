#include "logquery/type.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery {
namespace {

TEST_CASE("types are built from parts, and print as GoogleSQL") {
  const Type request = Type::Struct({{"method", Type::String()}, {"path", Type::String()}});
  const Type metadata = Type::Record({{"request", Type::Record(request.fields())}});

  CHECK(Type::Array(Type::String()).ToString() == "ARRAY<STRING>");
  CHECK(metadata.ToString() == "ARRAY<STRUCT<request ARRAY<STRUCT<method STRING, path STRING>>>>");
  CHECK(metadata.is_record());
  CHECK(metadata.fields()[0].type.element() == request);
}

TEST_CASE("every kind has its name") {
  const TypeKind kinds[] = {TypeKind::kBool,       TypeKind::kInt64,    TypeKind::kFloat64,   TypeKind::kNumeric,
                            TypeKind::kBigNumeric, TypeKind::kString,   TypeKind::kBytes,     TypeKind::kDate,
                            TypeKind::kTime,       TypeKind::kDatetime, TypeKind::kTimestamp, TypeKind::kInterval,
                            TypeKind::kJson};
  for (const TypeKind kind : kinds) CHECK(Type(kind).ToString() == TypeKindName(kind));
}

TEST_CASE("names that are not plain or that are reserved words are quoted, empty ones left out") {
  CHECK(Type::Struct({{"when", Type::Int64()}, {"Order", Type::Date()}, {"date", Type::Date()}}).ToString() ==
        "STRUCT<`when` INT64, `Order` DATE, date DATE>");
  CHECK(Type::Struct({{"", Type::Int64()}, {"a b", Type::Date()}}).ToString() == "STRUCT<INT64, `a b` DATE>");
  CHECK(Type::Struct({{"1a", Type::Int64()}, {"a`\\", Type::Date()}}).ToString() ==
        "STRUCT<`1a` INT64, `a\\`\\\\` DATE>");
  CHECK(Type::Struct({}).ToString() == "STRUCT<>");
}

TEST_CASE("a query sees a record as an array") {
  const std::vector<Field> fields = {{"a", Type::Int64()}};
  const Type record = Type::Record(fields);
  const Type array = Type::Array(Type::Struct(fields));
  CHECK(record == array);
  CHECK_FALSE(Type::SameLayout(record, array));
  CHECK(Type::SameLayout(record, Type::Record(fields)));
  CHECK(Type::Struct({{"r", record}}) == Type::Struct({{"r", array}}));
  CHECK_FALSE(Type::SameLayout(Type::Struct({{"r", record}}), Type::Struct({{"r", array}})));
}

TEST_CASE("fields compare without regard to case, in order, with their types") {
  const Type a = Type::Struct({{"Id", Type::Int64()}, {"name", Type::String()}});
  CHECK(a == Type::Struct({{"id", Type::Int64()}, {"NAME", Type::String()}}));
  CHECK(a != Type::Struct({{"name", Type::String()}, {"id", Type::Int64()}}));
  CHECK(a != Type::Struct({{"id", Type::Int64()}}));
  CHECK(a != Type::Struct({{"id", Type::Int64()}, {"name", Type::Bytes()}}));
  CHECK(a.FindField("NAME") == 1);
  CHECK(a.FindField("nam") == -1);
}

TEST_CASE("a type without parts has no fields and an element of some type") {
  CHECK(Type::String().fields().empty());
  CHECK(Type::String().FindField("a") == -1);
  CHECK(Type::String().element() == Type());
  CHECK(Type() == Type::Int64());
}

}  // namespace
}  // namespace logquery
