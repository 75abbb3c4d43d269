// Pages that are partly made from the program: the fields of logs, the statuses of errors, the metrics of a server.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "lib/base/error_statuses.h"
#include "lib/base/strings.h"
#include "nlohmann/json.hpp"
#include "tests/docs/pages.h"
#include "tests/support/folders.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

// "| `metadata.request.path` | STRING |" of each field, records by their fields.
void AppendFields(const nlohmann::ordered_json& columns, const std::string& prefix, std::string& page) {
  for (const auto& [name, type] : columns.items()) {
    if (type.is_object()) {
      AppendFields(type, prefix + name + ".", page);
      continue;
    }
    const bool is_list = type.is_array();
    const std::string text = (is_list ? type[0] : type).get<std::string>();
    page += "| `" + prefix + name + "` | " + (is_list ? "ARRAY\\<" + text + ">" : text) + " |\n";
  }
}

// The tables of docs/logs.md: which log is which table, and the fields of each.
std::string LogTables() {
  const auto logs = nlohmann::ordered_json::parse(ReadPage("lib/model/log_schema.json"));
  std::string names = "| Log | Table | Project |\n|---|---|---|\n", fields;
  for (const auto& [table, log] : logs.items()) {
    const std::string name = log["log"].get<std::string>();
    std::string project;
    for (const auto& part : log["project"]) project += (project.empty() ? "" : ".") + part.get<std::string>();
    names += "| [`" + name + "`](#" + name + ") | `` `" + table + "` `` | `" + project + "` |\n";
    fields += "\n## " + name + "\n\n| Field | Type |\n|---|---|\n";
    AppendFields(log["columns"], "", fields);
  }
  return names + fields;
}

// The page as it has to be: what stands before and with `mark`, and then `generated`. LOGQUERY_UPDATE_GOLDEN writes it anew.
void CheckGenerated(const std::string& page, std::string_view mark, const std::string& generated) {
  const std::string text = ReadPage(page);
  const size_t at = text.find(mark);
  REQUIRE(at != std::string::npos);
  const std::string wanted = text.substr(0, at + mark.size()) + generated;
  if (std::getenv("LOGQUERY_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(testing::SourcePath(page), std::ios::binary) << wanted;
    return;
  }
  INFO("LOGQUERY_UPDATE_GOLDEN=1 build/bin/test_docs writes " << page << " anew");
  CHECK(text == wanted);
}

TEST_CASE("logs.md has each field of each log") {
  CheckGenerated("docs/logs.md", "<!-- Generated from lib/model/log_schema.json by build/bin/test_docs. -->\n\n",
                 LogTables());
}

TEST_CASE("errors.md has each status of an error") {
  std::string table = "| Code | `status` | When | What helps |\n|---|---|---|---|\n";
  for (const base::ErrorStatus& status : base::kErrorStatuses) {
    base::StrAppend(&table, "| ", status.code, " | `", status.name, "` | ", status.when, " | ", status.help, " |\n");
  }
  CheckGenerated("docs/errors.md", "<!-- Generated from lib/base/error_statuses.h by build/bin/test_docs. -->\n\n",
                 table);
  std::ifstream file(testing::SourcePath("docs/errors.md"), std::ios::binary);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const base::ErrorReasonText& reason : base::kErrorReasonTexts) {
    CAPTURE(reason.name);
    CHECK(page.find(base::StrCat("| `", reason.name, "` | ", reason.when)) != std::string::npos);
  }
}

// Calls that give every metric of a server a value, and then its /metrics.
constexpr char kMetricsScript[] = R"sh(
mkdir endpoints
printf 'select 1 as n' >endpoints/labelled.sql
printf '{"id":"5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c11","name":"labelled","caching":60,"labels":"team=web"}' >endpoints/labelled.json
mkdir data
logquery token create --tokens tokens.json --all-projects --may-ingest >token 2>/dev/null
logquery serve --data data --tokens tokens.json --endpoints endpoints --ingest --listen 127.0.0.1:4000 >/dev/null 2>&1 &
curl -sS --retry 50 --retry-delay 1 --retry-connrefused -o ready http://127.0.0.1:4000/ready
call() { command curl -sS -o answer -H "X-API-KEY: $(cat token)" -G "$@"; }
call http://127.0.0.1:4000/api/endpoints/query/labelled
call http://127.0.0.1:4000/api/endpoints/query/logs.all -d project=a --data-urlencode 'sql=selct'
touch endpoints/labelled.json
printf 'select 2 as n' >endpoints/labelled.sql
kill -HUP $!
until curl -sS -H "X-API-KEY: $(cat token)" -o metrics http://127.0.0.1:4000/metrics && grep -q definitions_reloads_total metrics; do sleep 0.05; done
cat metrics
)sh";

// "| `logquery_calls_total{endpoint,status}` | counter | what it counts |" of each family in the text format.
std::string MetricsTable(const std::string& text) {
  struct Metric {
    std::string help, type;
    std::set<std::string> labels;
  };
  std::map<std::string, Metric> metrics;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 3));
    if (words.size() == 4 && words[0] == "#" && words[1] == "HELP") metrics[words[2]].help = words[3];
    if (words.size() == 4 && words[0] == "#" && words[1] == "TYPE") metrics[words[2]].type = words[3];
    if (!absl::StartsWith(line, "logquery_")) continue;
    std::string name(line.substr(0, line.find_first_of("{ ")));
    for (const char* part : {"_bucket", "_sum", "_count"}) {
      if (const std::string whole(absl::StripSuffix(name, part)); whole != name && metrics.count(whole) > 0)
        name = whole;
    }
    const size_t open = line.find('{');
    if (open == line.npos) continue;
    for (const absl::string_view label : absl::StrSplit(line.substr(open + 1, line.rfind('}') - open - 1), ',')) {
      const std::string key(label.substr(0, label.find('=')));
      if (key != "le") metrics[name].labels.insert(key);
    }
  }
  std::string table = "| Metric | Type | What it is |\n|---|---|---|\n";
  for (const auto& [name, metric] : metrics) {
    const std::string labels = metric.labels.empty() ? "" : "{" + absl::StrJoin(metric.labels, ",") + "}";
    base::StrAppend(&table, "| `", name, labels, "` | ", metric.type, " | ", metric.help, " |\n");
  }
  return table;
}

TEST_CASE("metrics.md has each metric of a server") {
  const Outcome outcome = RunScript("metrics", kMetricsScript);
  INFO(outcome.output);
  REQUIRE(outcome.status == 0);
  CheckGenerated("docs/metrics.md", "<!-- Generated from a server's /metrics by build/bin/test_docs. -->\n\n",
                 MetricsTable(outcome.output));
}

}  // namespace
}  // namespace logquery
