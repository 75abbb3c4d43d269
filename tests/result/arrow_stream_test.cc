// Arrow streams as RowEncoder writes them, taken apart by a reader that shares no code with it. tests/backend/arrow_import_test.cc
// compares their values.
#include "tests/support/arrow_stream.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/error.h"
#include "logquery/row_encoder.h"
#include "tests/support/every_type.h"

namespace logquery {
namespace {

using testing::ArrowStream;
using Rows = std::vector<std::vector<Value>>;

std::string Encode(const Schema& schema, const Rows& rows, EncodeOptions options = {}) {
  options.format = RowFormat::kArrow;
  RowEncoder encoder(schema, options);
  const absl::Status status = encoder.Append(ValueBatch(schema, rows).batch());
  INFO(status.ToString());
  REQUIRE(status.ok());
  CHECK(encoder.rows() == static_cast<int64_t>(rows.size()));
  return std::move(encoder).Finish();
}

int64_t RowsOf(const ArrowStream& stream) {
  int64_t rows = 0;
  for (const ArrowStream::Batch& batch : stream.batches) rows += batch.rows;
  return rows;
}

TEST_CASE("a stream is a schema, a message for each batch, and an end") {
  const Schema schema = {{"id", Type::String()}, {"n", Type::Int64()}};
  RowEncoder encoder(schema, {.format = RowFormat::kArrow});
  for (int i = 0; i < 3; ++i) {
    REQUIRE(
        encoder.Append(ValueBatch(schema, {{Value::String("a"), Value::Int64(i)}, {Value(), Value()}}).batch()).ok());
  }
  const ArrowStream stream = testing::ReadArrowStream(std::move(encoder).Finish());
  REQUIRE(stream.columns.size() == 2);
  CHECK(stream.columns[0].name == "id");
  CHECK(stream.columns[1].name == "n");
  REQUIRE(stream.batches.size() == 3);
  CHECK(stream.batches[0].rows == 2);
  CHECK(stream.batches[0].nodes[0].nulls == 1);
  CHECK(stream.batches[0].buffers.size() == 5);
}

TEST_CASE("each type has its number in Arrow's schema, and fields below it") {
  const ArrowStream stream = testing::ReadArrowStream(Encode(testing::EveryType(), testing::EveryTypeRows(10)));
  std::vector<int> types;
  for (const ArrowStream::Column& column : stream.columns) {
    types.push_back(column.type);
    CHECK(column.nullable);
    CHECK((column.extension == "arrow.json") == (column.name == "j"));
  }
  CHECK(types == std::vector<int>{6, 2, 3, 7, 7, 5, 4, 8, 9, 10, 10, 11, 5, 12, 12, 13, 12, 12});
  CHECK(stream.columns[13].children.at(0).name == "item");
  CHECK(stream.columns[15].children.at(1).children.at(1).name == "d");
  CHECK(stream.columns[16].children.at(0).children.at(1).children.at(0).children.at(0).name == "y");
}

TEST_CASE("an answer without rows has its columns") {
  RowEncoder encoder(testing::EveryType(), {.format = RowFormat::kArrow});
  REQUIRE(encoder.Append(ValueBatch(testing::EveryType(), {}).batch()).ok());
  const ArrowStream stream = testing::ReadArrowStream(std::move(encoder).Finish());
  CHECK(stream.columns.size() == testing::EveryType().size());
  CHECK(stream.batches.empty());
}

TEST_CASE("names have any characters; invalid UTF-8 in them is replaced") {
  const std::string nul("n\0l", 3);
  const Schema schema = {{"", Type::Int64()},
                         {"a\"b\n", Type::Int64()},
                         {nul, Type::Int64()},
                         {"ü\xff", Type::Struct({{nul, Type::Bool()}})},
                         {"a\"b\n", Type::Int64()}};
  const ArrowStream stream = testing::ReadArrowStream(Encode(schema, {}));
  std::vector<std::string> names;
  for (const ArrowStream::Column& column : stream.columns) names.push_back(column.name);
  CHECK(names == std::vector<std::string>{"", "a\"b\n", nul, "ü\uFFFD", "a\"b\n"});
  CHECK(stream.columns[3].children[0].name == nul);
}

TEST_CASE("messages are bounded: long rows come in more of them") {
  const Schema schema = {{"s", Type::String()}};
  const Rows rows(64, {Value::String(std::string(1 << 20, 'x'))});
  const ArrowStream stream = testing::ReadArrowStream(Encode(schema, rows, {.max_bytes = 1 << 30}));
  CHECK(RowsOf(stream) == 64);
  for (const ArrowStream::Batch& batch : stream.batches) CHECK(batch.bytes <= (4 << 20) + 4'096);
  // One row that is longer is a message by itself.
  const ArrowStream one =
      testing::ReadArrowStream(Encode(schema, {{Value::String(std::string(9 << 20, 'x'))}}, {.max_bytes = 1 << 30}));
  CHECK(RowsOf(one) == 1);
}

TEST_CASE("a stream of exactly the allowed length passes, and one byte less does not") {
  const Schema schema = testing::EveryType();
  const Rows rows = testing::EveryTypeRows(100);
  EncodeOptions options;
  options.format = RowFormat::kArrow;
  options.max_bytes = static_cast<int64_t>(Encode(schema, rows).size());
  CHECK(static_cast<int64_t>(Encode(schema, rows, options).size()) == options.max_bytes);
  --options.max_bytes;
  RowEncoder encoder(schema, options);
  const ValueBatch batch(schema, rows);
  const absl::Status status = encoder.Append(batch.batch());
  CHECK(base::Message(status).starts_with(base::StrCat("the result is longer than ", options.max_bytes, " bytes")));
  CHECK((GetErrorDetails(status).reason == ErrorReason::kResourcesExceeded));
  CHECK(absl::IsResourceExhausted(encoder.Append(batch.batch())));
}

TEST_CASE("the drained parts and the rest are the same stream") {
  const Schema schema = testing::EveryType();
  const Rows rows = testing::EveryTypeRows(500);
  const std::string whole = Encode(schema, rows);
  for (const int64_t above : {0, 1'000, 100'000'000}) {
    std::string drained;
    const auto drain = [&drained](std::string_view bytes) {
      drained += bytes;
      return absl::OkStatus();
    };
    EncodeOptions options;
    options.drain_above = above;
    options.drain = drain;
    const std::string rest = Encode(schema, rows, options);
    CHECK(drained + rest == whole);
    CHECK(drained.empty() == (above > 1'000'000));
  }
}

TEST_CASE("values that Arrow does not have are errors that say what to do") {
  const Schema schema = {{"x", Type::BigNumeric()}};
  RowEncoder encoder(schema, {.format = RowFormat::kArrow});
  const ValueBatch batch(schema, {{Value::BigNumeric("100000000000000000000000000000000000000")}});
  CHECK(encoder.Append(batch.batch()) ==
        absl::InvalidArgumentError("the BIGNUMERIC 100000000000000000000000000000000000000 has more than the 76 digits "
                                   "of Arrow's decimal256; CAST the column to STRING, or ask for the rows in another "
                                   "format"));
}

TEST_CASE("a list of far too many elements is rejected without memory for them") {
  const Type type = Type::Array(Type::Int64());
  const std::vector<int64_t> elements(1'000'000, 7);
  const ColumnView child(&type.element(), nullptr, elements.data());
  const std::vector<ListSlice> slices(200, ListSlice{0, elements.size()});
  const ColumnView column(&type, nullptr, slices.data(), &child);
  RowEncoder encoder({{"l", type}}, {.format = RowFormat::kArrow, .max_bytes = 1 << 20});
  CHECK(absl::IsResourceExhausted(encoder.Append(Batch(&column, 1, 200))));
  CHECK(std::move(encoder).Finish().capacity() < 40'000'000);
}

}  // namespace
}  // namespace logquery
