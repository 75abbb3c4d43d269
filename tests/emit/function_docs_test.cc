#include "lib/engines/duckdb/dialect/function_docs.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/rewrite/functions/functions.h"
#include "tests/support/folders.h"

namespace logquery::emit {
namespace {

const std::string kPage = testing::SourcePath("docs/sql_support.md");
constexpr std::string_view kBegin = "<!-- The table begins: `logquery check --functions` prints it. -->\n\n";
constexpr std::string_view kEnd = "\n<!-- The table ends. -->\n";

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST_CASE("the SQL page contains the current function table") {
  const std::string page = Read(kPage);
  const size_t begin = page.find(kBegin), end = page.find(kEnd);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  const std::string wanted = base::StrCat(std::string_view(page).substr(0, begin + kBegin.size()),
                                          FunctionTableMarkdown(), std::string_view(page).substr(end));
  if (std::getenv("LOGQUERY_UPDATE_GOLDEN") != nullptr) std::ofstream(kPage, std::ios::binary) << wanted;
  INFO("LOGQUERY_UPDATE_GOLDEN=1 build/bin/test_emit writes docs/sql_support.md anew");
  CHECK(Read(kPage) == wanted);
}

TEST_CASE("the table documents each function for query authors") {
  const std::string table = FunctionTableMarkdown();
  for (const std::string& name : rewrite::FunctionNames()) {
    if (rewrite::FindFunction(name)->Has(rewrite::kInternal)) continue;
    INFO(name);
    CHECK(table.find(base::StrCat("`", name, "(")) != std::string::npos);
  }
  CHECK(table.find("| `REVERSE(") != std::string::npos);
  CHECK(table.find("`GENERATE_UUID() -> STRING` | no | new at each call |") != std::string::npos);
  CHECK(table.find("`NET.REG_DOMAIN(STRING) -> STRING` | yes | fixed |  | refused |") != std::string::npos);
  CHECK(table.find("$add") == std::string::npos);
}

}  // namespace
}  // namespace logquery::emit
