// No row can change what others may do: two servers get the same rows of project beta, and one of them hostile rows of project
// alpha as well. Under beta's token every endpoint answers the same bytes on both.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "tests/ingest/ingest_server.h"
#include "tests/ingest/neighbour_world.h"

namespace logquery::ingest_tests {
namespace {

// Calls of beta: each endpoint, and queries that name fields which only alpha's rows have, too.
const std::vector<std::string>& Calls() {
  static const auto& calls = *new std::vector<std::string>([] {
    const std::string times = "iso_timestamp_start=2026-03-04T00:00:00Z&iso_timestamp_end=2026-03-05T00:00:00Z";
    std::vector<std::string> made = {"service-health?project=beta&project_tier=PRO&" + times,
                                     "usage.api-counts?project=beta&interval=1day",
                                     "usage.api-requests-count?project=beta&period=1day",
                                     "functions.invocation-stats?project=beta&interval=1day&function_id=f",
                                     "functions.req-stats?project=beta&interval=1day&function_id=f",
                                     "functions.combined-stats?project=beta&interval=1day&function_id=f",
                                     "functions.resource-usage?project=beta&interval=1day&function_id=f",
                                     "nowhere?project=beta"};
    std::vector<std::string> queries = {
        "select a.n from edge_logs cross join unnest(metadata) m cross join unnest(m.app) a order by id",
        "select sum(a.n) as s, max(a.s) as x from edge_logs cross join unnest(metadata) m cross join unnest(m.app) a",
        "select sum(m.total) as s from storage_logs cross join unnest(metadata) m",
        "select count(m.junk1) as c from edge_logs cross join unnest(metadata) m",
        "select tier from edge_logs order by id",
        "select r.statusCode, r.statusCode + 1 as more from storage_logs cross join unnest(metadata) m cross join "
        "unnest(m.res) r order by id"};
    for (const char* log : kLogs) {
      queries.push_back(StrCat("select * from ", log, " order by id limit 50"));
      queries.push_back(StrCat("select to_json_string(metadata) as j from ", log, " order by id limit 50"));
    }
    for (const std::string& sql : queries) {
      made.push_back(StrCat("logs.all?project=beta&project_tier=ENTERPRISE&", times, "&sql=", Escape(sql)));
    }
    return made;
  }());
  return calls;
}

// The calls to which beta gets different answers.
std::vector<std::string> Differences(World& with, World& without) {
  std::vector<std::string> differ;
  for (const std::string& call : Calls()) {
    const std::string one = Ask(without.server(), call, without.beta());
    const std::string other = Ask(with.server(), call, with.beta());
    if (one != other) differ.push_back(StrCat(call, "\n  without: ", one, "\n  with:    ", other));
    if (other.starts_with("5")) differ.push_back(StrCat(call, " is ", other));
  }
  return differ;
}

class Rows {
 public:
  explicit Rows(uint64_t seed) : random_(seed) {}

  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }
  template <typename Texts>
  std::string One(const Texts& texts) {
    return std::string(texts[Below(std::size(texts))]);
  }

  // One batch's events and the log that they are for. `hostile`: of any shape; otherwise mostly of one, with a value now and then
  // that is not of its field's type.
  std::vector<std::string> Events(const std::string& project, const std::string& log, bool hostile) {
    std::vector<std::string> events;
    for (size_t i = 0, n = 1 + Below(4); i < n; ++i) {
      const std::string metadata = hostile ? Record(0) : Honest(log);
      std::string event =
          StrCat(R"({"id":")", project, "-", absl::StrCat(absl::Dec(++events_, absl::kZeroPad6)),
                 R"(","timestamp":"2026-03-04T)", absl::StrCat(absl::Dec(10 + Below(8), absl::kZeroPad2)), ":",
                 absl::StrCat(absl::Dec(Below(60), absl::kZeroPad2)), R"(:00Z","event_message":"m",)", R"("metadata":)",
                 metadata);
      if (hostile && Below(3) == 0) base::StrAppend(&event, ",", Member(), ",\"tier\":", Value(2));
      if (!hostile && Below(2) == 0) base::StrAppend(&event, ",\"tier\":", Below(9));
      events.push_back(event + "}");
    }
    return events;
  }

  std::string Log() { return One(kLogs); }

 private:
  static constexpr const char* kNames[] = {
      "app",         "App",    "n",          "N",   "s",       "total",        "tier",
      "junk1",       "res",    "statusCode", "req", "headers", "measurements", "connected",
      "sum",         "limit",  "request",    "sb",  "jwt",     "cf",           "cpu_time_used",
      "memory_used", "heap",   "a.b",        "?x",  "é",       "level2",       "execution_id",
      "context",     "payload"};

  std::string Honest(const std::string& log) {
    if (log == "storage_logs") {
      return StrCat(R"({"project":"beta","total":)", Below(3) == 0 ? "2.5" : StrCat(Below(90)),
                    R"(,"res":{"statusCode":)", 200 + 100 * Below(4), R"(},"responseTime":)", Below(90), "}");
    }
    const std::string value = Below(8) == 0 ? "\"5\"" : absl::StrCat(Below(90));
    const std::string owner = log == "function_logs"                              ? R"("project_ref":"beta",)"
                              : log == "realtime_logs" || log == "supavisor_logs" ? R"("project":"beta",)"
                                                                                  : "";
    return StrCat("{", owner, R"("app":{"n":)", value, R"(,"s":"x)", Below(9), R"("},"level":"info"})");
  }

  std::string Name() { return Below(6) == 0 ? absl::StrCat("junk", Below(300)) : One(kNames); }
  std::string Member() { return StrCat("\"", Name(), "\":", Value(1)); }

  std::string Record(int depth) {
    std::string record = "{";
    const size_t many = Below(60) == 0 ? 300 : 1 + Below(6);
    for (size_t i = 0; i < many; ++i) {
      base::StrAppend(&record, i == 0 ? "" : ",", "\"", many > 6 ? absl::StrCat("junk", Below(3'000)) : Name(),
                      "\":", Value(depth + 1));
    }
    return record + "}";
  }

  std::string Value(int depth) {
    switch (Below(depth > 4 ? 8 : 12)) {
      case 0:
        return absl::StrCat(Below(1'000));
      case 1:
        return "2.5";
      case 2:
        return "\"abc\"";
      case 3:
        return "true";
      case 4:
        return "null";
      case 5:
        return "\"17\"";
      case 6:
        return "9223372036854775809";
      case 7:
        return R"(["a",1,null])";
      case 8:
        return StrCat("[", Record(depth), "]");
      default:
        return Record(depth);
    }
  }

  std::mt19937_64 random_;
  int64_t events_ = 0;
};

std::string Joined(const std::vector<std::string>& events, std::string_view between) {
  std::string joined;
  for (const std::string& event : events) base::StrAppend(&joined, joined.empty() ? "" : between, event);
  return joined;
}

// Writes events as OTLP: what the row has as metadata comes as attributes of each value's own kind.
std::string OtlpOf(const std::vector<std::string>& events) {
  nlohmann::json records = nlohmann::json::array();
  for (const std::string& event : events) {
    const nlohmann::json row = nlohmann::json::parse(event, nullptr, false);
    nlohmann::json attributes = nlohmann::json::array();
    if (row.is_object() && row["metadata"].is_object()) {
      for (const auto& [name, value] : row["metadata"].items()) {
        nlohmann::json any;
        if (value.is_number_integer()) any["intValue"] = value.dump();
        if (value.is_number_float()) any["doubleValue"] = value;
        if (value.is_boolean()) any["boolValue"] = value;
        if (any.is_null()) any["stringValue"] = value.dump();
        attributes.push_back({{"key", name}, {"value", any}});
      }
    }
    records.push_back({{"timeUnixNano", "1772618400000000000"},
                       {"body", {{"stringValue", "otlp"}}},
                       {"attributes", std::move(attributes)}});
  }
  return nlohmann::json{{"resourceLogs", {{{"scopeLogs", {{{"logRecords", std::move(records)}}}}}}}}.dump();
}

// Loads a file with `load`, which hands the file to the server.
void LoadFile(const IngestServer& server, const std::string& log, const std::string& name,
              const std::vector<std::string>& events) {
  const fs::path folder = server.data() / "spool" / log;
  fs::create_directories(folder);
  std::ofstream(folder / (name + ".options")) << R"({"urgent":true})";
  std::ofstream(folder / ("." + name)) << Joined(events, "\n") << "\n";
  fs::rename(folder / ("." + name), folder / name);
  const absl::Time give_up = absl::Now() + absl::Minutes(2);
  while (!fs::exists(folder / (name + ".outcome"))) {
    REQUIRE(absl::Now() < give_up);
    std::this_thread::yield();
  }
}

// Sends one batch in one of the forms in which logs come in.
void Send(const IngestServer& server, const std::string& token, const std::string& project, const std::string& log,
          std::vector<std::string> events, size_t form, int number) {
  const std::string source = "?source_name=" + log;
  const std::string json = "Content-Type: application/json\r\n";
  switch (form) {
    case 0:
      server.Post("/api/logs" + source, StrCat("[", Joined(events, ","), "]"), json, token);
      return;
    case 1:
      server.Post("/api/logs" + source, StrCat(R"({"batch":[)", Joined(events, ","), "]}"), json, token);
      return;
    case 2:
      server.Post("/api/logs" + source, Joined(events, "\n"), "Content-Type: application/x-ndjson\r\n", token);
      return;
    case 3:
      server.Post("/api/logs/json" + source, StrCat("[", Joined(events, ","), "]"), json, token);
      return;
    case 4:
      server.Post("/logs/vector" + source, StrCat("[", Joined(events, ","), "]"), json, token);
      return;
    case 5:
      server.Post("/v1/logs" + source, OtlpOf(events), json, token);
      return;
    default:
      for (std::string& event : events) event.insert(1, StrCat(R"("project":")", project, "\","));
      LoadFile(server, log, absl::StrCat("f", number, ".ndjson"), events);
  }
}

constexpr size_t kForms = 7;

// `look_every`, `restart_every`: after how many batches.
void SendHostileBatches(int batches, int look_every, int restart_every) {
  const char* const given = std::getenv("LOGQUERY_SEED");
  const uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  CAPTURE(seed);
  World with;
  World without;
  Rows hostile(seed);
  Rows honest(seed + 1);
  for (int i = 1; i <= batches; ++i) {
    CAPTURE(i);
    const std::string log = hostile.Log();
    Send(with.server(), with.alpha(), "alpha", log, hostile.Events("alpha", log, true), hostile.Below(kForms), i);
    if (honest.Below(4) == 0) {
      // The form is one of those that keep ids and times as they are sent.
      const std::string own = honest.Log();
      const std::vector<std::string> events = honest.Events("beta", own, false);
      const size_t form = honest.Below(3);
      Send(with.server(), with.beta(), "beta", own, events, form, i);
      Send(without.server(), without.beta(), "beta", own, events, form, i);
    }
    if (i % restart_every == 0) {
      with.Restart();
      without.Restart();
    }
    if (i % look_every != 0 && i != batches) continue;
    const std::vector<std::string> differ = Differences(with, without);
    // For scripts/nightly.
    if (i == batches || !differ.empty()) {
      std::cout << i << " hostile batches of seed " << seed << "; " << differ.size() << " differences" << std::endl;
    }
    for (const std::string& call : differ) UNSCOPED_INFO(call);
    REQUIRE(differ.empty());
  }
  // The check sees what it looks for: to a token of all projects the neighbour's rows show.
  const std::string call = Calls().back();
  std::string all = call;
  all.replace(all.find("project=beta"), 12, "project=alpha");
  CHECK(Ask(with.server(), all, with.server().writer()) != Ask(without.server(), all, without.server().writer()));
}

TEST_CASE("hostile rows of a project change no byte of another's answers") { SendHostileBatches(120, 30, 60); }

TEST_CASE("twenty thousand hostile batches change no byte of a neighbour's answers", "[nightly]") {
  SendHostileBatches(20'000, 200, 1'000);
}

// Each makes in a folder what a server that forgets who taught a field, or whose a row is, would make.
TEST_CASE("the check of neighbours finds a planted fault") {
  const std::string fault = GENERATE(
      // A learned field without a record of its teacher is everybody's.
      "DELETE FROM logquery.learned_by", "UPDATE logquery.learned_by SET project = 'beta'",
      "UPDATE \"cloudflare.logs.prod\" SET project = 'beta'");
  CAPTURE(fault);
  World with;
  World without;
  const auto post = [](World& world, const std::string& token, const std::string& metadata) {
    const std::string row =
        StrCat(R"([{"id":"i","timestamp":"2026-03-04T12:00:00Z","message":"x","metadata":)", metadata, "}]");
    return world.server()
        .Post("/api/logs?source_name=edge_logs", row, "Content-Type: application/json\r\n", token)
        .status;
  };
  for (World* world : {&with, &without}) REQUIRE(post(*world, world->beta(), R"({"level":"info"})") == 200);
  REQUIRE(post(with, with.alpha(), R"({"junk1":1})") == 200);
  REQUIRE(Differences(with, without).empty());
  with.Plant(fault);
  CHECK_FALSE(Differences(with, without).empty());
}

}  // namespace
}  // namespace logquery::ingest_tests
