// Runs the commands that the documentation shows: whoever copies them gets what the page says.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "tests/docs/pages.h"
#include "tests/support/folders.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPages[] = {
    "README.md",
    "docs/backup.md",
    "docs/capacity.md",
    "docs/clients.md",
    "docs/collectors.md",
    "docs/command_line.md",
    "docs/console.md",
    "docs/definitions.md",
    "docs/getting_started.md",
    "docs/http.md",
    "docs/index.md",
    "docs/ingest.md",
    "docs/limits.md",
    "docs/loading.md",
    "docs/mcp.md",
    "docs/metrics.md",
    "docs/receipts.md",
    "docs/records.md",
    "docs/redaction.md",
    "docs/request.md",
    "docs/clickhouse.md",
    "docs/clickhouse_sql.md",
    "docs/sql_support.md",
    "docs/tokens.md",
    "docs/tutorial_clickhouse.md",
    "docs/tutorial_endpoint.md",
    "docs/tutorial_logflare.md",
    "docs/upgrade.md",
    // Each walk by itself: walks_test.cc.
    "docs/walks.md",
};

void RunPage(std::string_view page) {
  const std::string commands = CommandsOf(ReadPage(page));
  REQUIRE_FALSE(commands.empty());
  const Outcome outcome = RunScript(std::string(page), commands);
  INFO(commands << "\n--- printed the end of:\n"
                << outcome.output.substr(outcome.output.size() - std::min<size_t>(outcome.output.size(), 4'000)));
  CHECK(outcome.status == 0);
}

TEST_CASE("the commands of the README work") { RunPage("README.md"); }

TEST_CASE("the commands of backup.md work") { RunPage("docs/backup.md"); }

TEST_CASE("the commands of capacity.md work") { RunPage("docs/capacity.md"); }

TEST_CASE("the commands of clients.md work") { RunPage("docs/clients.md"); }

TEST_CASE("the commands of collectors.md work") { RunPage("docs/collectors.md"); }

TEST_CASE("the commands of command_line.md work") { RunPage("docs/command_line.md"); }

TEST_CASE("the commands of console.md work") { RunPage("docs/console.md"); }

TEST_CASE("the commands of definitions.md work") { RunPage("docs/definitions.md"); }

TEST_CASE("the commands of getting_started.md work") { RunPage("docs/getting_started.md"); }

TEST_CASE("the commands of http.md work") { RunPage("docs/http.md"); }

TEST_CASE("the commands of index.md work") { RunPage("docs/index.md"); }

TEST_CASE("the commands of ingest.md work") { RunPage("docs/ingest.md"); }

TEST_CASE("the commands of limits.md work") { RunPage("docs/limits.md"); }

TEST_CASE("the commands of loading.md work") { RunPage("docs/loading.md"); }

TEST_CASE("the commands of mcp.md work") { RunPage("docs/mcp.md"); }

TEST_CASE("the commands of metrics.md work") { RunPage("docs/metrics.md"); }

TEST_CASE("the commands of receipts.md work") { RunPage("docs/receipts.md"); }

TEST_CASE("the commands of records.md work") { RunPage("docs/records.md"); }

TEST_CASE("the commands of redaction.md work") { RunPage("docs/redaction.md"); }

TEST_CASE("the commands of request.md work") { RunPage("docs/request.md"); }

TEST_CASE("the commands of clickhouse.md work") { RunPage("docs/clickhouse.md"); }
TEST_CASE("the commands of clickhouse_sql.md work") { RunPage("docs/clickhouse_sql.md"); }

TEST_CASE("the commands of sql_support.md work") { RunPage("docs/sql_support.md"); }

TEST_CASE("the commands of tokens.md work") { RunPage("docs/tokens.md"); }

TEST_CASE("the commands of tutorial_clickhouse.md work") { RunPage("docs/tutorial_clickhouse.md"); }

TEST_CASE("the commands of tutorial_endpoint.md work") { RunPage("docs/tutorial_endpoint.md"); }

TEST_CASE("the commands of tutorial_logflare.md work") { RunPage("docs/tutorial_logflare.md"); }

TEST_CASE("the commands of upgrade.md work") { RunPage("docs/upgrade.md"); }

TEST_CASE("cpp.md has each public header") {
  const std::string page = ReadPage("docs/cpp.md");
  const fs::path headers = testing::SourcePath("include/logquery");
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(headers)) {
    if (entry.path().extension() != ".h") continue;
    const std::string name = fs::relative(entry.path(), headers).string();
    CAPTURE(name);
    CHECK(page.find("`" + name + "`") != std::string::npos);
    ++count;
  }
  CHECK(count > 40);
}

TEST_CASE("the site's list has each page") {
  const std::string list = ReadPage("cmake/docs/mkdocs.yml");
  for (const auto& entry : fs::directory_iterator(testing::SourcePath("docs"))) {
    if (entry.path().extension() != ".md") continue;
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    CHECK(list.find(": " + name + "\n") != std::string::npos);
  }
}

TEST_CASE("no page has commands that are not run") {
  for (const auto& entry : fs::directory_iterator(testing::SourcePath("docs"))) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = "docs/" + entry.path().filename().string();
    CAPTURE(page);
    const bool is_run =
        std::find(std::begin(kPages), std::end(kPages), page) != std::end(kPages) ||
        // tests/postgres has the server that its page needs; BigQuery's has commands of Google's program alone.
        page == "docs/postgres.md" || page == "docs/bigquery.md";
    CHECK((CommandsOf(ReadPage(page)).empty() || is_run));
  }
}

TEST_CASE("links between pages lead somewhere") {
  for (const auto& entry : fs::directory_iterator(testing::SourcePath("docs"))) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = ReadPage(fs::relative(entry.path(), testing::SourcePath("")));
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      const std::string link = text.substr(at + 2, text.find_first_of("#)", at + 2) - at - 2);
      CAPTURE(entry.path().string(), link);
      CHECK((link.empty() || link.find("://") != std::string::npos || fs::exists(entry.path().parent_path() / link)));
    }
  }
}

TEST_CASE("the demo's commands work", "[serial]") {
  const fs::path folder = fs::temp_directory_path() / base::StrCat("logquery-demo-", getpid());
  const Outcome outcome =
      RunCommand(base::StrCat(testing::SourcePath("scripts/demo"), " --check --rows 20000 --port ", FreePort(),
                              " --program ", testing::BuildPath("bin/logquery"), " --folder ", folder.string()));
  fs::remove_all(folder);
  INFO(outcome.output);
  CHECK(outcome.status == 0);
  CHECK(outcome.output.find("all commands work") != std::string::npos);
}

}  // namespace
}  // namespace logquery
