// The generated text: whole files that people read, the names in it, and texts that try to leave their comments and literals.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "lib/base/strings.h"
#include "logquery/catalog.h"
#include "logquery/endpoint_folder.h"
#include "logquery/endpoint_registry.h"
#include "shim/cli/query/codegen/client_model.h"
#include "shim/cli/query/codegen/cpp_client.h"
#include "shim/cli/query/codegen/identifiers.h"
#include "shim/cli/query/codegen/source_text.h"
#include "shim/cli/query/codegen/typescript_client.h"
#include "tests/codegen/client_server.h"
#include "tests/support/folders.h"

namespace logquery::shim {
namespace {

using codegen_tests::kDefinitions;

ClientModel Model(const std::vector<std::string>& names = {}) {
  auto definitions = ReadEndpointFolder(kDefinitions);
  REQUIRE(definitions.ok());
  for (Endpoint& endpoint : Endpoint::BuiltIn()) definitions->push_back(endpoint);
  const auto registry = EndpointRegistry::Create(*std::move(definitions), Catalog::DeclaredLogs());
  INFO(registry.status().ToString());
  REQUIRE(registry.ok());
  auto model = MakeClientModel(**registry, names, "1.2.3");
  INFO(model.status().ToString());
  REQUIRE(model.ok());
  return *std::move(model);
}

// Compares with tests/testdata/codegen/NAME, or writes it where LOGQUERY_UPDATE_GOLDEN=1.
void CheckGolden(const std::string& name, const std::string& text) {
  const std::string path = testing::SourcePath(base::StrCat("tests/testdata/codegen/", name));
  const char* const update = std::getenv("LOGQUERY_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  const std::string expected(std::istreambuf_iterator<char>(file), {});
  CAPTURE(name);
  CHECK(text == expected);
}

TEST_CASE("clients are the bytes of the golden files: every type, hostile names and texts, names that collide") {
  const ClientModel model = Model({"types.echo", "class */ \"quoted\" \\ 日志 ${x}", "2fa", "a.b", "a-b", "a.b.row",
                                   "a b sql", "as", "call", "client", "constructor", "日志", "usage.api-counts"});
  CheckGolden("client.h.golden", CppClient(model));
  CheckGolden("client.ts.golden", TypeScriptClient(model, TypeScriptInt64::kNumber));
}

TEST_CASE("the same definitions give the same bytes, in whatever order endpoints are named, by name or id") {
  const std::string header = CppClient(Model({"usage.api-counts", "logs.all"}));
  CHECK(header == CppClient(Model({"logs.all", "E2F6C1D8-7b35-4c9e-8d21-5a0e4b9d3f03", "logs.all"})));
  CHECK(header.find("FunctionsInvocationStats") == std::string::npos);
  CHECK(Model().endpoints.size() == 17);
}

TEST_CASE("a bigint client differs in the integers of rows alone") {
  const std::string bigint = TypeScriptClient(Model({"types.echo"}), TypeScriptInt64::kBigint);
  CHECK(bigint.find("  big: bigint | null;\n") != std::string::npos);
  CHECK(bigint.find("[\"numbers\", read.array(read.nullable(read.bigint))]") != std::string::npos);
  CHECK(bigint.find("read.nullable(read.int64)") == std::string::npos);
}

TEST_CASE("an unknown endpoint is rejected with a similar name") {
  const auto registry = EndpointRegistry::Create(Endpoint::BuiltIn(), Catalog::DeclaredLogs());
  REQUIRE(registry.ok());
  const auto refused = MakeClientModel(**registry, {"logs.al"}, "1");
  CHECK(refused.status() == absl::InvalidArgumentError("there is no endpoint \"logs.al\"; did you mean logs.all?"));
  const auto none = EndpointRegistry::Create({}, Catalog::DeclaredLogs());
  CHECK(absl::IsInvalidArgument(MakeClientModel(**none, {}, "1").status()));
}

TEST_CASE("names become identifiers of their language") {
  CHECK(PascalCase("functions.invocation-stats") == "FunctionsInvocationStats");
  CHECK(PascalCase("already Pascal_case") == "AlreadyPascalCase");
  CHECK(PascalCase("EOF") == "Eof");
  CHECK(PascalCase("日志").empty());
  CHECK(SnakeCase("Weird name!") == "Weird_name");
  CHECK(SnakeCase("__x__y_") == "x_y");
  CHECK(SnakeCase("INT_MAX") == "int_max");
  CHECK(SnakeCase("2XX") == "_2xx");
  CHECK(SnakeCase("*/") == "column");
  CHECK(IsCppWord("co_await"));
  CHECK(IsCppWord("linux"));
  CHECK_FALSE(IsCppWord("timestamp"));
  Names names = {"a"};
  CHECK(names.Take("a") == "a_2");
  CHECK(names.Take("a") == "a_3");
  CHECK(names.Take("a_2") == "a_2_2");
}

TEST_CASE("no definition's text escapes from its comment") {
  const auto one = [](std::string_view text) {
    const std::vector<std::string> lines = CommentLines(text, 80);
    return lines.size() == 1 ? lines[0] : base::StrCat(lines.size(), " lines");
  };
  CHECK(one("plain text, ünïcödé") == "plain text, ünïcödé");
  CHECK(one("a */ b /* c **/") == "a *\\/ b /\\* c **\\/");
  CHECK(one("*/*/") == "*\\/\\*\\/");
  CHECK(one("ends in \\") == "ends in \\.");
  CHECK(one("ends in \\ \n") == "ends in \\.");
  CHECK(one("a\nb\r\nc\x1b[2J\u2028d\u202ee\u0085f") == "a b c [2J d e f");
  CHECK(one("*\n/ *\u202e/") == "* / * /");
  CHECK(one("@ts-ignore") == "\\@ts-ignore");
  CHECK(one("trigraph ?"
            "?/") == "trigraph ?\\?/");
  CHECK(one("\xff") == "\uFFFD");
  CHECK(CommentLines(" \n ", 80).empty());
  for (const std::string& line : CommentLines("a @b c\\ @d e\\ f", 3)) {
    CHECK(line.front() != '@');
    CHECK(line.back() != '\\');
  }
}

TEST_CASE("no definition's text escapes from its literal") {
  CHECK(CppLiteral("a\"\\\n1?é") == R"("a\"\\\0121\077\303\251")");
  CHECK(CppLiteral(std::string_view("\0"
                                    "7",
                                    2)) == R"("\0007")");
  CHECK(TypeScriptLiteral("a\"\\\né\u2028${x}`") == R"("a\"\\\n\u00e9\u2028${x}`")");
}

TEST_CASE(
    "members of an object are those of its JSON: unnamed ones have a name there, and of equal ones the last is read") {
  const std::vector<Field> members =
      JsonMembers({{"", Type::Int64()}, {"a", Type::Int64()}, {"a", Type::String()}, {"", Type::Bool()}});
  REQUIRE(members.size() == 3);
  CHECK(members[0].name == "_field_1");
  CHECK(members[1].type == Type::String());
  CHECK(members[2].name == "_field_4");
}

}  // namespace
}  // namespace logquery::shim
