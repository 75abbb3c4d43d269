// Helpers that the tests of data folders share.
#ifndef LOGQUERY_TESTS_STORE_FOLDER_TEST_UTIL_H_
#define LOGQUERY_TESTS_STORE_FOLDER_TEST_UTIL_H_

#include <zstd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/backend/duckdb_test_util.h"

namespace logquery::store {

using duckdb::Duck;
using duckdb::Execute;
using duckdb::OpenInMemory;
using duckdb::Rows;
using duckdb::Select;
using duckdb::SelectValue;

// A folder that is gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "logquery-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string WriteFile(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// A table with a column of every kind that a schema file can declare.
inline constexpr char kTestSchema[] = R"({
  "test.logs": {
    "log": "test_logs", "time": "timestamp", "project": ["project"],
    "hot": {"values": ["metadata.request.path", "metadata.request.status"],
            "presence": ["metadata", "metadata.request"]},
    "columns": {
      "id": "STRING", "timestamp": "TIMESTAMP", "event_message": "STRING", "project": "STRING",
      "i": "INT64", "f": "FLOAT64", "b": "BOOL", "n": "NUMERIC", "big": "BIGNUMERIC", "y": "BYTES", "d": "DATE",
      "t": "TIME", "dt": "DATETIME", "j": "JSON", "tags": ["STRING"], "items": [{"name": "STRING", "parts": ["INT64"]}],
      "metadata": {"request": {"path": "STRING", "status": "INT64", "list": ["STRING"]}, "level": "STRING"}}}})";

inline std::unique_ptr<DuckDbBackend> OpenFolder(const std::string& folder, bool read_only = false) {
  DuckDbOptions options;
  options.folder = folder;
  options.read_only = read_only;
  options.schema_json = kTestSchema;
  auto backend = OpenDuckDb(options);
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  return *std::move(backend);
}

inline absl::Status OpenStatus(const std::string& folder, bool read_only = false) {
  DuckDbOptions options;
  options.folder = folder;
  options.read_only = read_only;
  options.schema_json = kTestSchema;
  return OpenDuckDb(options).status();
}

inline LoadReport Load(DuckDbBackend& backend, const LoadRequest& request) {
  const auto report = backend.store().Load(request, nullptr);
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  return *report;
}

inline int64_t CountRows(QueryBackend& backend) {
  return SelectValue(backend, R"(SELECT count(*) FROM "test.logs")", Type::Int64()).int64_value();
}

// Compresses the text to one frame.
inline std::string Zstd(std::string_view text, int level = 3, int window_log = 0) {
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window_log);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  // In two steps, so that the size of the text is not known at the start and the window is not cut to it.
  for (const std::string_view part : {text.substr(0, text.size() / 2), text.substr(text.size() / 2)}) {
    ZSTD_inBuffer in{part.data(), part.size(), 0};
    const bool last = part.data() + part.size() == text.data() + text.size();
    REQUIRE_FALSE(ZSTD_isError(ZSTD_compressStream2(context.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue)));
  }
  packed.resize(out.pos);
  return packed;
}

// A row with these members beside a timestamp.
inline std::string Row(std::string_view members = {}) {
  std::string row = R"({"timestamp":"2026-03-04T05:06:07Z")";
  if (!members.empty()) row.append(",").append(members);
  return row + "}";
}

}  // namespace logquery::store

#endif  // LOGQUERY_TESTS_STORE_FOLDER_TEST_UTIL_H_
