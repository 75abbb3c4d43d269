// Processes that are killed while they learn columns.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store::learned_tests {
namespace {

// Each batch brings a field of its own, and two of three a value that does not fit the column of another.
std::vector<std::string> BatchRows(int batch) {
  std::vector<std::string> rows;
  for (int i = 0; i < 50; ++i) {
    const std::string flip = batch % 3 == 0 ? "1" : batch % 3 == 1 ? "1.5" : "\"x\"";
    rows.push_back(Row("\"f" + std::to_string(batch % 50) + "\":" + std::to_string(i) + ",\"flip" +
                       std::to_string(batch / 3 % 40) + "\":" + flip));
  }
  return rows;
}

TEST_CASE("child: learns until it is killed", "[.child]") {
  const std::string argument = testing::ChildArgument();
  const std::string folder = argument.substr(argument.find(' ') + 1);
  const auto backend = OpenFolder(folder + "/data");
  for (int batch = std::stoi(argument);; ++batch) {
    const std::vector<std::string> rows = BatchRows(batch);
    const auto report = backend->store().Append(
        {.table = "test.logs", .rows = {rows.begin(), rows.end()}, .batch = std::to_string(batch)});
    if (!report.ok()) return;
    WriteFile(folder + "/said", std::to_string(batch));
  }
}

void KillAndLook(int times) {
  TemporaryFolder folder;
  OpenFolder(folder / "data");
  WriteFile(folder / "said", "-1");
  int next = 0;
  for (int i = 0; i < times; ++i) {
    CAPTURE(i);
    const auto said = [&] {
      const std::string text = ReadFile(folder / "said");
      return text.empty() ? next - 1 : std::stoi(text);
    };
    const pid_t child =
        testing::StartChild("child: learns until it is killed", std::to_string(next) + " " + folder / "");
    const int until = next + 1 + i % 4;
    const absl::Time give_up = absl::Now() + absl::Seconds(60);
    while (said() < until && absl::Now() < give_up) std::this_thread::yield();
    kill(child, SIGKILL);
    REQUIRE(testing::AwaitChild(child) == -SIGKILL);

    const auto backend = OpenFolder(folder / "data");
    const int64_t rows = CountRows(*backend);
    CHECK(rows % 50 == 0);
    next = static_cast<int>(rows / 50);
    CHECK(next > said());
    CHECK(next <= said() + 2);
    // The books and the tables agree, and every value is in the column that its field has now.
    const auto findings = backend->Check(/*read_rows=*/true);
    REQUIRE(findings.ok());
    CHECK(findings->empty());
    const auto catalog = backend->ReadCatalog();
    REQUIRE(catalog.ok());
    std::string counts = "0";
    for (const HotColumn& column : catalog->Find("test.logs")->learned_columns)
      counts += " + count(\"" + column.column + "\")";
    CHECK(SelectValue(*backend, "SELECT (" + counts + " + count(_undeclared))::BIGINT FROM \"test.logs\"",
                      Type::Int64()) == Value::Int64(2 * rows));
  }
}

TEST_CASE("kill -9 while columns are learned: each batch is in with its columns, or not at all") { KillAndLook(4); }

TEST_CASE("kill -9 at many moments of learning", "[nightly]") { KillAndLook(100); }

}  // namespace
}  // namespace logquery::store::learned_tests
