#include "logquery/arrow.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "lib/base/big_integer.h"
#include "lib/model/big_numeric.h"
#include "tests/support/every_type.h"

namespace logquery {
namespace {

using Rows = std::vector<std::vector<Value>>;

// An exported batch, released in the end.
struct Exported {
  Exported(const Schema& columns, const Rows& rows) {
    const ValueBatch batch(columns, rows);
    const absl::Status status = ExportArrow(batch.batch(), columns, &schema, &array);
    INFO(status.ToString());
    REQUIRE(status.ok());
  }
  ~Exported() {
    schema.release(&schema);
    array.release(&array);
    CHECK(schema.release == nullptr);
    CHECK(array.release == nullptr);
  }
  Exported(const Exported&) = delete;
  Exported& operator=(const Exported&) = delete;

  const void* buffer(int64_t column, int64_t i) const { return array.children[column]->buffers[i]; }

  ArrowSchema schema;
  ArrowArray array;
};

absl::Status ErrorOf(const Type& type, const Value& value) {
  const Schema schema = {{"x", type}};
  const ValueBatch batch(schema, {{value}});
  ArrowSchema arrow_schema;
  ArrowArray array;
  const absl::Status status = ExportArrow(batch.batch(), schema, &arrow_schema, &array);
  CHECK(status.ok() == (arrow_schema.release != nullptr));
  CHECK(status.ok() == (array.release != nullptr));
  if (status.ok()) arrow_schema.release(&arrow_schema), array.release(&array);
  return status;
}

TEST_CASE("rows are exported as a struct of columns with the interface's formats and names") {
  const Exported e(testing::EveryType(), testing::EveryTypeRows(10));
  CHECK(std::string(e.schema.format) == "+s");
  CHECK(e.schema.flags == 0);
  CHECK(e.array.length == 10);
  CHECK(e.array.null_count == 0);
  CHECK(e.array.n_buffers == 1);
  const std::vector<std::string> formats = {"b",    "l",       "g",   "d:38,9", "d:76,38,256", "u",  "z",  "tdD", "ttu",
                                            "tsu:", "tsu:UTC", "tin", "u",      "+l",          "+l", "+s", "+l",  "+l"};
  REQUIRE(e.schema.n_children == static_cast<int64_t>(formats.size()));
  REQUIRE(e.array.n_children == e.schema.n_children);
  for (size_t i = 0; i < formats.size(); ++i) {
    CAPTURE(i);
    CHECK(std::string(e.schema.children[i]->format) == formats[i]);
    CHECK(std::string(e.schema.children[i]->name) == testing::EveryType()[i].name);
    CHECK(e.schema.children[i]->flags == ARROW_FLAG_NULLABLE);
    CHECK(e.array.children[i]->length == 10);
    CHECK(e.array.children[i]->offset == 0);
  }
  const char json[] = "\x01\0\0\0\x14\0\0\0ARROW:extension:name\x0a\0\0\0arrow.json";
  CHECK(std::memcmp(e.schema.children[12]->metadata, json, sizeof(json) - 1) == 0);
  CHECK(e.schema.children[5]->metadata == nullptr);
}

TEST_CASE("a BIGNUMERIC is a little-endian integer of 256 bits") {
  const Schema schema = {{"x", Type::BigNumeric()}};
  const std::vector<std::string> texts = {
      "0",
      "1",
      "-1",
      "-0.00000000000000000000000000000000000001",
      "99999999999999999999999999999999999999.99999999999999999999999999999999999999",
      "-99999999999999999999999999999999999999.99999999999999999999999999999999999999",
      "123456789.000000001"};
  Rows rows;
  for (const std::string& text : texts) rows.push_back({Value::BigNumeric(text)});
  const Exported e(schema, rows);
  const auto* const memory = static_cast<const char*>(e.buffer(0, 1));
  for (size_t i = 0; i < texts.size(); ++i) {
    CAPTURE(texts[i]);
    std::string packed(memory + i * 32, 32);
    packed = std::string(packed.rbegin(), packed.rend());
    packed[0] = static_cast<char>(packed[0] ^ '\x80');
    CHECK(model::BigNumericText(packed) == texts[i]);
  }
}

TEST_CASE("a BIGNUMERIC of 77 digits and an INTERVAL of too many hours are errors that name the value") {
  CHECK(ErrorOf(Type::BigNumeric(), Value::BigNumeric("100000000000000000000000000000000000000")) ==
        absl::OutOfRangeError("the BIGNUMERIC 100000000000000000000000000000000000000 has more than the 76 digits of "
                              "Arrow's decimal256"));
  CHECK(
      absl::IsOutOfRange(ErrorOf(Type::BigNumeric(), Value::BigNumeric("-500000000000000000000000000000000000000.5"))));
  CHECK(absl::IsOutOfRange(ErrorOf(Type::Interval(), Value::IntervalOf({0, 0, 9'223'372'036'854'776}))));
  CHECK(absl::IsOutOfRange(ErrorOf(Type::Interval(), Value::IntervalOf({0, 0, -9'223'372'036'854'776}))));
  // Below lists and fields, too.
  const Type list = Type::Array(Type::Struct({{"a", Type::String()}, {"i", Type::Interval()}}));
  const Value bad = Value::Struct(
      list.element(), {Value::String("a text before the error"), Value::IntervalOf({0, 0, 9'223'372'036'854'776})});
  CHECK(absl::IsOutOfRange(ErrorOf(list, Value::Array(list.element(), {bad}))));
  CHECK(ErrorOf(Type::Interval(), Value::IntervalOf({1, -2, 9'223'372'036'854'775})) == absl::OkStatus());
}

TEST_CASE("invalid UTF-8 is replaced in texts and kept in bytes") {
  const Schema schema = {{"s", Type::String()}, {"b", Type::Bytes()}};
  const Exported e(schema, {{Value::String("a\xff"), Value::Bytes("a\xff")}});
  const auto* const offsets = static_cast<const int32_t*>(e.buffer(0, 1));
  CHECK(std::string(static_cast<const char*>(e.buffer(0, 2)), static_cast<size_t>(offsets[1])) == "a\xEF\xBF\xBD");
  const auto* const byte_offsets = static_cast<const int32_t*>(e.buffer(1, 1));
  CHECK(std::string(static_cast<const char*>(e.buffer(1, 2)), static_cast<size_t>(byte_offsets[1])) == "a\xff");
}

TEST_CASE("lists that share elements repeat them, up to the limit of memory") {
  const Type type = Type::Array(Type::Int64());
  const std::vector<int64_t> elements(1'000'000, 7);
  const ColumnView child(&type.element(), nullptr, elements.data());
  const auto status_of = [&](size_t rows) {
    const std::vector<ListSlice> slices(rows, ListSlice{0, elements.size()});
    const ColumnView column(&type, nullptr, slices.data(), &child);
    ArrowArray array;
    absl::Status status = ExportArrow(Batch(&column, 1, static_cast<int64_t>(rows)), {{"l", type}}, nullptr, &array);
    if (status.ok()) {
      CHECK(array.children[0]->children[0]->length == static_cast<int64_t>(rows * elements.size()));
      array.release(&array);
    }
    return status;
  };
  CHECK(status_of(3).ok());
  CHECK(status_of(200) == absl::ResourceExhaustedError("the batch takes more than 1073741824 bytes as Arrow arrays; "
                                                       "export fewer rows at a time"));
}

TEST_CASE("a child that a consumer has moved out outlives its parent") {
  ArrowArray moved;
  ArrowSchema moved_schema;
  {
    const Exported e({{"i", Type::Int64()}, {"s", Type::String()}}, {{Value::Int64(5), Value::String("text")}});
    moved = *e.array.children[0];
    e.array.children[0]->release = nullptr;
    moved_schema = *e.schema.children[0];
    e.schema.children[0]->release = nullptr;
  }
  CHECK(static_cast<const int64_t*>(moved.buffers[1])[0] == 5);
  CHECK(std::string(moved_schema.name) == "i");
  moved.release(&moved);
  moved_schema.release(&moved_schema);
}

TEST_CASE("a schema that is not the batch's is refused, and each half is exported alone") {
  const Schema schema = {{"i", Type::Int64()}};
  const ValueBatch batch(schema, {{Value::Int64(1)}});
  ArrowSchema arrow_schema;
  ArrowArray array;
  CHECK(ExportArrow(batch.batch(), {}, &arrow_schema, &array) ==
        absl::InvalidArgumentError("the batch has 1 column, and the schema 0"));
  CHECK(ExportArrow(batch.batch(), {{"s", Type::String()}}, &arrow_schema, &array) ==
        absl::InvalidArgumentError("the batch's column 1 is INT64, and the schema's s is STRING"));
  CHECK(array.release == nullptr);
  REQUIRE(ExportArrow(batch.batch(), schema, &arrow_schema, nullptr).ok());
  CHECK(arrow_schema.n_children == 1);
  arrow_schema.release(&arrow_schema);
  REQUIRE(ExportArrow(batch.batch(), schema, nullptr, &array).ok());
  CHECK(array.length == 1);
  array.release(&array);
}

}  // namespace
}  // namespace logquery
