// Rows that are exported as Arrow arrays and as Arrow streams, read back by the engine's own import of Arrow arrays, value by
// value.
#include <duckdb.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/backend/result_view.h"
#include "logquery/arrow.h"
#include "logquery/batch.h"
#include "logquery/row_encoder.h"
#include "tests/support/arrow_stream.h"
#include "tests/support/every_type.h"

namespace logquery::duckdb {
namespace {

using Rows = std::vector<std::vector<Value>>;

// DuckDB's decimals have at most 38 digits; tests/result/arrow_test.cc reads wider ones.
void RemoveBigNumeric(Schema& schema, Rows& rows) {
  for (size_t i = 0; i < schema.size(); ++i) {
    if (!schema[i].type.is(TypeKind::kBigNumeric)) continue;
    schema.erase(schema.begin() + static_cast<std::ptrdiff_t>(i));
    for (std::vector<Value>& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

// The type with each record as the list that queries see.
Type AsList(const Type& type) {
  if (!type.is_array() && !type.is_struct()) return type;
  if (type.is_array() && !type.is_record()) return Type::Array(AsList(type.element()));
  std::vector<Field> fields = type.fields();
  for (Field& field : fields) field.type = AsList(field.type);
  Type of_fields = Type::Struct(std::move(fields));
  return type.is_record() ? Type::Array(of_fields) : of_fields;
}

Value AsList(const Value& value) {
  const Type& type = value.type();
  const Type listed = AsList(type);
  if (value.is_null()) return type.is_record() ? Value::Array(listed.element(), {}) : Value::Null(listed);
  if (!type.is_array() && !type.is_struct()) return value;
  std::vector<Value> children;
  if (type.is_record()) {
    // A record's value has its fields, or one element that has them.
    std::vector<Value> fields;
    for (const Value& field : value.children()) fields.push_back(AsList(field));
    return Value::Array(listed.element(), {Value::Struct(listed.element(), std::move(fields))});
  }
  for (const Value& child : value.children()) children.push_back(AsList(child));
  return type.is_array() ? Value::Array(listed.element(), std::move(children))
                         : Value::Struct(listed, std::move(children));
}

class Engine {
 public:
  Engine() {
    REQUIRE(duckdb_open(nullptr, &database_) == DuckDBSuccess);
    REQUIRE(duckdb_connect(database_, &connection_) == DuckDBSuccess);
  }
  ~Engine() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Imports the arrays, and returns their rows as values of the columns `read_as`.
  Rows Import(ArrowSchema& schema, ArrowArray& array, const Schema& read_as) {
    duckdb_arrow_converted_schema converted = nullptr;
    Check(duckdb_schema_from_arrow(connection_, &schema, &converted));
    duckdb_data_chunk chunk = nullptr;
    Check(duckdb_data_chunk_from_arrow(connection_, &array, converted, &chunk));
    duckdb_destroy_arrow_converted_schema(&converted);
    REQUIRE(duckdb_data_chunk_get_column_count(chunk) == read_as.size());
    std::vector<duckdb_logical_type> types;
    for (size_t i = 0; i < read_as.size(); ++i) {
      types.push_back(duckdb_vector_get_column_type(duckdb_data_chunk_get_vector(chunk, i)));
      ids.push_back(duckdb_get_type_id(types.back()));
    }
    ResultView view = ResultView::OfChunks(read_as, types);
    for (duckdb_logical_type& type : types) duckdb_destroy_logical_type(&type);
    CollectingSink sink;
    REQUIRE(sink.Append(view.Lay(chunk, static_cast<int64_t>(duckdb_data_chunk_get_size(chunk)))).ok());
    duckdb_destroy_data_chunk(&chunk);
    return sink.rows();
  }

  std::vector<duckdb_type> ids;  // of the imported columns

 private:
  static void Check(duckdb_error_data error) {
    if (error == nullptr) return;
    const std::string message = duckdb_error_data_has_error(error) ? duckdb_error_data_message(error) : std::string();
    duckdb_destroy_error_data(&error);
    INFO(message);
    REQUIRE(message.empty());
  }

  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

void CheckRows(const Schema& schema, const Rows& read, const Rows& expected) {
  REQUIRE(read.size() == expected.size());
  for (size_t row = 0; row < read.size(); ++row) {
    for (size_t column = 0; column < schema.size(); ++column) {
      CAPTURE(row, schema[column].name);
      if (read[row][column] == expected[row][column]) continue;
      CHECK(read[row][column].DebugString() == expected[row][column].DebugString());
    }
  }
}

// The rows as they come out of a stream of RowFormat::kArrow.
Rows ReadStream(const Schema& schema, const Rows& rows, const Schema& read_as) {
  RowEncoder encoder(schema, {.format = RowFormat::kArrow});
  const ValueBatch batch(schema, rows);
  REQUIRE(encoder.Append(batch.batch()).ok());
  const testing::ArrowStream stream = testing::ReadArrowStream(std::move(encoder).Finish());
  Rows read;
  for (const testing::ArrowStream::Batch& part : stream.batches) {
    ArrowSchema arrow_schema;
    ArrowArray array;
    REQUIRE(ExportArrow(batch.batch(), schema, &arrow_schema, nullptr).ok());
    testing::MakeArrays(part, schema, array);
    Engine engine;
    for (std::vector<Value>& row : engine.Import(arrow_schema, array, read_as)) read.push_back(std::move(row));
    arrow_schema.release(&arrow_schema);
    if (array.release != nullptr) array.release(&array);
  }
  return read;
}

void CheckImport(const Schema& schema, const Rows& rows) {
  Schema read_as = schema;
  for (Field& field : read_as) field.type = AsList(field.type);
  Rows expected;
  for (const std::vector<Value>& row : rows) {
    std::vector<Value>& listed = expected.emplace_back();
    for (const Value& value : row) listed.push_back(AsList(value));
  }
  ArrowSchema arrow_schema;
  ArrowArray array;
  {
    const ValueBatch batch(schema, rows);
    REQUIRE(ExportArrow(batch.batch(), schema, &arrow_schema, &array).ok());
  }
  Engine engine;
  const Rows read = engine.Import(arrow_schema, array, read_as);
  arrow_schema.release(&arrow_schema);
  if (array.release != nullptr) array.release(&array);
  CheckRows(schema, read, expected);
  CheckRows(schema, ReadStream(schema, rows, read_as), expected);
}

TEST_CASE("DuckDB imports every type of exported rows with the same values") {
  Schema schema = testing::EveryType();
  Rows rows = testing::EveryTypeRows(100);
  RemoveBigNumeric(schema, rows);
  CheckImport(schema, rows);
}

TEST_CASE("DuckDB imports exported rows beyond one of its vectors") {
  Schema schema = testing::EveryType();
  Rows rows = testing::EveryTypeRows(5'000);
  RemoveBigNumeric(schema, rows);
  CheckImport(schema, rows);
}

TEST_CASE("DuckDB imports an exported batch without rows, and one of NULLs alone") {
  Schema schema = testing::EveryType();
  Rows none;
  RemoveBigNumeric(schema, none);
  CheckImport(schema, none);
  Rows nulls(3);
  for (std::vector<Value>& row : nulls) {
    for (const Field& field : schema) row.push_back(Value::Null(field.type));
  }
  CheckImport(schema, nulls);
}

TEST_CASE("DuckDB imports long texts and long lists") {
  const Schema schema = {{"s", Type::String()}, {"l", Type::Array(Type::Array(Type::String()))}};
  Rows rows;
  for (const size_t length : {0, 11, 12, 13, 1 << 20, 5}) {
    // DuckDB has lists of lists, unlike GoogleSQL.
    std::vector<Value> texts(length % 1'000, Value::String(std::string(length % 100, 'y')));
    const Value list = Value::Array(Type::String(), std::move(texts));
    rows.push_back(
        {Value::String(std::string(length, 'x')), Value::Array(list.type(), {list, Value::Null(list.type()), list})});
  }
  CheckImport(schema, rows);
}

TEST_CASE("DuckDB sees the types that the interface names") {
  Schema schema = testing::EveryType();
  Rows rows = testing::EveryTypeRows(1);
  RemoveBigNumeric(schema, rows);
  const ValueBatch batch(schema, rows);
  ArrowSchema arrow_schema;
  ArrowArray array;
  REQUIRE(ExportArrow(batch.batch(), schema, &arrow_schema, &array).ok());
  Schema read_as = schema;
  for (Field& field : read_as) field.type = AsList(field.type);
  Engine engine;
  engine.Import(arrow_schema, array, read_as);
  arrow_schema.release(&arrow_schema);
  if (array.release != nullptr) array.release(&array);
  CHECK(engine.ids == std::vector<duckdb_type>{
                          DUCKDB_TYPE_BOOLEAN, DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_DOUBLE, DUCKDB_TYPE_DECIMAL,
                          DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_BLOB, DUCKDB_TYPE_DATE, DUCKDB_TYPE_TIME,
                          DUCKDB_TYPE_TIMESTAMP, DUCKDB_TYPE_TIMESTAMP_TZ, DUCKDB_TYPE_INTERVAL, DUCKDB_TYPE_VARCHAR,
                          DUCKDB_TYPE_LIST, DUCKDB_TYPE_LIST, DUCKDB_TYPE_STRUCT, DUCKDB_TYPE_LIST, DUCKDB_TYPE_LIST});
}

}  // namespace
}  // namespace logquery::duckdb
