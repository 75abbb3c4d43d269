// A load's own threads, without the engine in between, so that a sanitizer sees all that they share.
#include "lib/store/load/load_run.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/store/rows/input_file.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

constexpr int kRows = 40'000;

// Every fourth row is rejected, every fifth has a field that is not declared.
std::string Rows() {
  std::string text;
  for (int i = 0; i < kRows; ++i) {
    const std::string number = i % 4 == 3 ? "\"no number\"" : std::to_string(i);
    text += Row("\"i\":" + number + (i % 5 == 0 ? ",\"extra\":1" : "")) + "\n";
  }
  return text;
}

TEST_CASE("threads share a file: each row goes to one of them, and none is lost") {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder / "rejected");
  const auto schema = model::ParseSchemaFile("test", kTestSchema);
  REQUIRE(schema.ok());
  const TableLayout layout = MakeLayouts(*schema)[0];
  const RowPlan plan(layout);
  auto file = InputFile::Open(WriteFile(folder / "rows", Rows()), folder / "");
  REQUIRE(file.ok());
  RejectedRows rejected(folder / "rejected", "test.logs", (*file)->digest(), "rows");
  LineReader reader(file->get(), "rows");
  LoadRun run(&reader, folder / "", &plan, {}, &rejected, {});

  std::vector<duckdb::TypeHandle> types;
  std::vector<duckdb_logical_type> columns;
  for (const StoredColumn& column : layout.columns)
    columns.push_back(types.emplace_back(duckdb::LogicalType(column.type)).get());
  std::vector<int64_t> rows(4);
  std::vector<std::thread> threads;
  for (int64_t& mine : rows) {
    threads.emplace_back([&] {
      RowSource source(&run);
      const duckdb::ChunkHandle chunk(duckdb_create_data_chunk(columns.data(), columns.size()));
      do {
        duckdb_data_chunk_reset(chunk.get());
        source.Fill(chunk.get());
        mine += static_cast<int64_t>(duckdb_data_chunk_get_size(chunk.get()));
      } while (duckdb_data_chunk_get_size(chunk.get()) > 0);
    });
  }
  for (std::thread& thread : threads) thread.join();

  CHECK(run.status().ok());
  CHECK(rows[0] + rows[1] + rows[2] + rows[3] == kRows * 3 / 4);
  const LoadRun::Totals totals = run.totals();
  CHECK(totals.rows == kRows * 3 / 4);
  CHECK(totals.rejected_rows == kRows / 4);
  REQUIRE(totals.first_rejected.size() == 20);
  CHECK(totals.first_rejected[0].line == 4);
  CHECK(totals.undeclared_fields == base::StringSet{"extra"});
  CHECK(rejected.Sync().ok());
}

}  // namespace
}  // namespace logquery::store
