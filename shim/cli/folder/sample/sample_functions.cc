// Rows of functions: the relay's (one for each invocation) and the events that a function's code writes.
#include <array>
#include <string>
#include <string_view>

#include "shim/cli/folder/sample/sample_rows.h"

namespace logquery::shim {
namespace {

constexpr std::array<std::string_view, 6> kCallers = {"node",       "okhttp/4.12.0",      "python-httpx/0.27.0",
                                                      "curl/8.8.0", "Go-http-client/2.0", "axios/1.7.2"};
constexpr std::array<std::string_view, 4> kRegions = {"eu-central-1", "us-east-1", "ap-southeast-2", "sa-east-1"};

const Weighted<int>& Statuses() {
  static const auto* const statuses =
      new Weighted<int>{{200, 880}, {204, 40}, {400, 20}, {401, 15}, {404, 12}, {500, 18}, {503, 8}, {546, 7}};
  return *statuses;
}

const Weighted<std::string_view>& Methods() {
  static const auto* const methods = new Weighted<std::string_view>{{"POST", 62}, {"GET", 26}, {"OPTIONS", 12}};
  return *methods;
}

const Weighted<std::string_view>& Levels() {
  static const auto* const levels =
      new Weighted<std::string_view>{{"log", 50}, {"info", 30}, {"warning", 12}, {"error", 8}};
  return *levels;
}

const Weighted<std::string_view>& Messages() {
  static const auto* const messages = new Weighted<std::string_view>{
      {"Verarbeitung abgeschlossen ✓", 4},
      {"cache miss for key user:#", 6},
      {"sent 1 message to r#@example.org", 4},
      {"retrying request to https://api.example.net (attempt #)", 3},
      {"TypeError: cannot read properties of undefined\\n    at handler (file:///src/index.ts:#:17)", 2},
      {"Listening on http://localhost:9999/", 2},
      {"résumé parsed: # pages", 2}};
  return *messages;
}

void AppendMetadata(const SampleRow& row, const SampleFunction& function, std::string_view method, int status,
                    std::string_view search) {
  std::string& out = row.out;
  Append(out, R"({"deployment_id":")", row.ref(), "_", function.id, "_", function.version, "\",");
  if (!row.random.OneIn(100)) Append(out, R"("execution_id":")", row.NewUuid(), "\",");
  if (!row.random.OneIn(200)) {
    const uint64_t slow = row.random.OneIn(120) ? 12 : 1;  // a cold start
    Append(out, R"("execution_time_ms":)", row.random.Skewed(function.median_ms, 4) * slow, ",");
  }
  Append(out, R"("function_id":")", function.id, R"(","project_ref":")", row.ref(), "\"");
  if (!row.random.OneIn(250)) {
    Append(out, R"(,"request":{"headers":{"accept":"*/*","accept_encoding":"gzip, deflate, br","content_length":")",
           row.random.Below(2'000), R"(","host":")", row.ref(), R"(.functions.example.co","user_agent":")",
           row.random.Pick(kCallers), R"("},"host":"edge.example.net","method":")", method, R"(","pathname":"/)",
           function.name, R"(","protocol":"https:","search":")", search, R"(","url":"https://edge.example.net/)",
           function.name, search, "\"}");
  }
  if (!row.random.OneIn(100)) {
    Append(out, R"(,"response":{"headers":{"content_length":")", row.random.Below(9'000),
           R"(","content_type":"application/json","date":")", row.time.second(), R"(Z","server":"deno/)",
           row.random.Pick(kRegions), R"(","vary":"Accept-Encoding"},"status_code":)", status, "}");
  }
  Append(out, R"(,"version":")", function.version, "\"}");
}

}  // namespace

void AppendFunctionEdgeRow(const SampleRow& row) {
  const SampleFunction& function = row.world.PickFunction(row.random, row.project);
  const std::string_view method = Methods().Pick(row.random);
  const int status = Statuses().Pick(row.random);
  const std::string search = row.random.OneIn(3) ? Concat("?t=", row.random.Below(1'000'000)) : "";
  row.Begin();
  Append(row.out, method, " | ", status, " | https://", row.ref(), ".functions.example.co/", function.name, search,
         R"(","metadata":)");
  if (row.random.OneIn(1'000)) {
    Append(row.out, row.random.OneIn(2) ? "null" : "{}");
  } else {
    AppendMetadata(row, function, method, status, search);
  }
  Append(row.out, "}\n");
}

void AppendFunctionRow(const SampleRow& row) {
  const SampleFunction& function = row.world.PickFunction(row.random, row.project);
  row.Begin();
  const bool boot = row.random.OneIn(10);
  if (boot) {
    Append(row.out, "booted (time: ", row.random.Between(12, 90), "ms)");
  } else {
    for (const char c : Messages().Pick(row.random)) {
      if (c == '#') {
        Append(row.out, row.random.Below(500));
      } else {
        row.out.push_back(c);
      }
    }
  }
  Append(row.out, R"(","metadata":{"deployment_id":")", row.ref(), "_", function.id, "_", function.version,
         R"(","event_type":")", boot ? "Boot" : "Log", R"(","execution_id":")", row.NewUuid(), R"(","function_id":")",
         function.id, R"(","level":")", boot ? std::string_view("log") : Levels().Pick(row.random),
         R"(","project_ref":")", row.ref(), R"(","region":")", row.random.Pick(kRegions), R"(","timestamp":")",
         row.time.micro(), R"(Z","version":")", function.version, "\"}}\n");
}

}  // namespace logquery::shim
