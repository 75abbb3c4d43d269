// Compares our answers to generated queries in ClickHouse's SQL with those of ClickHouse's own engine.
//
//     clickhouse_oracle [--queries N] [--seed S] [--first K] [--sql TEXT] [--log FILE]
//
// --seed S --first K --queries 1 makes the K-th query again. --sql compares one query; --log those that a run has printed into the
// file, also after a change of the generator. Prints each query whose answers differ,
// and each kind of refusal, then `N queries of seed S; M differences, R refused, F failed on both sides`, and fails when there
// is a difference. Without chDB it says so and ends with 77.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "lib/base/strings.h"
#include "tests/clickhouse_oracle/both_logs.h"

namespace logquery::clickhouse_oracle {
namespace {

constexpr int kSkipped = 77;
constexpr char kOrdered[] = ", ordered";

struct Options {
  int64_t queries = 1'000;
  uint64_t seed = 1;
  int64_t first = 0;
  std::string sql;
  std::string log;
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
  options.sql = given["--sql"];
  given.erase("--sql");
  options.log = given["--log"];
  given.erase("--log");
  return given.empty();
}

std::string Words(const Verdict& verdict) {
  switch (verdict.kind) {
    case Verdict::Kind::kSame:
      return "the same";
    case Verdict::Kind::kBothFail:
      return "both fail: " + verdict.text;
    case Verdict::Kind::kRefused:
      return "refused: " + verdict.text;
    case Verdict::Kind::kDiffers:
      return verdict.text;
  }
  return "";
}

int One(BothLogs& logs, const std::string& sql) {
  const Verdict verdict = logs.Check({sql, true});
  for (const auto& [name, answer] : {std::pair("ours ", logs.Ours(sql)), std::pair("right", logs.Right(sql))}) {
    std::printf("%s: %s\n", name, answer.error.c_str());
    for (const nlohmann::json& row : answer.rows) std::printf("  %s\n", row.dump().c_str());
  }
  std::printf("%s\n", Words(verdict).c_str());
  return verdict.kind == Verdict::Kind::kDiffers ? 1 : 0;
}

// The differences of a run, or of the queries in a file.
class Comparison {
 public:
  explicit Comparison(BothLogs& logs) : logs_(logs) {}

  // `name`: "query 7 of seed 1".
  void Add(const std::string& name, const Query& query) {
    const Verdict verdict = logs_.Check(query);
    ++queries_;
    if (verdict.kind == Verdict::Kind::kBothFail) ++failed_;
    if (verdict.kind == Verdict::Kind::kRefused) {
      ++refused_;
      ++refusals_[verdict.text.substr(0, std::min(verdict.text.find(" at line"), size_t{100}))];
    }
    if (verdict.kind != Verdict::Kind::kDiffers) return;
    ++differences_;
    std::printf("-- %s%s\n%s\n  %s\n", name.c_str(), query.ordered ? kOrdered : "", query.sql.c_str(),
                verdict.text.c_str());
    std::fflush(stdout);
  }

  int Report(const std::string& from) const {
    for (const auto& [words, count] : refusals_)
      std::printf("refused %lld times: %s\n", static_cast<long long>(count), words.c_str());
    std::printf("%lld queries of %s; %lld differences, %lld refused, %lld failed on both sides\n",
                static_cast<long long>(queries_), from.c_str(), static_cast<long long>(differences_),
                static_cast<long long>(refused_), static_cast<long long>(failed_));
    return differences_ == 0 ? 0 : 1;
  }

 private:
  BothLogs& logs_;
  int64_t queries_ = 0, differences_ = 0, refused_ = 0, failed_ = 0;
  std::map<std::string, int64_t> refusals_;
};

int CompareLog(BothLogs& logs, const std::string& file) {
  std::ifstream in(file);
  if (!in) return std::fprintf(stderr, "%s can't be read\n", file.c_str()), 2;
  Comparison comparison(logs);
  constexpr std::string_view kBegin = "-- query ";
  std::string line, sql;
  while (std::getline(in, line)) {
    if (!line.starts_with(kBegin) || !std::getline(in, sql)) continue;
    const bool ordered = line.ends_with(kOrdered);
    const size_t size = line.size() - (ordered ? std::string_view(kOrdered).size() : 0);
    comparison.Add(line.substr(3, size - 3), {sql, ordered});
  }
  return comparison.Report(file);
}

int Main(const Options& options) {
  if (const std::string why = BothLogs::WhyNot(); !why.empty())
    return std::fprintf(stderr, "skipped: %s\n", why.c_str()), kSkipped;
  absl::StatusOr<std::unique_ptr<BothLogs>> logs = BothLogs::Make();
  if (!logs.ok()) return std::fprintf(stderr, "%s\n", logs.status().ToString().c_str()), 2;
  if (!options.sql.empty()) return One(**logs, options.sql);
  if (!options.log.empty()) return CompareLog(**logs, options.log);
  Comparison comparison(**logs);
  const std::string seed = base::StrCat("seed ", options.seed);
  for (int64_t number = options.first; number < options.first + options.queries; ++number)
    comparison.Add(base::StrCat("query ", number, " of ", seed), MakeQuery(options.seed, number));
  return comparison.Report(seed);
}

}  // namespace
}  // namespace logquery::clickhouse_oracle

int main(int argc, char** argv) {
  logquery::clickhouse_oracle::Options options;
  if (!logquery::clickhouse_oracle::ReadOptions(argc, argv, options)) {
    std::fprintf(stderr, "usage: [--queries N] [--seed S] [--first K] [--sql TEXT] [--log FILE]\n");
    return 2;
  }
  return logquery::clickhouse_oracle::Main(options);
}
