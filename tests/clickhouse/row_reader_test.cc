// RowBinary in pieces, of each type, and garbled.
#include "lib/engines/clickhouse/backend/row_reader.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_random.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::clickhouse {
namespace {

struct Column {
  const char* type;  // ClickHouse's
  Type ours;
  std::string first;  // the bytes of a value in each of two rows
  std::string second;
};

std::string Text(const std::string& text) { return std::string(1, static_cast<char>(text.size())) + text; }

template <size_t N>
std::string Bytes(const char (&bytes)[N]) {
  return std::string(bytes, N - 1);
}

const std::vector<Column>& Columns() {
  static const auto& columns = *new std::vector<Column>{
      {"Int64", Type::Int64(), Bytes("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), Bytes("\x05\0\0\0\0\0\0\0")},
      {"Nullable(Int8)", Type::Int64(), Bytes("\x01"), Bytes("\0\x80")},
      {"UInt32", Type::Int64(), Bytes("\xFF\xFF\xFF\xFF"), Bytes("\0\0\0\0")},
      {"Float32", Type::Float64(), Bytes("\0\0\0\x3F"), Bytes("\0\0\x80\xFF")},
      {"Nullable(Bool)", Type::Bool(), Bytes("\0\x01"), Bytes("\x01")},
      {"LowCardinality(Nullable(String))", Type::String(), std::string(1, '\0') + Text("text"), Bytes("\x01")},
      {"FixedString(4)", Type::String(), Bytes("ab\0\0"), Bytes("\0\0\0\0")},
      {"Date", Type::Date(), Bytes("\x01\0"), Bytes("\xFF\xFF")},
      {"Date32", Type::Date(), Bytes("\xFF\xFF\xFF\xFF"), Bytes("\0\0\0\0")},
      {"DateTime('UTC')", Type::Timestamp(), Bytes("\x01\0\0\0"), Bytes("\xFF\xFF\xFF\xFF")},
      {"DateTime64(3)", Type::Timestamp(), Bytes("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), Bytes("\x01\0\0\0\0\0\0\0")},
      {"DateTime64(9)", Type::Timestamp(), Bytes("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), Bytes("\xE8\x03\0\0\0\0\0\0")},
      {"Array(Nullable(Int8))", Type::Array(Type::Int64()), Bytes("\x02\0\x07\x01"), Bytes("\0")},
      {"String", Type::Record({{"a", Type::Int64()}, {"b", Type::String()}}), Text(R"({"b":"x","a":1e2})"), Text("")},
      {"Tuple(b String, other UUID, a Nullable(Int8))", Type::Record({{"a", Type::Int64()}, {"b", Type::String()}}),
       Text("x") + std::string(16, 'u') + Bytes("\0\x64"), Text("") + std::string(16, '\0') + Bytes("\x01")},
      {"Map(String, Nullable(Int8))", Type::Record({{"a", Type::Int64()}}),
       Bytes("\x03") + Text("z") + Bytes("\x01") + Text("a") + Bytes("\0\x64") + Text("a") + Bytes("\0\x65"),
       Bytes("\0")},
      {"JSON", Type::Json(), Text(R"({"k":[1]})"), Text("null")},
  };
  return columns;
}

Schema SchemaOf() {
  Schema schema;
  for (const Column& column : Columns()) schema.push_back({column.type, column.ours});
  return schema;
}

std::string Answer() {
  std::string bytes(1, static_cast<char>(Columns().size()));
  for (size_t i = 0; i < Columns().size(); ++i) bytes += Text("c");
  for (const Column& column : Columns()) bytes += Text(column.type);
  for (const Column& column : Columns()) bytes += column.first;
  for (const Column& column : Columns()) bytes += column.second;
  return bytes;
}

struct Result {
  absl::Status status;
  std::vector<std::vector<Value>> rows;
};

// The bytes in pieces of that size.
Result Read(std::string_view bytes, size_t piece) {
  static const Schema& schema = *new Schema(SchemaOf());
  CollectingSink sink;
  RowReader reader(schema, &sink);
  Result result;
  for (size_t at = 0; result.status.ok() && at < bytes.size(); at += piece)
    result.status = reader.Add(bytes.substr(at, piece));
  if (result.status.ok()) result.status = reader.Finish();
  result.rows = sink.rows();
  return result;
}

TEST_CASE("rows of each of ClickHouse's types are read, in whatever pieces they come") {
  const std::string bytes = Answer();
  const Result whole = Read(bytes, bytes.size());
  INFO(whole.status.ToString());
  REQUIRE(whole.status.ok());
  REQUIRE(whole.rows.size() == 2);
  const std::vector<Value>& first = whole.rows[0];
  const std::vector<Value>& second = whole.rows[1];
  CHECK(first[0] == Value::Int64(-1));
  CHECK(first[1] == Value::Null(Type::Int64()));
  CHECK(second[1] == Value::Int64(-128));
  CHECK(first[2] == Value::Int64(4'294'967'295));
  CHECK(first[3] == Value::Float64(0.5));
  CHECK(first[4] == Value::Bool(true));
  CHECK(first[5] == Value::String("text"));
  CHECK(first[6] == Value::String("ab"));
  CHECK(second[6] == Value::String(""));
  CHECK(second[7] == Value::Date(65'535));
  CHECK(first[8] == Value::Date(-1));
  CHECK(second[9] == Value::TimestampMicros(4'294'967'295'000'000));
  CHECK(first[10] == Value::TimestampMicros(-1'000));
  CHECK(first[11] == Value::TimestampMicros(-1));
  CHECK(second[11] == Value::TimestampMicros(1));
  CHECK(first[12].children().size() == 2);
  for (const size_t record : {13, 14}) {
    CHECK(first[record].children()[0] == Value::Int64(100));
    CHECK(first[record].children()[1] == Value::String("x"));
  }
  CHECK(second[13].is_null());
  CHECK(!second[14].is_null());
  CHECK(first[15].children()[0] == Value::Int64(100));
  CHECK(second[16].is_null());
  for (size_t piece = 1; piece < 40; ++piece) {
    const Result again = Read(bytes, piece);
    CHECK(again.status.ok());
    CHECK(again.rows == whole.rows);
  }
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Result cut = Read(std::string_view(bytes).substr(0, size), bytes.size());
    // If the cut ends with the first row, or with the head, nothing is missing.
    if (!cut.status.ok()) CHECK(absl::IsUnavailable(cut.status));
    CHECK(cut.rows.size() < 2);
  }
}

TEST_CASE("bytes that are garbled are rows or an error, in whatever pieces they come") {
  const auto seed = GENERATE(take(1, Catch::Generators::random<uint32_t>(0, 1'000'000)));
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::string good = Answer();
  int failed = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = good;
    for (size_t changes = 1 + random() % 3; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 4 == 0 ? 0xFF : random());
    }
    const Result whole = Read(bytes, bytes.size());
    const Result pieces = Read(bytes, 1 + random() % 50);
    if (whole.status.ok() != pieces.status.ok() || (whole.status.ok() && whole.rows.size() != pieces.rows.size())) {
      FAIL("pieces change what is read");
    }
    failed += whole.status.ok() ? 0 : 1;
  }
  CHECK(failed > 1'000);
}

}  // namespace
}  // namespace logquery::clickhouse
