// Loads single lines of a log.
#ifndef LOGQUERY_TESTS_STORE_LOADED_LINES_H_
#define LOGQUERY_TESTS_STORE_LOADED_LINES_H_

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/store/folder_test_util.h"

namespace logquery::store::load_tests {

// A backend that lines of the test schema are loaded into, one file each.
class Lines {
 public:
  Lines() : backend_(OpenFolder(folder_ / "data")) {}

  LoadReport Load(const std::string& line, TimestampUnit unit = TimestampUnit::kMicroseconds) {
    const std::string file = WriteFile(folder_ / ("file" + std::to_string(++files_)), line);
    return store::Load(*backend_, {.table = "test.logs", .files = {file}, .timestamp_unit = unit});
  }
  // The value of `expression` for the one row that the line gives.
  Value LoadValue(const std::string& line, const std::string& expression, Type type,
                  TimestampUnit unit = TimestampUnit::kMicroseconds) {
    const LoadReport report = Load(line, unit);
    INFO((report.first_rejected.empty() ? "" : report.first_rejected[0].reason));
    REQUIRE(report.rows == 1);
    const std::string from = R"( FROM "test.logs" ORDER BY rowid DESC LIMIT 1)";
    return SelectValue(*backend_, "SELECT " + expression + from, std::move(type));
  }
  DuckDbBackend& backend() { return *backend_; }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<DuckDbBackend> backend_;
  int files_ = 0;
};

}  // namespace logquery::store::load_tests

#endif  // LOGQUERY_TESTS_STORE_LOADED_LINES_H_
