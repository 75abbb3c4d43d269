// Sends random calls to services over two backends.
#include "tests/engines/random_calls.h"

#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/parameter_binder.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::testing {
namespace {

std::string WordsOf(const QueryRequest& call) {
  std::string words = call.endpoint;
  for (const auto& [name, value] : call.parameters) base::StrAppend(&words, " ", name, "=", value);
  return words;
}

}  // namespace

std::shared_ptr<RandomLogs> MakeRandomLogs(uint32_t seed, int rows) {
  return std::make_shared<RandomLogs>(seed, absl::ToUnixMicros(*ParseTimestamp(kRandomLogsNow)), rows);
}

std::vector<QueryRequest> RandomCalls(uint32_t seed, int count) {
  Random random(seed);
  std::vector<QueryRequest> calls;
  for (int i = 0; i < count; ++i) calls.push_back(RandomCall(random));
  return calls;
}

std::vector<std::string> RunCalls(QueryBackend& backend, const std::vector<QueryRequest>& calls) {
  const FakeClock clock(*ParseTimestamp(kRandomLogsNow));
  QueryServiceOptions options;
  options.backend = &backend;
  options.clock = &clock;
  const auto service = QueryService::Create(options);
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  std::vector<std::string> answers;
  for (const QueryRequest& call : calls) {
    const auto answer = (*service)->Run(call);
    CAPTURE(WordsOf(call), answer.status().ToString());
    REQUIRE(answer.ok());
    answers.push_back(answer->body);
  }
  return answers;
}

void CheckAnswers(QueryBackend& backend, const std::vector<QueryRequest>& calls,
                  const std::vector<std::string>& expected) {
  const std::vector<std::string> answers = RunCalls(backend, calls);
  for (size_t i = 0; i < calls.size(); ++i) {
    CAPTURE(WordsOf(calls[i]));
    CHECK(answers[i] == expected[i]);
  }
}

void CheckRandomCalls(QueryBackend& backend, const std::shared_ptr<RandomLogs>& logs, uint32_t seed) {
  const auto here = OpenOverSource(logs, {});
  REQUIRE(here.ok());
  const std::vector<QueryRequest> calls = RandomCalls(seed, 100);
  const std::vector<std::string> expected = RunCalls(**here, calls);
  CheckAnswers(backend, calls, expected);
  size_t bytes = 0;
  for (const std::string& body : expected) bytes += body.size();
  CHECK(bytes > 10'000);
}

std::map<std::string, std::string> BigQueryNames(const std::vector<Table>& tables) {
  std::map<std::string, std::string> names;
  for (const Table& table : tables) {
    std::string& name = names[table.name];
    for (const unsigned char c : table.name) name += absl::ascii_isalnum(c) ? static_cast<char>(c) : '_';
  }
  return names;
}

}  // namespace logquery::testing
