// Folders that the tests of isolation share, made once for a process.
#ifndef LOGQUERY_TESTS_ISOLATION_ISOLATION_TEST_UTIL_H_
#define LOGQUERY_TESTS_ISOLATION_ISOLATION_TEST_UTIL_H_

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/isolation/expressions.h"
#include "tests/isolation/stored_rows.h"
#include "tests/isolation/twins.h"
#include "tests/support/end_of_run.h"
#include "tests/support/folders.h"

namespace logquery::isolation {

inline const Catalogue& Expressions() {
  static const absl::StatusOr<Catalogue> catalogue =
      Catalogue::Read(testing::SourcePath("tests/isolation/expressions.txt"));
  INFO(catalogue.status());
  REQUIRE(catalogue.ok());
  return *catalogue;
}

// The small folders, on one thread and on four.
inline Twins& TwinsFor(Caller caller) {
  static std::map<Hidden, std::unique_ptr<Twins>> made;
  const Hidden hidden = HidesProjects(caller) ? Hidden::kOtherProject : Hidden::kOutsideWindow;
  std::unique_ptr<Twins>& twins = made[hidden];
  if (twins == nullptr) {
    testing::AtEnd([] { made.clear(); });
    FolderPlan plan;
    plan.hidden = hidden;
    absl::StatusOr<std::unique_ptr<Twins>> opened = Twins::Make(plan, {1, 4});
    INFO(opened.status());
    REQUIRE(opened.ok());
    twins = *std::move(opened);
  }
  return *twins;
}

inline std::unique_ptr<LogFolder> MakeFolder(const FolderPlan& plan) {
  absl::StatusOr<std::unique_ptr<LogFolder>> folder = LogFolder::Make(plan);
  INFO(folder.status());
  REQUIRE(folder.ok());
  return *std::move(folder);
}

inline std::unique_ptr<Reader> OpenReader(const ReaderOptions& options) {
  absl::StatusOr<std::unique_ptr<Reader>> reader = Reader::Open(options);
  INFO(reader.status());
  REQUIRE(reader.ok());
  return *std::move(reader);
}

// The column `x` of all rows of a query in DuckDB's own dialect.
inline std::vector<std::string> EngineTexts(Reader& reader, const std::string& sql) {
  PreparedQuery::Parts parts;
  parts.dialect_text = sql;
  parts.schema = {{"x", Type::String()}};
  CollectingSink sink;
  const absl::Status status = reader.backend().Execute(PreparedQuery(std::move(parts)), {}, {}, {}, sink);
  INFO(sql << ": " << status);
  REQUIRE(status.ok());
  std::vector<std::string> texts;
  for (const std::vector<Value>& row : sink.rows())
    texts.push_back(row.at(0).is_null() ? "NULL" : row.at(0).string_value());
  return texts;
}

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_ISOLATION_TEST_UTIL_H_
