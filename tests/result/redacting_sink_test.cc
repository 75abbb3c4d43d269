#include "lib/result/redacting_sink.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::result {
namespace {

using ValueRows = std::vector<std::vector<Value>>;

ValueRows Redacted(const Schema& schema, const ValueRows& rows) {
  const Redactor redactor;
  CollectingSink collected;
  RedactingSink sink(&redactor, &collected);
  REQUIRE(sink.Append(ValueBatch(schema, rows).batch()).ok());
  return collected.rows();
}

TEST_CASE("rows are passed on with their strings redacted") {
  const Schema schema = {{"id", Type::String()}, {"message", Type::String()}, {"count", Type::Int64()}};
  CHECK(Redacted(schema, {{Value::String("a"), Value::String("from 10.1.2.3, a long message"), Value::Int64(1)},
                          {Value::String("b"), Value::Null(Type::String()), Value::Int64(2)},
                          {Value::String("a longer id than twelve"), Value::String("nothing"), Value::Int64(3)}}) ==
        ValueRows{{Value::String("a"), Value::String("from REDACTED, a long message"), Value::Int64(1)},
                  {Value::String("b"), Value::Null(Type::String()), Value::Int64(2)},
                  {Value::String("a longer id than twelve"), Value::String("nothing"), Value::Int64(3)}});
}

TEST_CASE("at any depth, below NULLs too") {
  const Type request = Type::Record({{"ip", Type::String()}, {"n", Type::Int64()}});
  const Type metadata = Type::Record({{"request", request}, {"ips", Type::Array(Type::String())}});
  const Type ips = Type::Array(Type::String());
  const auto row = [&](const char* ip, std::vector<Value> list) {
    return Value::Struct(metadata, {Value::Struct(request, {Value::String(ip), Value::Int64(1)}),
                                    Value::Array(Type::String(), std::move(list))});
  };
  const Schema schema = {{"metadata", metadata}};
  CHECK(Redacted(schema, {{row("1.2.3.4", {Value::String("x")})},
                          {Value::Null(metadata)},
                          {row("none", {Value::String("::1"), Value::Null(Type::String())})},
                          {Value::Struct(metadata, {Value::Null(request), Value::Null(ips)})}}) ==
        ValueRows{{row("REDACTED", {Value::String("x")})},
                  {Value::Null(metadata)},
                  {row("none", {Value::String("REDACTED"), Value::Null(Type::String())})},
                  {Value::Struct(metadata, {Value::Null(request), Value::Null(ips)})}});
}

TEST_CASE("strings and keys of JSON, and text that should have been JSON") {
  const Schema schema = {{"j", Type::Json()}};
  CHECK(Redacted(schema, {{Value::Json(R"({"1.2.3.4":"\u0031.2.3.4"})")}, {Value::Json("broken 1.2.3.4")}}) ==
        ValueRows{{Value::Json(R"({"REDACTED":"REDACTED"})")}, {Value::Json("broken REDACTED")}});
}

TEST_CASE("a batch with nothing to redact is passed on without a copy") {
  class SameMemory : public BatchSink {
   public:
    explicit SameMemory(const void* expected) : expected_(expected) {}
    absl::Status Append(const Batch& batch) override {
      return batch.column(0).StringAt(0).data() == expected_ ? absl::OkStatus() : absl::InternalError("copied");
    }

   private:
    const void* expected_;
  };
  const Schema schema = {{"s", Type::String()}};
  const ValueBatch batch(schema, {{Value::String("short")}});
  const Redactor redactor;
  SameMemory next(batch.batch().column(0).StringAt(0).data());
  CHECK(RedactingSink(&redactor, &next).Append(batch.batch()).ok());
}

TEST_CASE("rows under a NULL struct are never read") {
  // A hostile layout: the child's row 0 has no string to point to, as the struct is NULL there.
  const Type type = Type::Struct({{"s", Type::String()}});
  const uint64_t validity = 0b10;
  std::vector<StringRef> strings(2);
  strings[0].length = 1'000'000;
  strings[1] = StringRef("1.2.3.4");
  const ColumnView child(&type.fields()[0].type, nullptr, strings.data());
  const ColumnView column(&type, &validity, nullptr, &child);
  const Redactor redactor;
  CollectingSink collected;
  REQUIRE(RedactingSink(&redactor, &collected).Append(Batch(&column, 1, 2)).ok());
  CHECK(collected.rows() == ValueRows{{Value::Null(type)}, {Value::Struct(type, {Value::String("REDACTED")})}});
}

TEST_CASE("the status of the next sink is returned") {
  class Failing : public BatchSink {
   public:
    absl::Status Append(const Batch&) override { return absl::DataLossError("full"); }
  };
  Failing next;
  const Redactor redactor;
  const Schema schema = {{"s", Type::String()}};
  CHECK(RedactingSink(&redactor, &next).Append(ValueBatch(schema, {}).batch()) == absl::DataLossError("full"));
}

}  // namespace
}  // namespace logquery::result
