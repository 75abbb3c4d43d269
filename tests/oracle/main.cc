// Compares the engine's answers to generated queries with those of the evaluator.
//
//     oracle [--queries N] [--seed S] [--first K] [--work N] [--neighbours N] [--without PASS,PASS] [--sql TEXT --rows N]
//
// --seed S --first K --queries 1 makes the K-th query again. --neighbours is the number of rows of another project. --work
// bounds the rows that the innermost loop of the evaluator reads.
// --without leaves passes out, to see that their defects are found. --sql compares one query, which reads the entry `logs` that
// it writes itself, over the project of N rows, and shows the engine's text of it. Prints each query whose answers differ, then
// `N queries of seed S; M differences`, and fails when there is one.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#include "tests/oracle/query_maker.h"
#include "tests/oracle/stored_logs.h"

namespace logquery::oracle {
namespace {

struct Options {
  int64_t queries = 1'000;
  uint64_t seed = 1;
  int64_t first = 0;
  int64_t work = 50'000;
  int64_t rows = 20;
  int64_t neighbours = 70'000;  // so many make several row groups
  std::string without;
  std::string sql;
};

bool ReadOptions(int argc, char** argv, Options& options) {
  std::map<std::string, std::string> given;
  for (int i = 1; i + 1 < argc; i += 2) given[argv[i]] = argv[i + 1];
  if (argc % 2 == 0) return false;
  const auto number = [&](const char* name, auto& value) {
    const auto found = given.find(name);
    if (found == given.end()) return;
    value = static_cast<std::decay_t<decltype(value)>>(std::strtoull(found->second.c_str(), nullptr, 10));
    given.erase(found);
  };
  number("--queries", options.queries);
  number("--seed", options.seed);
  number("--first", options.first);
  number("--work", options.work);
  number("--rows", options.rows);
  number("--neighbours", options.neighbours);
  options.without = given["--without"];
  options.sql = given["--sql"];
  given.erase("--without");
  given.erase("--sql");
  return given.empty();
}

std::set<std::string> Names(const std::string& text) {
  std::set<std::string> names;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) names.insert(part);
  return names;
}

int Main(const Options& options) {
  absl::StatusOr<std::unique_ptr<StoredLogs>> logs = StoredLogs::Make(options.neighbours);
  if (!logs.ok()) {
    std::fprintf(stderr, "%s\n", logs.status().ToString().c_str());
    return 2;
  }
  (*logs)->LeaveOut(Names(options.without));
  if (!options.sql.empty()) {
    const Query query{options.sql, options.rows};
    const std::string difference = (*logs)->Check(query);
    std::printf("%s\n%s\n", (*logs)->EngineText(query).c_str(), difference.empty() ? "the same" : difference.c_str());
    return difference.empty() ? 0 : 1;
  }
  int64_t differences = 0;
  for (int64_t number = options.first; number < options.first + options.queries; ++number) {
    const Query query = MakeQuery(options.seed, number, options.work);
    const std::string difference = (*logs)->Check(query);
    if (difference.empty()) continue;
    ++differences;
    std::printf("-- query %lld of seed %llu, %lld rows\n%s\n  %s\n", static_cast<long long>(number),
                static_cast<unsigned long long>(options.seed), static_cast<long long>(query.rows), query.sql.c_str(),
                difference.c_str());
    std::fflush(stdout);
  }
  std::printf("%lld queries of seed %llu; %lld differences\n", static_cast<long long>(options.queries),
              static_cast<unsigned long long>(options.seed), static_cast<long long>(differences));
  return differences == 0 ? 0 : 1;
}

}  // namespace
}  // namespace logquery::oracle

int main(int argc, char** argv) {
  logquery::oracle::Options options;
  if (!logquery::oracle::ReadOptions(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: [--queries N] [--seed S] [--first K] [--work N] [--neighbours N] [--without PASS,PASS] "
                 "[--sql TEXT --rows N]\n");
    return 2;
  }
  return logquery::oracle::Main(options);
}
