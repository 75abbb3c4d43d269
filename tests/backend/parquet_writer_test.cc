// Parquet files, read back by the engine's own reader.
#include "logquery/duckdb/parquet_writer.h"

#include <duckdb.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/engines/duckdb/backend/result_view.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/result/spill_file.h"
#include "logquery/batch.h"
#include "logquery/error.h"
#include "logquery/row_encoder.h"
#include "tests/support/child_process.h"
#include "tests/support/every_type.h"

namespace logquery::duckdb {
namespace {

using Rows = std::vector<std::vector<Value>>;

// The type as it is in a file.
Type AsFile(const Type& type) {
  if (type.is(TypeKind::kBigNumeric) || type.is(TypeKind::kInterval)) return Type::String();
  if (type.is_array() && !type.is_record()) return Type::Array(AsFile(type.element()));
  if (!type.is_record() && !type.is_struct()) return type;
  std::vector<Field> fields = type.fields();
  for (Field& field : fields) field.type = AsFile(field.type);
  return type.is_record() ? Type::Record(std::move(fields)) : Type::Struct(std::move(fields));
}

Value AsFile(const Value& value) {
  const Type type = AsFile(value.type());
  if (value.is_null()) return Value::Null(type);
  if (value.type().is(TypeKind::kBigNumeric) || value.type().is(TypeKind::kInterval)) {
    std::string json;
    AppendJson(ValueBatch({{"", value.type()}}, {{value}}).batch().column(0), 0, {}, json);
    return Value::String(json.substr(1, json.size() - 2));
  }
  if (!type.is_array() && !type.is_struct()) return value;
  std::vector<Value> children;
  for (const Value& child : value.children()) children.push_back(AsFile(child));
  return type.is_array() && !type.is_record() ? Value::Array(type.element(), std::move(children))
                                              : Value::Struct(type, std::move(children));
}

struct Engine {
  Engine() {
    REQUIRE(duckdb_open(nullptr, database.out()) == DuckDBSuccess);
    REQUIRE(duckdb_connect(database.get(), connection.out()) == DuckDBSuccess);
  }
  Rows Read(const std::string& path, const Schema& schema) {
    Result result;
    const std::string sql = base::StrCat("SELECT * FROM read_parquet('", path, "')");
    const bool read = duckdb_query(connection.get(), sql.c_str(), result.out()) == DuckDBSuccess;
    INFO(std::string(result.error()));
    REQUIRE(read);
    REQUIRE(duckdb_column_count(result.get()) == schema.size());
    std::vector<TypeHandle> owned;
    std::vector<duckdb_logical_type> types;
    for (size_t i = 0; i < schema.size(); ++i) {
      owned.emplace_back(duckdb_column_logical_type(result.get(), i));
      types.push_back(owned.back().get());
    }
    // ResultView::Create is not used, because the engine tells a TIMESTAMP in UTC from a DATETIME in files, though both have the
    // same layout.
    ResultView view = ResultView::OfChunks(schema, types);
    CollectingSink sink;
    for (ChunkHandle chunk(duckdb_fetch_chunk(*result.get())); chunk;
         chunk = ChunkHandle(duckdb_fetch_chunk(*result.get()))) {
      REQUIRE(sink.Append(view.Lay(chunk.get(), static_cast<int64_t>(duckdb_data_chunk_get_size(chunk.get())))).ok());
    }
    return sink.rows();
  }
  TextRows Ask(const std::string& sql) {
    absl::StatusOr<TextRows> rows = Query(connection.get(), sql);
    INFO(rows.status().ToString());
    REQUIRE(rows.ok());
    return *std::move(rows);
  }
  DatabaseHandle database;
  ConnectionHandle connection;
};

// A file without a name, for a writer.
std::unique_ptr<result::SpillFile> NewFile() { return result::SpillFile::CreateInMemory().value(); }

void Write(ParquetWriter& writer, const Schema& schema, const Rows& rows, const result::SpillFile& file,
           size_t batch_rows = 2'048) {
  auto written = writer.Begin(schema, file.path());
  INFO(written.status().ToString());
  REQUIRE(written.ok());
  for (size_t begin = 0; begin < rows.size(); begin += batch_rows) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(begin);
    const Rows part(first, first + static_cast<std::ptrdiff_t>(std::min(batch_rows, rows.size() - begin)));
    const absl::Status appended = (*written)->Append(ValueBatch(schema, part).batch());
    INFO(appended.ToString());
    REQUIRE(appended.ok());
  }
  const absl::Status finished = (*written)->Finish();
  INFO(finished.ToString());
  REQUIRE(finished.ok());
}

void CheckFile(const Schema& schema, const Rows& rows, size_t batch_rows = 2'048) {
  const auto writer = MakeDuckDbParquetWriter({});
  const auto file = NewFile();
  Write(*writer, schema, rows, *file, batch_rows);
  Schema read_as = schema;
  for (Field& field : read_as) field.type = AsFile(field.type);
  const Rows read = Engine().Read(file->path(), read_as);
  REQUIRE(read.size() == rows.size());
  for (size_t row = 0; row < read.size(); ++row) {
    for (size_t column = 0; column < schema.size(); ++column) {
      CAPTURE(row, schema[column].name);
      const Value expected = AsFile(rows[row][column]);
      if (read[row][column] == expected) continue;
      CHECK(read[row][column].DebugString() == expected.DebugString());
    }
  }
}

TEST_CASE("a Parquet file has the values of every type") {
  CheckFile(testing::EveryType(), testing::EveryTypeRows(3'000));
  CheckFile(testing::EveryType(), testing::EveryTypeRows(50), 7);
}

TEST_CASE("a Parquet file without rows has its columns, and one of NULLs alone has its rows") {
  CheckFile(testing::EveryType(), {});
  Rows nulls(3);
  for (std::vector<Value>& row : nulls) {
    for (const Field& field : testing::EveryType()) row.push_back(Value::Null(field.type));
  }
  CheckFile(testing::EveryType(), nulls);
}

TEST_CASE("rows keep their order over many row groups, and texts of megabytes come whole") {
  const Schema schema = {{"i", Type::Int64()}, {"s", Type::String()}};
  Rows rows;
  for (int i = 0; i < 60'000; ++i) {
    std::string text = base::StrCat("row ", i, " ", i * 2654435761u, std::string(static_cast<size_t>(i % 300), 'x'));
    if (i % 20'000 == 7) text.append(3 << 20, 'y');
    rows.push_back({Value::Int64(i), Value::String(std::move(text))});
  }
  CheckFile(schema, rows);
  const auto writer = MakeDuckDbParquetWriter({});
  const auto file = NewFile();
  Write(*writer, schema, rows, *file);
  const TextRows groups = Engine().Ask(base::StrCat(
      "SELECT count(DISTINCT row_group_id), max(row_group_bytes) FROM parquet_metadata('", file->path(), "')"));
  CHECK(NumberIn(groups[0][0]).value() > 2);
  CHECK(NumberIn(groups[0][1]).value() < 16 << 20);
}

TEST_CASE("types in a file are those that its readers expect") {
  const auto writer = MakeDuckDbParquetWriter({});
  const auto file = NewFile();
  Write(*writer, testing::EveryType(), testing::EveryTypeRows(10), *file);
  const TextRows types = Engine().Ask(
      base::StrCat("SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet('", file->path(), "'))"));
  const TextRows expected = {
      {"b", "BOOLEAN"},
      {"i", "BIGINT"},
      {"f", "DOUBLE"},
      {"n", "DECIMAL(38,9)"},
      {"bn", "VARCHAR"},
      {"s", "VARCHAR"},
      {"by", "BLOB"},
      {"d", "DATE"},
      {"t", "TIME"},
      {"dt", "TIMESTAMP"},
      {"ts", "TIMESTAMP WITH TIME ZONE"},
      {"iv", "VARCHAR"},
      {"j", "JSON"},
      {"texts", "VARCHAR[]"},
      {"numbers", "DECIMAL(38,9)[]"},
      {"st", "STRUCT(a BIGINT, b STRUCT(c VARCHAR, d DATE[]))"},
      {"rec", "STRUCT(x VARCHAR, r STRUCT(y BOOLEAN))"},
      {"pairs", "STRUCT(k VARCHAR, v DOUBLE)[]"},
  };
  CHECK(types == expected);
}

TEST_CASE("columns and fields of any name are written, and those that clash get a number") {
  const Type fields = Type::Struct({{"", Type::Int64()}, {"a", Type::Int64()}, {"A", Type::Int64()}});
  const Schema schema = {
      {"a\"b", Type::Int64()}, {"", Type::Int64()}, {"bad\xff", Type::Int64()}, {std::string("n\0l", 3), Type::Int64()},
      {"x", fields},           {"X", Type::Int64()}};
  const Value one = Value::Int64(1);
  const auto writer = MakeDuckDbParquetWriter({});
  const auto file = NewFile();
  Write(*writer, schema, {{one, one, one, one, Value::Struct(fields, {one, one, one}), one}}, *file);
  std::vector<std::string> names;
  for (const auto& row :
       Engine().Ask(base::StrCat("SELECT column_name FROM (DESCRIBE FROM read_parquet('", file->path(), "'))"))) {
    names.push_back(row[0]);
  }
  CHECK(names == std::vector<std::string>{"a\"b", "_field_2", "bad\uFFFD", "n\uFFFDl", "x", "_6"});
}

TEST_CASE("invalid UTF-8 and invalid JSON are written as JSON answers have them") {
  const Schema schema = {{"s", Type::String()}, {"j", Type::Json()}};
  const auto writer = MakeDuckDbParquetWriter({});
  const auto file = NewFile();
  Write(*writer, schema,
        {{Value::String("a\xff"), Value::Json("{\"a\":")}, {Value::String(""), Value::Json(" [1, 2] ")}}, *file);
  CHECK(Engine().Ask(base::StrCat("SELECT s, j FROM read_parquet('", file->path(), "')")) ==
        TextRows{{"a\uFFFD", "\"{\\\"a\\\":\""}, {"", "[1,2]"}});
}

TEST_CASE("a file that was begun and left has no footer, and the writer goes on") {
  const Schema schema = {{"i", Type::Int64()}};
  const auto writer = MakeDuckDbParquetWriter({});
  const auto left = NewFile();
  {
    auto written = writer->Begin(schema, left->path());
    REQUIRE(written.ok());
    REQUIRE((*written)->Append(ValueBatch(schema, {{Value::Int64(1)}}).batch()).ok());
  }
  REQUIRE(writer->Begin(schema, left->path()).ok());
  Result result;
  CHECK(duckdb_query(Engine().connection.get(), base::StrCat("FROM read_parquet('", left->path(), "')").c_str(),
                     result.out()) == DuckDBError);
  const auto whole = NewFile();
  Write(*writer, schema, {{Value::Int64(1)}}, *whole);
  CHECK(Engine().Read(whole->path(), schema).size() == 1);
}

TEST_CASE("several files are written at one time") {
  const auto writer = MakeDuckDbParquetWriter({});
  std::vector<std::unique_ptr<result::SpillFile>> files;
  std::vector<std::thread> threads;
  const Rows rows = testing::EveryTypeRows(2'000);
  std::vector<absl::Status> outcomes(6);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    files.push_back(NewFile());
    threads.emplace_back([&, i, path = files.back()->path()] {
      auto written = writer->Begin(testing::EveryType(), path);
      outcomes[i] =
          written.ok() ? (*written)->Append(ValueBatch(testing::EveryType(), rows).batch()) : written.status();
      if (outcomes[i].ok()) outcomes[i] = (*written)->Finish();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < outcomes.size(); ++i) {
    CHECK(outcomes[i] == absl::OkStatus());
    CHECK(Engine().Ask(base::StrCat("SELECT count(*) FROM read_parquet('", files[i]->path(), "')"))[0][0] == "2000");
  }
}

// A limit of file sizes is what a full disk is.
TEST_CASE("child: Parquet on a full disk", "[.child]") {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {64 << 10, RLIM_INFINITY};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  const Schema schema = {{"i", Type::Int64()}};
  std::mt19937_64 random(7);
  Rows rows;
  for (int i = 0; i < 100'000; ++i) rows.push_back({Value::Int64(static_cast<int64_t>(random()))});
  const auto writer = MakeDuckDbParquetWriter({});
  const auto file = NewFile();
  auto written = writer->Begin(schema, file->path());
  REQUIRE(written.ok());
  absl::Status status = (*written)->Append(ValueBatch(schema, rows).batch());
  if (status.ok()) status = (*written)->Finish();
  CHECK(status == absl::UnavailableError("the answer's file can't be written: the disk is full"));
}

TEST_CASE("a disk too full for a Parquet file is Unavailable, and the message has no path") {
  CHECK(testing::RunInChild("child: Parquet on a full disk", "") == 0);
}

TEST_CASE("rows that need more memory than the writer has are ResourceExhausted, with the reason") {
  const Schema schema = {{"s", Type::String()}};
  const auto writer = MakeDuckDbParquetWriter({.memory_limit_bytes = 8 << 20});
  const auto file = NewFile();
  auto written = writer->Begin(schema, file->path());
  REQUIRE(written.ok());
  absl::Status status;
  for (int i = 0; i < 4 && status.ok(); ++i) {
    status = (*written)->Append(ValueBatch(schema, {{Value::String(std::string(16 << 20, 'x'))}}).batch());
  }
  if (status.ok()) status = (*written)->Finish();
  CHECK(absl::IsResourceExhausted(status));
  CHECK((GetErrorDetails(status).reason == ErrorReason::kResourcesExceeded));
  CHECK(base::Message(status).starts_with("the rows need more memory than the server has for writing Parquet"));
}

TEST_CASE("the writer reaches no file but those of its process") {
  const Schema schema = {{"i", Type::Int64()}};
  const auto writer = MakeDuckDbParquetWriter({});
  auto written = writer->Begin(schema, "/tmp/logquery-parquet-writer-test");
  REQUIRE(written.ok());
  absl::Status status = (*written)->Append(ValueBatch(schema, {{Value::Int64(1)}}).batch());
  if (status.ok()) status = (*written)->Finish();
  CHECK_FALSE(status.ok());
  CHECK(access("/tmp/logquery-parquet-writer-test", F_OK) != 0);
}

}  // namespace
}  // namespace logquery::duckdb
