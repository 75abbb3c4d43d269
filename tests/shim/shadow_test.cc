// The input of `logquery shadow`, and how it compares.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "lib/tools/result_order.h"
#include "shim/cli/migrate/compare_answers.h"
#include "shim/cli/migrate/shadow_call.h"
#include "shim/cli/migrate/shadow_server.h"
#include "shim/cli/query/remote_server.h"

namespace logquery::shim {
namespace {

using base::StrCat;

// "ENDPOINT ?QUERY", "… redacted" of one that asked for that; empty: no call.
std::string Read(std::string_view line) {
  const std::optional<ShadowCall> call = ReadShadowCall(line);
  if (!call) return "";
  return StrCat(call->endpoint, " ?", call->QueryString(), call->redact_pii ? " redacted" : "");
}

TEST_CASE("calls are read from lines of the log and from URLs") {
  CHECK(
      Read(
          R"({"time":"…","message":"request","endpoint":"logs.all","parameters":{"project":"abc","sql":"select 'a&b'"}})") ==
      "logs.all ?project=abc&sql=select%20%27a%26b%27");
  CHECK(Read(R"({"endpoint":"a","parameters":{"n":5,"list":[1,"x"],"none":null},"redact_pii":true})") ==
        "a ?n=5&list=%5B1%2C%22x%22%5D redacted");
  CHECK(Read("https://logs.example/api/endpoints/query/"
             "logs.all?project=a+b&iso_timestamp_start=2026-01-01T00%3A00%3A00Z") ==
        "logs.all ?project=a%20b&iso_timestamp_start=2026-01-01T00%3A00%3A00Z");
  CHECK(Read("  /endpoints/query/name/usage%2Eapi-counts?project=a&interval=daily#x \r") ==
        "usage.api-counts ?project=a&interval=daily");
  CHECK(Read("http://h/endpoints/query/4d1a5a4e-5c1b-4d56-8f58-0c2c6b7e9a01") ==
        "4d1a5a4e-5c1b-4d56-8f58-0c2c6b7e9a01 ?");
  // The form of the answer is the comparison's matter, and a page of one server's is none of the other's.
  CHECK(Read("/api/endpoints/query/a?format=csv&int64=string&csv_safe=true&cursor=x&b=1") == "a ?b=1");
}

TEST_CASE("other lines contain no call") {
  for (const char* line : {"", "{}", "{", "not a url", "/health", "/api/endpoints", "/api/endpoints/query/",
                           "/api/endpoints/query/a/b", "/api/endpoints/query/a?x=%", "/api/endpoints/query/a?x=1&x=2",
                           "/api/endpoints/query/a?dry_run=true&sql=x", "/api/endpoints/query/a b",
                           "ftp://h/api/endpoints/query/a", R"({"endpoint":"a"})", R"({"endpoint":5,"parameters":{}})",
                           R"({"parameters":{}})", R"({"endpoint":"a","parameters":[]})", "[1]", "\xFF\xFE"}) {
    CAPTURE(line);
    CHECK(Read(line).empty());
  }
}

std::string Order(std::string_view sql) {
  const endpoint::ResultOrder order = endpoint::OrderOf(sql);
  if (!order.ordered) return "any";
  std::string text = "by";
  for (const auto& key : order.keys) base::StrAppend(&text, " ", key.column.empty() ? StrCat(key.ordinal) : key.column);
  return text;
}

TEST_CASE("the promised order of rows is read from a query's text") {
  CHECK(Order("select a from t") == "any");
  CHECK(Order("select a, b from t order by b desc, t.a limit 5") == "by b a");
  CHECK(Order("select a, b from t order by 2") == "by 2");
  CHECK(Order("(select a from t order by a)") == "by a");
  CHECK(Order("select a from t order by a + 1") == "by");
  CHECK(Order("select * from (select a from t order by a)") == "any");
  CHECK(Order("from t |> order by a |> limit 5") == "by a");
  CHECK(Order("from t |> order by a |> where a > 1") == "any");
  CHECK(Order("select") == "any");
}

struct Compared {
  bool equal;
  std::string difference;
};

Compared Compare(const std::string& there, const std::string& here, std::string_view sql = "",
                 double tolerance = 1e-9) {
  const auto answer = [](const std::string& rows) {
    ShadowAnswer made;
    made.status = 200;
    made.body = rows.starts_with('{') ? rows : StrCat("{\"result\":", rows, "}");
    return made;
  };
  const Comparison comparison = CompareAnswers(answer(there), answer(here), endpoint::OrderOf(sql), tolerance);
  CHECK(comparison.equal == comparison.difference.empty());
  return {comparison.equal, comparison.difference};
}

TEST_CASE("rows are compared by their values: nulls, numbers and members as JSON means them") {
  CHECK(Compare("[]", "[]").equal);
  CHECK(Compare(R"([{"a":1,"b":null}])", R"([{"a":1.0}])").equal);
  CHECK(Compare(R"([{"a":1,"b":[{"c":null,"d":2}]}])", R"([{"b":[{"d":2}],"a":1}])").equal);
  CHECK(Compare(R"([{"a":0.1}])", R"([{"a":0.10000000000001}])").equal);
  CHECK_FALSE(Compare(R"([{"a":0.1}])", R"([{"a":0.1001}])").equal);
  CHECK(Compare(R"([{"a":0.1}])", R"([{"a":0.1001}])", "", 0.01).equal);
  CHECK_FALSE(Compare(R"([{"a":9007199254740993}])", R"([{"a":9007199254740992}])").equal);
  CHECK_FALSE(Compare(R"([{"a":"1"}])", R"([{"a":1}])").equal);
  CHECK_FALSE(Compare(R"([{"a":[]}])", R"([{}])").equal);
  // A row that is there twice is one row more.
  CHECK(Compare(R"([{"a":1},{"a":1}])", R"([{"a":1}])").difference ==
        "2 rows there, 1 here: 1 only there, 0 only here");
}

TEST_CASE("the order of rows counts if the query orders them, except among equal keys") {
  const std::string rows = R"([{"a":1,"b":1},{"a":1,"b":2},{"a":2,"b":3}])";
  const std::string tied = R"([{"a":1,"b":2},{"a":1,"b":1},{"a":2,"b":3}])";
  const std::string mixed = R"([{"a":2,"b":3},{"a":1,"b":1},{"a":1,"b":2}])";
  CHECK(Compare(rows, mixed).equal);
  CHECK(Compare(rows, mixed, "select a, b from t").equal);
  CHECK(Compare(rows, tied, "select a, b from t order by a").equal);
  CHECK(Compare(rows, tied, "select a, b from t order by 1").equal);
  CHECK_FALSE(Compare(rows, tied, "select a, b from t order by a, b").equal);
  CHECK(Compare(rows, mixed, "select a, b from t order by a").difference ==
        "the same 3 rows in another order, from row 1 on");
  // An order by values that the result lacks cannot be checked.
  CHECK(Compare(rows, mixed, "select a, b from t order by c").equal);
  CHECK(Compare(rows, mixed, "select a, b from t order by a * 2").equal);
}

TEST_CASE("errors are compared by status, and an answer without rows is not an error") {
  ShadowAnswer good, bad;
  good.status = 200;
  good.body = R"({"result":[]})";
  bad.status = 400;
  bad.body = R"({"error":{"message":"no"}})";
  CHECK(CompareAnswers(bad, bad, {}, 0).equal);
  const Comparison comparison = CompareAnswers(bad, good, {}, 0);
  CHECK(comparison.difference == "status 400 there, 200 here");
  CHECK(comparison.only_there == std::vector<std::string>{bad.body});
  CHECK(Compare("[]", "{\"rows\":[]}").difference == "no rows in the answer here");
  CHECK(Compare("{\"result\":5}", "[]").difference == "no rows in the answer there");
}

TEST_CASE("many rows that differ only in digits do not cause unbounded pairwise comparison") {
  std::string there = "[", here = "[";
  for (int i = 0; i < 5'000; ++i) {
    base::StrAppend(&there, i > 0 ? "," : "", "{\"a\":", i, ".5}");
    base::StrAppend(&here, i > 0 ? "," : "", "{\"a\":", i, ".6}");
  }
  CHECK_FALSE(Compare(there + "]", here + "]").equal);
}

TEST_CASE("a server's URL is of http, and has no secret in it") {
  CHECK(CheckServerUrl("--against", "https://logs.example").ok());
  CHECK(CheckServerUrl("--against", "http://127.0.0.1:4000/api/endpoints/query/").ok());
  for (const char* url :
       {"", "logs.example", "ftp://h", "http://", "http://user:secret@h", "http://h?x", "http://h#x", "http://a b"}) {
    CAPTURE(url);
    CHECK(absl::IsInvalidArgument(CheckServerUrl("--against", url)));
  }
}

}  // namespace
}  // namespace logquery::shim
