#include "lib/result/batch_copy.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/every_type.h"

namespace logquery::result {
namespace {

using ValueRows = std::vector<std::vector<Value>>;

ValueRows RowsOf(const Batch& batch) {
  CollectingSink sink;
  REQUIRE(sink.Append(batch).ok());
  return sink.rows();
}

TEST_CASE("a copy has the rows of the batch after the batch is gone") {
  const ValueRows rows = testing::EveryTypeRows(300);
  auto original = std::make_unique<ValueBatch>(testing::EveryType(), rows);
  OwnedBatch copy(original->batch(), 0, 300);
  original.reset();
  CHECK(RowsOf(copy.batch()) == rows);
  const OwnedBatch moved = std::move(copy);
  CHECK(RowsOf(moved.batch()) == rows);
}

TEST_CASE("a copy of some rows has these rows alone") {
  const ValueRows rows = testing::EveryTypeRows(200);
  const ValueBatch original(testing::EveryType(), rows);
  for (const auto& [begin, end] : {std::pair(0, 1), std::pair(63, 65), std::pair(100, 200), std::pair(7, 7)}) {
    CAPTURE(begin, end);
    const OwnedBatch copy(original.batch(), begin, end);
    CHECK(copy.batch().rows() == end - begin);
    CHECK(RowsOf(copy.batch()) == ValueRows(rows.begin() + begin, rows.begin() + end));
  }
}

TEST_CASE("lists that lie in any order and share elements are copied once") {
  const Type type = Type::Array(Type::String());
  const std::string text(1'000, 'x');
  const std::vector<StringRef> elements(100, StringRef(text));
  const ColumnView child(&type.element(), nullptr, elements.data());
  const std::vector<ListSlice> slices = {{50, 50}, {0, 100}, {99, 1}, {7, 0}, {0, 100}};
  const ColumnView column(&type, nullptr, slices.data(), &child);
  const OwnedBatch copy(Batch(&column, 1, 5), 0, 5);
  CHECK(RowsOf(copy.batch()) == RowsOf(Batch(&column, 1, 5)));
  CHECK(copy.bytes() < 110'000);
}

TEST_CASE("a copy reads no value under a NULL") {
  StringRef wild;
  wild.length = 1'000'000;
  const std::vector<StringRef> texts = {StringRef("a"), wild};
  const std::vector<ListSlice> lists = {{0, 1}, {1'000'000, 1'000'000}};
  const uint64_t first_only = 1;
  const Type list = Type::Array(Type::String());
  const Type type = Type::Struct({{"s", Type::String()}, {"l", list}});
  const ColumnView element(&list.element(), &first_only, texts.data());
  const ColumnView fields[] = {ColumnView(&type.fields()[0].type, nullptr, texts.data()),
                               ColumnView(&list, nullptr, lists.data(), &element)};
  const ColumnView columns[] = {ColumnView(&type, &first_only, nullptr, fields),
                                ColumnView(&list, &first_only, lists.data(), &element)};
  const Batch batch(columns, 2, 2);
  CHECK(RowsOf(OwnedBatch(batch, 0, 2).batch()) == RowsOf(batch));
  CHECK(CopiedBytes(batch, 1, 1'000) < 1'000);
}

TEST_CASE("the size of a row counts its texts and elements, up to the limit") {
  const Schema schema = {{"s", Type::String()}, {"l", Type::Array(Type::Int64())}};
  const ValueBatch batch(
      schema,
      {{Value::String(std::string(5'000, 'x')), Value::Null(schema[1].type)},
       {Value::String("a"), Value::Array(Type::Int64(), ValueRows(1, std::vector<Value>(1'000, Value::Int64(1)))[0])}});
  CHECK(CopiedBytes(batch.batch(), 0, 1 << 20) >= 5'000);
  CHECK(CopiedBytes(batch.batch(), 1, 1 << 20) >= 8'000);
  CHECK(CopiedBytes(batch.batch(), 0, 100) >= 100);
}

}  // namespace
}  // namespace logquery::result
