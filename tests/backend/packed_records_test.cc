// Packed records: every value comes back as it was, and bytes that are no record of the type are refused.
#include "lib/backend/packed_records.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "lib/model/big_numeric.h"
#include "logquery/row_encoder.h"

namespace logquery::backend {
namespace {

Type RequestType() {
  return Type::Record({{"path", Type::String()}, {"status", Type::Int64()}, {"list", Type::Array(Type::String())}});
}

Type EveryType() {
  return Type::Record(
      {{"b", Type::Bool()},
       {"i", Type::Int64()},
       {"f", Type::Float64()},
       {"n", Type::Numeric()},
       {"big", Type::BigNumeric()},
       {"s", Type::String()},
       {"y", Type::Bytes()},
       {"d", Type::Date()},
       {"t", Type::Time()},
       {"dt", Type::Datetime()},
       {"ts", Type::Timestamp()},
       {"iv", Type::Interval()},
       {"j", Type::Json()},
       {"numbers", Type::Array(Type::Int64())},
       {"request", RequestType()},
       {"parts", Type::Array(Type::Struct({{"name", Type::String()}, {"sizes", Type::Array(Type::Float64())}}))}});
}

// A column of every kind of value, NULL and not, as an engine would have it.
class Column {
 public:
  explicit Column(const Type& type, uint64_t seed = 1) : random_(seed), rows_(type) {}

  ColumnBuilder& builder() { return rows_; }
  void AppendRandom() { AppendTo(rows_); }

 private:
  bool Chance(int percent) { return static_cast<int>(random_() % 100) < percent; }

  std::string_view AnyText() {
    static const std::vector<std::string> edges = {"",
                                                   "a",
                                                   "exactly 12 b",
                                                   "thirteen byte",
                                                   "invalid \xff\xfe UTF-8 \xc3",
                                                   std::string("nul \0 byte", 10),
                                                   "\"\\\n\x01",
                                                   std::string(300, 'x'),
                                                   "grüße 日本語"};
    return texts_.Copy(edges[random_() % edges.size()]);
  }

  int64_t AnyInt() {
    static const std::vector<int64_t> edges = {0,
                                               1,
                                               -1,
                                               63,
                                               64,
                                               -65,
                                               (int64_t{1} << 53) + 1,
                                               std::numeric_limits<int64_t>::min(),
                                               std::numeric_limits<int64_t>::max()};
    return Chance(50) ? edges[random_() % edges.size()] : static_cast<int64_t>(random_());
  }

  void AppendTo(ColumnBuilder& out) {
    const Type& type = out.type();
    if (Chance(30)) return out.AppendNull();
    if (type.is_record() || type.is_struct()) {
      out.AppendPresent();
      for (size_t i = 0; i < out.child_count(); ++i) AppendTo(out.child(i));
      return;
    }
    switch (type.kind()) {
      case TypeKind::kBool:
        return out.Append(static_cast<uint8_t>(random_() % 2));
      case TypeKind::kDate:
        return out.Append(static_cast<int32_t>(random_() % 3'000'000) - 700'000);
      case TypeKind::kTime:
        return out.Append(static_cast<int64_t>(random_() % 86'400'000'000));
      case TypeKind::kDatetime:
      case TypeKind::kTimestamp:
        return out.Append(static_cast<int64_t>(random_() % 300'000'000'000'000'000) - 60'000'000'000'000'000);
      case TypeKind::kFloat64: {
        static const std::vector<double> edges = {0.0, -0.0, 1.5, NAN, INFINITY, -INFINITY, 5e-324, 0.1};
        return out.Append(edges[random_() % edges.size()]);
      }
      case TypeKind::kNumeric:
        return out.Append(Int128{random_(), Chance(50) ? -1 : 0});
      case TypeKind::kInterval:
        return out.Append(PackedInterval{static_cast<int32_t>(random_()), -3, AnyInt()});
      case TypeKind::kBigNumeric:
        return out.Append(StringRef(texts_.Copy(
            *model::ParseBigNumeric(Chance(50) ? "-0.5" : "12345678901234567890.5", model::ExtraDigits::kRefused))));
      case TypeKind::kJson:
        return out.Append(StringRef(texts_.Copy(Chance(50) ? R"({"a":[1,null]})" : "null")));
      case TypeKind::kString:
      case TypeKind::kBytes:
        return out.Append(StringRef(AnyText()));
      case TypeKind::kArray: {
        const ListSlice slice{static_cast<uint64_t>(out.child(0).rows()), random_() % 4};
        for (uint64_t i = 0; i < slice.length; ++i) AppendTo(out.child(0));
        return out.Append(slice);
      }
      default:
        return out.Append(AnyInt());
    }
  }

  std::mt19937_64 random_;
  TextBlocks texts_;
  ColumnBuilder rows_;
};

std::string Packed(const ColumnView& column, int64_t row) {
  std::string bytes;
  RecordPacker(column.type()).Pack(column, row, bytes);
  return bytes;
}

// Distinguishes a NULL array from an empty one and NaN from NaN, unlike JSON. Packed bytes do: there is one packing for a value.
void CheckSame(const ColumnView& column, const ColumnView& unpacked, int64_t rows) {
  for (int64_t row = 0; row < rows; ++row) {
    CAPTURE(row);
    REQUIRE(Packed(column, row) == Packed(unpacked, row));
  }
}

TEST_CASE("a record is packed and read back") {
  Column column(RequestType());
  ColumnBuilder& record = column.builder();
  record.AppendPresent();
  record.child(0).Append(StringRef("/rest/v1/todos"));
  record.child(1).Append(int64_t{200});
  record.child(2).child(0).Append(StringRef("a"));
  record.child(2).Append(ListSlice{0, 1});
  record.AppendNull();
  RecordUnpacker unpacker(RequestType());
  const std::string first = Packed(record.View(), 0);
  const std::string second = Packed(record.View(), 1);
  REQUIRE(unpacker.Add(first));
  REQUIRE(unpacker.Add(second));
  const ColumnView rows = unpacker.View();
  std::string json;
  AppendJson(rows, 0, {}, json);
  AppendJson(rows, 1, {}, json);
  CHECK(json == R"([{"path":"/rest/v1/todos","status":200,"list":["a"]}][])");
  // A fingerprint, a byte each for the record's presence, its fields' bitmap, a length, the number's first and second, …
  CHECK(first.size() == 4 + 1 + 1 + (1 + 14) + 2 + (1 + 1 + 1 + 1));
  CHECK(second.size() == 4 + 1);
}

TEST_CASE("values of every type come back as they were") {
  const Type type = EveryType();
  Column column(type, 20'261'128);
  constexpr int64_t kRows = 500;
  for (int64_t row = 0; row < kRows; ++row) column.AppendRandom();
  const ColumnView before = column.builder().View();
  std::vector<std::string> packed;
  for (int64_t row = 0; row < kRows; ++row) packed.push_back(Packed(before, row));
  RecordUnpacker unpacker(type);
  for (const std::string& bytes : packed) REQUIRE(unpacker.Add(bytes));
  const ColumnView after = unpacker.View();
  CheckSame(before, after, kRows);
  for (int64_t row = 0; row < kRows; ++row) {
    std::string expected;
    std::string actual;
    AppendJson(before, row, {}, expected);
    AppendJson(after, row, {}, actual);
    REQUIRE(expected == actual);
  }
}

TEST_CASE("a NULL array is not an empty one") {
  const Type type = Type::Record({{"list", Type::Array(Type::Int64())}});
  ColumnBuilder record(type);
  record.AppendPresent();
  record.child(0).AppendNull();
  record.AppendPresent();
  record.child(0).Append(ListSlice{0, 0});
  RecordUnpacker unpacker(type);
  const std::string null_array = Packed(record.View(), 0);
  const std::string empty_array = Packed(record.View(), 1);
  REQUIRE(unpacker.Add(null_array));
  REQUIRE(unpacker.Add(empty_array));
  const ColumnView rows = unpacker.View();
  CHECK(rows.child(0).IsNull(0));
  CHECK_FALSE(rows.child(0).IsNull(1));
}

TEST_CASE("bytes that are no record of the type are refused") {
  Column column(RequestType());
  ColumnBuilder& record = column.builder();
  record.AppendPresent();
  record.child(0).Append(StringRef("/a"));
  record.child(1).Append(int64_t{1} << 60);
  record.child(2).child(0).Append(StringRef("x"));
  record.child(2).Append(ListSlice{0, 1});
  const std::string good = Packed(record.View(), 0);
  const auto takes = [](const Type& type, const std::string& bytes) { return RecordUnpacker(type).Add(bytes); };
  CHECK(takes(RequestType(), good));
  for (size_t size = 0; size < good.size(); ++size) CHECK_FALSE(takes(RequestType(), good.substr(0, size)));
  CHECK_FALSE(takes(RequestType(), good + "x"));
  // Another name, order, type, or no record.
  const std::vector<Field> fields = RequestType().fields();
  CHECK_FALSE(takes(Type::Record({fields[1], fields[0], fields[2]}), good));
  CHECK_FALSE(takes(Type::Record({{"way", fields[0].type}, fields[1], fields[2]}), good));
  CHECK_FALSE(takes(Type::Record({{"path", Type::Bytes()}, fields[1], fields[2]}), good));
  CHECK_FALSE(takes(Type::Record({fields[0], fields[1], fields[2], fields[2]}), good));
  CHECK_FALSE(takes(Type::Struct(fields), good));
}

TEST_CASE("damaged bytes are never read beyond their end") {
  const Type type = EveryType();
  Column column(type, 7);
  for (int row = 0; row < 50; ++row) column.AppendRandom();
  const ColumnView rows = column.builder().View();
  std::mt19937_64 random(11);
  for (int64_t row = 0; row < 50; ++row) {
    const std::string good = Packed(rows, row);
    for (int damage = 0; damage < 200; ++damage) {
      std::string bytes = good;
      bytes[random() % bytes.size()] = static_cast<char>(random());
      RecordUnpacker unpacker(type);
      if (!unpacker.Add(bytes)) continue;
      CHECK_FALSE(Packed(unpacker.View(), 0).empty());  // reads all of it
    }
  }
}

TEST_CASE("only records of many fields are worth packing") {
  CHECK_FALSE(IsWorthPacking(RequestType()));
  CHECK(IsWorthPacking(EveryType()));
  CHECK_FALSE(IsWorthPacking(Type::Array(Type::Struct(EveryType().fields()))));
  CHECK_FALSE(IsWorthPacking(Type::String()));
}

}  // namespace
}  // namespace logquery::backend
