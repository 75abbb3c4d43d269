// The command load: files whose rows were rejected, and what the exit code says of them.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/command_line.h"
#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"
#include "tests/support/folder_sql.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

struct Loaded {
  int code;
  std::string out;
  std::string err;
};

class LoadFolder {
 public:
  LoadFolder() : path_((fs::temp_directory_path() / base::StrCat("logquery-load-command-", getpid())).string()) {
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  ~LoadFolder() { fs::remove_all(path_); }

  std::string data() const { return path_ + "/data"; }

  // Loads the rows as the file edge_logs.ndjson, with further options.
  Loaded Load(const std::string& rows, const std::vector<std::string>& more = {}) const {
    std::ofstream(File(), std::ios::trunc) << rows;
    std::vector<std::string> arguments = {"logquery", "load", "--data", path_ + "/data", File()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::istringstream in;
    std::ostringstream out, err;
    const int code = RunCommandLine(static_cast<int>(argv.size()), argv.data(), {in, out, err});
    return {code, out.str(), err.str()};
  }

  std::string File() const { return path_ + "/edge_logs.ndjson"; }

 private:
  const std::string path_;
};

bool HasText(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr char kSeconds[] = "{\"timestamp\":1772600767}\n{\"timestamp\":1772600768}\n";

TEST_CASE("a file that was loaded with a wrong unit of time is loaded with the right one") {
  const LoadFolder folder;
  const Loaded wrong = folder.Load(kSeconds);
  CHECK(wrong.code == kExitSomeRejected);
  CHECK(HasText(wrong.out, "0 rows accepted, 2 rejected; 0 files loaded, 1 without rows, "));
  CHECK(HasText(wrong.err, base::StrCat("  gave no row: ", folder.File(), ": all of its 2 rows were rejected\n")));
  const Loaded right = folder.Load(kSeconds, {"--timestamp-unit", "s"});
  CHECK(right.code == kExitOk);
  CHECK(HasText(right.out, "2 rows accepted, 0 rejected"));
  CHECK(HasText(folder.Load("{\"timestamp\":1772600769,\"one\":1}\n", {"--timestamp-unit", "s"}).out,
                "1 row accepted, 0 rejected; 1 file loaded, 1 field learned, "));
  const Loaded again = folder.Load(kSeconds, {"--timestamp-unit", "s"});
  CHECK(again.code == kExitOk);
  CHECK(HasText(again.err, "skipped, as it is there already"));
}

TEST_CASE("load names files that gave no row, and counts only the others as loaded") {
  const LoadFolder folder;
  const Loaded one = folder.Load("{\"a\":1}\n", {"--json"});
  CHECK(one.code == kExitSomeRejected);
  CHECK(HasText(one.out,
                R"("files_loaded":0,"files_without_rows":[")" + folder.File() + ": its only row was rejected\"]"));
  const Loaded empty = folder.Load("");
  CHECK(empty.code == kExitOk);
  CHECK(HasText(empty.err, base::StrCat("  gave no row: ", folder.File(), ": it has no rows\n")));
  CHECK(HasText(empty.out, "0 rows accepted, 0 rejected; 0 files loaded, 1 without rows, "));
  // There is nothing of an empty file that could be there already.
  const Loaded empty_again = folder.Load("");
  CHECK(HasText(empty_again.err, base::StrCat("  gave no row: ", folder.File(), ": it has no rows\n")));
  CHECK_FALSE(HasText(empty_again.err, "there already"));
  CHECK(HasText(empty_again.out, "0 rows accepted, 0 rejected; 0 files loaded, 1 without rows, "));
  // A row that was accepted makes it a file that is loaded; a row that was there already, too.
  const std::string row = R"({"id":"a","timestamp":"2026-03-04T05:06:07Z"})"
                          "\n";
  const Loaded some = folder.Load(row + "{\"a\":1}\n");
  CHECK(some.code == kExitSomeRejected);
  CHECK(HasText(some.out, "1 row accepted, 1 rejected; 1 file loaded, 0 fields"));
  CHECK_FALSE(HasText(some.err, "gave no row"));
  CHECK(
      HasText(folder.Load(row, {"--dedupe", "id"}).out, "0 rows accepted, 0 rejected, 1 there already; 1 file loaded"));
}

TEST_CASE("commands refuse a backup, also where they first look for the names of its logs") {
  const CommandFolder folder;
  const std::string rows = folder.Write("edge_logs.ndjson", "{\"timestamp\":\"2026-03-04T05:06:07Z\"}\n");
  REQUIRE(folder.Run({"load", "--data", "{}/data", rows}).code == kExitOk);
  REQUIRE(folder.Run({"backup", "--data", "{}/data", "{}/backup"}).code == kExitOk);
  const std::string backup = folder.path + "/backup";
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"query", "--data", backup, "SELECT 1"},
                                             {"load", "--data", backup, "--source", "app", rows},
                                             {"load", "--data", backup, rows},
                                             {"stats", "--data", backup},
                                             {"doctor", "--data", backup},
                                             {"cluster", "--data", backup},
                                             {"export", "--data", backup, "--out", "{}/out"}}) {
    CAPTURE(command);
    const Outcome refused = folder.Run(command);
    CHECK(refused.code == kExitFailed);
    CHECK(refused.err == base::StrCat("logquery: ", backup, " is a backup; logquery restore ", backup,
                                      " --data NEW makes a folder of it\n"));
  }
  CHECK(folder.Run({"restore", "{}/backup", "--data", "{}/restored"}).code == kExitOk);
}

TEST_CASE("load tells of a skipped file which rows are missing, and --again --dedupe id loads these") {
  const LoadFolder folder;
  const std::string mixed = std::string(kSeconds) + "{\"timestamp\":\"2026-03-04T05:06:07Z\"}\n";
  CHECK(folder.Load(mixed).code == kExitSomeRejected);
  const Loaded skipped = folder.Load(mixed);
  CHECK(skipped.code == kExitSomeRejected);
  CHECK(HasText(skipped.err, "edge_logs.ndjson: 2 rows were rejected then\n"));
  CHECK(HasText(skipped.err, "--again --dedupe id loads the rows that are missing\n"));
  CHECK(HasText(folder.Load(mixed, {"--json"}).out, "\"rejected_before\":2"));

  const Loaded missing = folder.Load(mixed, {"--again", "--dedupe", "id", "--timestamp-unit", "s"});
  CHECK(missing.code == kExitOk);
  CHECK(HasText(missing.out, "2 rows accepted, 0 rejected, 1 there already"));
  CHECK(folder.Load(mixed).code == kExitOk);
}

TEST_CASE("load gives its advice on the unit of times once, with the number of rows, and so for nanoseconds") {
  const LoadFolder folder;
  std::string rows;
  for (int i = 0; i < 30; ++i) {
    base::StrAppend(&rows, i == 4 ? "{\"a\":1" : "{\"timestamp\":1772600767", i == 4 ? "" : "000000000", "}\n");
  }
  const Loaded wrong = folder.Load(rows);
  CHECK(
      wrong.err ==
      base::StrCat("  gave no row: ", folder.File(), ": all of its 30 rows were rejected\n",
                   "  rejected: ", folder.File(), ":1 and 18 more: timestamp is not in the years 2000 to 2100: ",
                   "1772600767000000000 read as us is the year 58141; --timestamp-unit ns would be right\n",
                   "  rejected: ", folder.File(), ":5: timestamp is missing\n",
                   "  rejected in all: 29 rows: timestamp is not in the years 2000 to 2100; --timestamp-unit ns would "
                   "be right\n  rejected in all: 1 row: timestamp is missing\n"));
  // Another number is the same mistake, and another unit is another one.
  const Loaded mixed = folder.Load(
      "{\"timestamp\":1772600767}\n{\"timestamp\":1772600768000}\n{\"timestamp\":1772600769}\n{\"timestamp\":12}\n");
  INFO(mixed.err);
  CHECK(HasText(mixed.err,
                ":1 and 1 more: timestamp is not in the years 2000 to 2100: 1772600767 read as us is the "
                "year 1970; --timestamp-unit s would be right\n"));
  CHECK(HasText(mixed.err, ":2: timestamp is not in the years 2000 to 2100: 1772600768000 read as us"));
  CHECK(HasText(mixed.err, ":4: timestamp is not in the years 2000 to 2100\n"));
}

TEST_CASE("load counts all rejected rows by reason, as text where it lists not all of them, and as JSON") {
  const LoadFolder folder;
  std::string rows;
  for (int i = 0; i < 1'204; ++i) base::StrAppend(&rows, "{\"a\":", i, "}\n");
  for (int i = 0; i < 3; ++i) base::StrAppend(&rows, "{\"timestamp\":\"value ", i, "\"}\n");
  const Loaded loaded = folder.Load(rows);
  INFO(loaded.err);
  CHECK(loaded.code == kExitSomeRejected);
  CHECK(loaded.err == base::StrCat("  gave no row: ", folder.File(), ": all of its 1,207 rows were rejected\n",
                                   "  rejected: ", folder.File(), ":1 and 19 more: timestamp is missing\n",
                                   "  rejected in all: 1,204 rows: timestamp is missing\n",
                                   "  rejected in all: 3 rows: timestamp is no TIMESTAMP\n"));
  CHECK(HasText(folder.Load(rows, {"--json"}).out,
                R"("rejected_by_reason":[{"reason":"timestamp is missing","rows":1204},)"
                R"({"reason":"timestamp is no TIMESTAMP","rows":3}])"));
  // Rows that are listed are not counted again.
  CHECK_FALSE(HasText(folder.Load("{\"a\":1}\n{\"a\":2}\n").err, "rejected in all"));
}

TEST_CASE("load names what may be the time of rows without one, once for all of them") {
  const LoadFolder folder;
  const Loaded loaded = folder.Load(
      "{\"ts\":\"2026-03-04T05:06:07Z\"}\n{\"ts\":\"2026-03-04T05:06:08Z\"}\n{\"timestamp\":\"yesterday\"}\n{\"a\":1}"
      "\n");
  CHECK(loaded.code == kExitSomeRejected);
  INFO(loaded.err);
  CHECK(HasText(loaded.err,
                "edge_logs.ndjson:1 and 1 more: timestamp is missing; the row has ts, which `logquery schema --infer` "
                "makes the time of a log\n"));
  CHECK(HasText(loaded.err, "edge_logs.ndjson:3: timestamp "));
  CHECK(HasText(loaded.err, "edge_logs.ndjson:4: timestamp is missing\n"));
}

// Returns whether all rows of edge_logs have a packed record.
bool AllArePacked(const LoadFolder& folder) {
  return testing::RunInFolder(folder.data(),
                              "SELECT CASE WHEN count(\":metadata\") < count(*) THEN error('some have none') END FROM "
                              "\"cloudflare.logs.prod\"");
}

TEST_CASE("load packs the records of all rows, or of open days, as --packed-records says") {
  const LoadFolder folder;
  CHECK(folder.Load(kSeconds, {"--timestamp-unit", "s", "--packed-records", "all"}).code == kExitOk);
  CHECK(AllArePacked(folder));
  CHECK(folder.Load("{\"timestamp\":1772600769}\n", {"--timestamp-unit", "s"}).code == kExitOk);
  CHECK_FALSE(AllArePacked(folder));
  const Loaded wrong = folder.Load(kSeconds, {"--packed-records", "some"});
  CHECK(wrong.code == kExitUsage);
  CHECK(HasText(wrong.err, "--packed-records"));
  CHECK(HasText(wrong.err, "open-days"));
}

}  // namespace
}  // namespace logquery::shim
