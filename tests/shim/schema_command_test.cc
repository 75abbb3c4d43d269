// `logquery schema --infer`: a declaration by rows, with the lines that are none, and the file that it goes into.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "lib/base/strings.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

// Rows from the noon of a day on, one a second.
std::string Rows(int count) {
  std::string rows;
  for (int i = 0; i < count; ++i) {
    base::StrAppend(&rows, R"({"ts":"2026-03-04T12:00:)", i < 10 ? "0" : "", i, R"(Z","service":"shop","status":200})",
                    "\n");
  }
  return rows;
}

TEST_CASE("a log is declared by a file of which some lines are no rows") {
  const CommandFolder folder;
  folder.Write("shop.ndjson", Rows(14) + "{\"ts\":\"2026-03-04T12:00:00Z\",\n\n" + Rows(14) + "[]\n");
  const Outcome inferred = folder.Run({"schema", "--infer", "{}/shop.ndjson", "--project", "service"});
  INFO(inferred.err);
  CHECK(inferred.code == kExitOk);
  CHECK(Has(inferred.out, R"("status": "INT64")"));
  CHECK(Has(inferred.err, "  by 28 rows\n  skipped 2 of 30 lines, which are no rows\n"));
  CHECK(Has(inferred.err, base::StrCat("  skipped: ", folder.path, "/shop.ndjson:15: not JSON at column ")));
  CHECK(Has(inferred.err, "/shop.ndjson:31: is no JSON object\n"));
  // Of standard input as of a file; a row alone is in the singular.
  const Outcome piped = folder.Run({"schema", "--infer", "-", "--log", "shop"}, Rows(1));
  CHECK(piped.code == kExitOk);
  CHECK(Has(piped.err, "  by 1 row\n"));
}

TEST_CASE("a file of which most lines are no rows declares nothing") {
  const CommandFolder folder;
  folder.Write("shop.ndjson", "GET / 200\n" + Rows(1) + "GET / 200\n");
  const Outcome inferred = folder.Run({"schema", "--infer", "{}/shop.ndjson"});
  CHECK(inferred.code == kExitUsage);
  CHECK(inferred.out.empty());
  CHECK(Has(inferred.err, "only 1 of 3 lines are rows, which are JSON objects; the first that is none is "));
  CHECK(Has(inferred.err, "/shop.ndjson:1: not JSON at column 1: "));
  // A line of 9 MB is one line.
  folder.Write("long.ndjson", std::string(9'000'000, 'x') + "\n" + Rows(3));
  const Outcome longer = folder.Run({"schema", "--infer", "{}/long.ndjson"});
  INFO(longer.err);
  CHECK(longer.code == kExitOk);
  CHECK(Has(longer.err, "skipped 1 of 4 lines"));
  CHECK(Has(longer.err, "long.ndjson:1: is longer than 8388608 bytes"));
}

TEST_CASE("a log whose name has dots is declared with a name for queries, and the file works as it is") {
  const CommandFolder folder;
  folder.Write("rows.ndjson", Rows(3));
  const Outcome made =
      folder.Run({"schema", "--infer", "{}/rows.ndjson", "--log", "my.app-2", "--out", "{}/new/schema.json"});
  INFO(made.err);
  CHECK(made.code == kExitOk);
  CHECK(Has(folder.Read("new/schema.json"), "\"my.app-2\": {\n    \"log\": \"my_app_2\","));
  CHECK(folder
            .Run({"load", "--data", "{}/data", "--schema", "{}/new/schema.json", "--source", "my.app-2",
                  "{}/rows.ndjson"})
            .code == kExitOk);
  CHECK(Has(folder.Run({"query", "--data", "{}/data", "select count(*) as n from my_app_2"}).out, "3"));
}

TEST_CASE("a declaration goes into a file, which is written on success alone") {
  const CommandFolder folder;
  folder.Write("shop.ndjson", Rows(3));
  folder.Write("other.ndjson", R"({"at":"2026-03-04T12:00:00Z"})");
  folder.Write("broken.ndjson", "GET /\n");
  const auto infer = [&folder](const std::string& rows) {
    return folder.Run({"schema", "--infer", "{}/" + rows, "--log", "shop", "--out", "{}/schema.json"});
  };
  const Outcome failed = infer("broken.ndjson");
  CHECK(failed.code == kExitUsage);
  CHECK_FALSE(std::filesystem::exists(folder.path + "/schema.json"));

  const Outcome made = infer("shop.ndjson");
  INFO(made.err);
  CHECK(made.code == kExitOk);
  CHECK(made.out.empty());
  CHECK(Has(made.err, "  wrote " + folder.path + "/schema.json\n"));
  const std::string text = folder.Read("schema.json");
  CHECK(text == folder.Run({"schema", "--infer", "{}/shop.ndjson", "--out", "-"}).out);
  CHECK(folder.Run({"load", "--data", "{}/data", "--schema", "{}/schema.json", "{}/shop.ndjson"}).code == kExitOk);

  // The same again changes nothing; another text is refused; an empty file is no text.
  const Outcome again = infer("shop.ndjson");
  CHECK(again.code == kExitOk);
  CHECK(Has(again.err, "/schema.json is there already, with this text\n"));
  const Outcome other = infer("other.ndjson");
  CHECK(other.code == kExitFailed);
  CHECK(Has(other.err, "/schema.json is there already, with another text; it stays: remove it"));
  CHECK(folder.Read("schema.json") == text);
  folder.Write("schema.json", "\n");
  CHECK(infer("other.ndjson").code == kExitOk);
  CHECK(Has(folder.Read("schema.json"), "\"at\": \"TIMESTAMP\""));

  // The folder is made; a file can't be one.
  CHECK(folder.Run({"schema", "--infer", "{}/shop.ndjson", "--out", "{}/made/schema.json"}).code == kExitOk);
  CHECK(folder.Read("made/schema.json") == text);
  const Outcome nowhere = folder.Run({"schema", "--infer", "{}/shop.ndjson", "--out", "{}/shop.ndjson/schema.json"});
  CHECK(nowhere.code == kExitFailed);
  CHECK(Has(nowhere.err, "can't make the folder " + folder.path + "/shop.ndjson: "));
  CHECK(folder.Run({"schema", "--dialect", "postgres", "--out", "{}/x"}).code == kExitUsage);
}

TEST_CASE("an empty declaration is said to be empty, and how one is made") {
  const CommandFolder folder;
  folder.Write("rows/shop.ndjson", Rows(3));
  folder.Write("endpoints/schema.json", "");
  const std::string text = "the file is empty; `logquery schema --infer ROWS.ndjson --out schema.json` makes one";
  const Outcome loaded =
      folder.Run({"load", "--data", "{}/data", "--schema", "{}/endpoints/schema.json", "{}/rows/shop.ndjson"});
  CHECK(loaded.code == kExitUsage);
  CHECK(Has(loaded.err, folder.path + "/endpoints/schema.json: " + text));
  CHECK(Has(folder.Run({"check", "{}/endpoints"}).err + folder.Run({"check", "{}/endpoints"}).out, text));
  folder.Write("endpoints/schema.json", " {");
  CHECK(Has(folder.Run({"check", "{}/endpoints"}).out + folder.Run({"check", "{}/endpoints"}).err, "not JSON"));
}

}  // namespace
}  // namespace logquery::shim
