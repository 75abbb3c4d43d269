// Texts that no honest client sends, wherever a request has a text, to a real server over a real engine: each is answered,
// with 200 or with what is wrong with it, and never as an error of the server's.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "shim/http/transport/http_head.h"
#include "tests/shim/served_logs.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kEndpoint[] = "/api/endpoints/query/logs.all";

// Texts that break out of a literal, a name, a path or a line somewhere, are not valid text, or are too long.
std::vector<std::string> HostileTexts() {
  std::vector<std::string> texts = {
      std::string(1, '\0'),
      std::string("a\0b", 3),
      std::string("abc\0", 4),
      "'",
      "''",
      "\"",
      "`",
      "\\",
      "\\'",
      "a' OR '1'='1",
      "\\x00",
      "\\u0000",
      "\n",
      "\r\n\r\nHTTP/1.1 200 OK",
      "\t\v\f\b",
      "\x1B[2J",
      "\x7F",
      "\u009B31m",
      "\u2028\u2029\u202E\uFEFF",
      "\U0010FFFF\U0001F600",
      "e\u0301\u0301\u0301",
      "$",
      "$.",
      "$..",
      "$[",
      "$[0",
      "$[-1]",
      "$[99999999999999999999]",
      "$['a",
      "$.a.\"",
      "@",
      "@@version",
      "?",
      "%",
      "%s%n%d",
      "{}",
      "[]",
      "--",
      "/*",
      ";",
      ";;select 1",
      "..",
      "../../etc/passwd",
      "/",
      " ",
      "1e999",
      "-0",
      "NaN",
      "99999999999999999999999999999999999999999999",
      "\xFF",
      "\xC0\x80",
      "\xED\xA0\x80",
      "\xF4\x90\x80\x80",
      "\xE4\xB8",
      std::string(5'000, 'x'),
      std::string(5'000, '\''),
      std::string(2'000, '('),
      std::string(2'000, '['),
      std::string(2'000, '\\'),
  };
  std::string controls;
  for (char c = 1; c < 0x20; ++c) controls += c;
  texts.push_back(controls);
  return texts;
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    char code[4];
    std::snprintf(code, sizeof(code), "%%%02X", static_cast<unsigned char>(c));
    escaped += code;
  }
  return escaped;
}

// For a string of SQL: what it is as a literal, so that it reaches functions whole.
std::string SqlLiteral(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    char code[5];
    std::snprintf(code, sizeof(code), "\\%03o", static_cast<unsigned char>(c));
    literal += static_cast<unsigned char>(c) < 0x80 ? std::string(code) : std::string(1, c);
  }
  return literal + "'";
}

std::string Filled(std::string_view sql, const std::string& literal) {
  std::string filled;
  for (const char c : sql) filled += c == '$' ? literal : std::string(1, c);
  return filled;
}

// In each, every $ is the text as a literal.
constexpr std::string_view kWithLiterals[] = {
    "select * from (select id from edge_logs) pivot(count(*) for id in ($))",
    "select * from (select id from edge_logs) pivot(count(*) as n for id in ($ as a, 'x'))",
    "select safe.parse_timestamp('%Y', $) as a",
    "select date($) as a",
    "select cast($ as timestamp) as a",
    "select cast($ as bytes) as a, to_base64(cast($ as bytes)) as b",
    "select cast($ as bool) as a",
    "select cast($ as numeric) as a",
    "select cast(timestamp as string format $) as a from edge_logs",
    "select from_base64($) as a",
    "select from_hex($) as a",
    "select regexp_replace(event_message, $, $) as a from edge_logs",
    "select regexp_extract(event_message, $) as a, regexp_extract_all(id, $) as b from edge_logs",
    "select replace(event_message, $, $) as a, strpos(id, $) as b, instr(id, $) as c from edge_logs",
    "select string_agg(id, $) as a from edge_logs",
    "select array_to_string(['a', $], $, $) as a",
    "select lpad(id, 10, $) as a, rpad($, 3) as b, trim(id, $) as c, translate(id, $, $) as d from edge_logs",
    "select upper($) as a, reverse($) as b, initcap($) as c, soundex($) as d, normalize($) as e",
    "select to_json_string($) as a, to_json(struct($ as a)) as b",
    "select json_extract($, '$') as a",
    "select json_value(event_message, '$.a'), json_extract_scalar($, '$.a') as b from edge_logs",
    "select id from edge_logs where id in ($, 'a') or starts_with(id, $) or ends_with(id, $)",
    "select count(*) as n from edge_logs group by concat(id, $) having max(id) > $ order by max($)",
    "select case id when $ then $ else $ end as a, coalesce(nullif(id, $), $) as b from edge_logs",
    "select * from unnest([$, 'b']) as a with offset",
    "select a from (select $ as a union all select id from edge_logs) order by a limit 3",
    "select struct($ as x, [$] as y) as a",
    "select timestamp_trunc(timestamp, day, $) as a from edge_logs",
    "select datetime(timestamp, $) as a, string(timestamp, $) as b from edge_logs",
    "select md5($) as a, sha256($) as b",
    "select net.host($) as a, net.ip_from_string($) as b",
    "select to_code_points($) as a, ascii($) as b, length($) as c, byte_length($) as d",
    "select error($) as a",
    "select first_value($) over (order by id) as a from edge_logs",
    "select approx_top_count($, 2) as a, approx_quantiles($, 2) as b, array_agg($) as c from edge_logs",
    "select m.request as r from edge_logs cross join unnest(metadata) as m where to_json_string(m) like $ escape $",
};

// A time's format becomes a part of the engine's SQL, which NUL would end: texts without it.
constexpr std::string_view kTimeFormats[] = {
    "select format_timestamp($, timestamp) as a from edge_logs",      "select format_date($, date '2026-01-01') as a",
    "select format_datetime($, datetime '2026-01-01 00:00:00') as a", "select format_time($, time '00:00:00') as a",
    "select parse_timestamp($, event_message) as a from edge_logs",   "select parse_date($, id) as a from edge_logs",
};

class HostileServer {
 public:
  HostileServer() : logs_(Options()) {}

  // The answer is one of 200 and `statuses`, and says nothing of the server's insides.
  void Ask(std::string_view what, std::string_view text, const std::string& request, std::vector<int> statuses) {
    statuses.push_back(200);
    RawClient client(logs_.port());
    client.Send(request);
    const std::string response = client.Receive();
    const int status = StatusOf(response);
    // SQL of BigQuery's that logquery has not is told by name.
    const bool unsupported =
        status == 501 && BodyOf(response).find(R"("message":"not supported: )") != std::string::npos;
    const bool expected = unsupported || std::find(statuses.begin(), statuses.end(), status) != statuses.end();
    if (!expected) {
      UNSCOPED_INFO(what << " with " << Escaped(text.substr(0, 60)) << ": " << status << " "
                         << BodyOf(response).substr(0, 400) << " " << logs_.log_lines.lines().back());
    }
    CHECK(expected);
    if (status != 200) {
      const Json body = Json::parse(BodyOf(response), nullptr, false);
      CHECK_FALSE(body.is_discarded());
      CHECK_FALSE(body["error"]["message"].get<std::string>().empty());
    }
  }
  void Get(std::string_view what, std::string_view text, const std::string& target, std::vector<int> statuses = {400}) {
    Ask(what, text, base::StrCat("GET ", target, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n"),
        std::move(statuses));
  }
  void Post(std::string_view what, std::string_view text, const std::string& body, std::vector<int> statuses = {400}) {
    Ask(what, text,
        base::StrCat("POST ", kEndpoint,
                     " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\nContent-Type: application/json\r\n",
                     "Content-Length: ", body.size(), "\r\n\r\n", body),
        std::move(statuses));
  }
  // In the URL, where any byte can be escaped.
  void Sql(std::string_view what, std::string_view text, const std::string& sql) {
    const std::string target = base::StrCat(kEndpoint, "?project=abc&sql=", Escaped(sql));
    if (target.size() < kMaxTargetBytes) return Get(what, text, target);
    Post(what, text, Json{{"project", "abc"}, {"sql", sql}}.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  bool IsWell() { return StatusOf(shim::Get(logs_.port(), base::StrCat(kEndpoint, "?project=abc"))) == 200; }
  ServedLogs& logs() { return logs_; }

 private:
  static ServedLogsOptions Options() {
    ServedLogsOptions options;
    options.rows = 5;
    return options;
  }
  ServedLogs logs_;
};

TEST_CASE("no text in a name, a parameter or a body is an error of the server's") {
  HostileServer server;
  for (const std::string& text : HostileTexts()) {
    const std::string escaped = Escaped(text);
    server.Get("an endpoint's name", text, base::StrCat("/api/endpoints/query/", escaped), {400, 404});
    server.Get("an endpoint's name", text, base::StrCat("/endpoints/query/name/", escaped), {400, 404});
    server.Get("a path", text, base::StrCat("/", escaped), {400, 404});
    server.Get("a parameter's name", text, base::StrCat(kEndpoint, "?project=abc&", escaped, "=1"));
    for (const char* name : {"project", "iso_timestamp_start", "iso_timestamp_end", "project_tier", "cursor", "sql",
                             "format", "int64", "csv_safe", "dry_run", "unknown"}) {
      server.Get(name, text, base::StrCat(kEndpoint, "?", name, "=", escaped), {400, 403, 406});
    }
    for (const char* name : {"interval", "project", "function_id"}) {
      for (const char* endpoint : {"usage.api-counts", "functions.invocation-stats"}) {
        server.Get(name, text, base::StrCat("/api/endpoints/query/", endpoint, "?project=abc&", name, "=", escaped),
                   {400});
      }
    }
    server.Post("a body", text, text);
    server.Post("a body's text", text, base::StrCat(R"({"project":")", text, "\"}"));
    const std::string valid = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    server.Post("a body's value", text, base::StrCat(R"({"project":)", valid, "}"));
    server.Post("a body's name", text, base::StrCat(R"({"project":"abc",)", valid, ":1}"));
    server.Post("a body's sql", text, base::StrCat(R"({"project":"abc","sql":)", valid, "}"));
  }
  for (const char* body :
       {R"({"project":"\ud800"})", R"({"\ud800":"a"})", R"({"project":"\u0000","sql":"select 1"})"}) {
    server.Post("surrogates and NUL", body, body);
  }
  CHECK(server.IsWell());
}

TEST_CASE("no text in SQL is an error of the server's") {
  HostileServer server;
  for (const std::string& text : HostileTexts()) {
    const std::string literal = SqlLiteral(text);
    server.Sql("bare", text, text);
    server.Sql("behind a select", text, "select " + text);
    server.Sql("in quotes", text, "select '" + text + "' as a from edge_logs");
    server.Sql("a raw literal", text, "select r\"\"\"" + text + "\"\"\" as a");
    server.Sql("a comment", text, "select 1 as a /* " + text + " */");
    server.Sql("a name in backquotes", text, "select `" + text + "` from edge_logs");
    server.Sql("an alias", text, "select 1 as `" + text + "`");
    server.Sql("a CTE's name", text, "with `" + text + "` as (select 1 as a) select * from `" + text + "`");
    server.Sql("a table's name", text, "select 1 from `" + text + "`");
    server.Sql("a field's name", text, "select m.`" + text + "` from edge_logs cross join unnest(metadata) as m");
    server.Sql("a parameter's name", text, "select @`" + text + "`");
    server.Sql("a literal", text, "select " + literal + " as a, length(" + literal + ") as n from edge_logs");
    server.Sql("compared", text,
               "select id from edge_logs where event_message = " + literal + " or id like " + literal);
    server.Sql("a pattern", text, "select regexp_contains(event_message, " + literal + ") as a from edge_logs");
    server.Sql("a JSON path", text, "select json_value(to_json_string(t), " + literal + ") as a from edge_logs as t");
    server.Sql("a JSON path", text, "select json_query('{\"a\":[1]}', " + literal + ") as a from edge_logs");
    server.Sql("JSON", text, "select parse_json(" + literal + ") as a");
    server.Sql("a format", text, "select format(" + literal + ", 1) as a");
    server.Sql("a time", text, "select timestamp(" + literal + ") as a");
    server.Sql("a time zone", text,
               "select extract(hour from timestamp at time zone " + literal + ") as a from edge_logs");
    server.Sql("a cast", text,
               "select cast(" + literal + " as int64) as a, safe_cast(" + literal + " as float64) as b");
    server.Sql("split", text, "select split(event_message, " + literal + ") as a from edge_logs");
    server.Sql("a struct's field", text, "select struct(1 as `" + text + "`) as a");
    for (const std::string_view sql : kWithLiterals) server.Sql(sql, text, Filled(sql, literal));
    if (text.find('\0') != std::string::npos) continue;
    for (const std::string_view sql : kTimeFormats) server.Sql(sql, text, Filled(sql, literal));
  }
  CHECK(server.IsWell());
}

TEST_CASE("rows whose fields have hostile names are queried as all others") {
  HostileServer server;
  std::string rows;
  for (const std::string& text : HostileTexts()) {
    const std::string name = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    rows += base::StrCat(R"({"id":"h","timestamp":1772600001000000,"project":"abc","event_message":)", name,
                         R"(,"metadata":{"request":{)", name, R"(:"v"},)", name, R"(:{"deep":[1,2],)", name, R"(:1}},)",
                         name, ":true}\n");
  }
  REQUIRE(server.logs().LoadText("hostile", rows).ok());
  for (const char* format : {"json", "ndjson", "csv"}) {
    server.Get("rows", format, base::StrCat(kEndpoint, "?project=abc&format=", format), {});
  }
  server.Sql("all of them", "", "select * from edge_logs");
  server.Sql("as JSON", "", "select to_json_string(metadata) as j, to_json_string(t) as r from edge_logs as t");
  for (const std::string& text : HostileTexts()) {
    server.Sql("a learned field", text, "select m.`" + text + "` from edge_logs cross join unnest(metadata) as m");
    server.Sql("a learned column", text, "select `" + text + "` from edge_logs");
    server.Sql("its key", text,
               "select json_value(to_json_string(metadata), concat('$.\"', " + SqlLiteral(text) +
                   ", '\"')) as a from edge_logs");
  }
  CHECK(server.IsWell());
}

}  // namespace
}  // namespace logquery::shim
