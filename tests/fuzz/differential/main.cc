// Random queries over random logs, each run in every way that has to give the same (runner.h).
//
//     fuzz_differential [--queries N] [--seed S] [--first K] [--show] [--keep-going]
//
// The same seed makes the same queries: --seed S --first K --queries 1 makes the K-th again. --show prints each query
// and what became of it. On a difference the query is printed with what it differed in, then a smaller one that still
// does, and the program fails; with --keep-going it looks for more. It fails as well when too few queries are accepted: then the
// grammar, or the resolver, has lost something.
//
// Output for a difference, printed twice: as it was found, then after `-- smaller`:
//
//     -- query 126 of seed 3                                      how to have it again
//     -- as a definition                                          or as a caller's SQL, between an endpoint's entries
//     WITH w1 AS (SELECT …) SELECT …                              the query, on one line
//     -- @mode = "c", @text = NULL, @n = 2 …                      its parameters
//     over lists: {"c":"0"} and {"c":null}                        the way that differs (runner.h), the first rows that do
//       SELECT …                                                  what DuckDB was asked with all passes
//       SELECT …                                                  what it was asked in that way
//
// A cause is mended with a golden case of its own, in tests/testdata/emit or rewrite; the seed stays as it is.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "absl/time/clock.h"
#include "lib/base/strings.h"
#include "tests/fuzz/differential/runner.h"
#include "tests/support/folders.h"

namespace logquery::fuzz {
namespace {

// Below it the fuzz looks at too little.
constexpr int kAcceptedPercent = 90;
constexpr int64_t kQueriesPerLogs = 500;
constexpr int kShrinkTries = 400;
constexpr absl::Duration kShrinkTime = absl::Seconds(20);

struct Options {
  int64_t queries = 1'000;
  uint64_t seed = 1;
  int64_t first = 0;
  bool show = false;
  bool keep_going = false;
};

struct Tally {
  int64_t accepted = 0, failed = 0, too_large = 0, differences = 0;
  std::map<std::string, int64_t> refused;
  std::map<std::string, int64_t> kinds;  // of differences
};

// Numbers that are near each other make seeds that are not.
uint64_t Mix(uint64_t seed, uint64_t number) {
  uint64_t mixed = seed * 0x9E3779B97F4A7C15u + number;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

void Print(const FuzzCall& call) {
  std::printf("%s\n%s\n-- %s\n", call.sandboxed ? "-- as a caller's SQL" : "-- as a definition", call.query.sql.c_str(),
              ValuesText(call.values).c_str());
}

// The part that two differences of one cause are likely to have in common: how they begin, without names and numbers.
std::string KindOf(const std::string& difference) {
  std::string kind;
  for (const char c : difference.substr(0, 150)) {
    if (c == '{' || c == '\"' || c == '\'' || c == '(') break;
    if (c < '0' || c > '9') kind += c;
  }
  return kind;
}

// The same difference, of a smaller query.
void PrintSmaller(const Grammar& grammar, Runner& runner, const Choices& choices, const std::string& kind) {
  const absl::Time end = absl::Now() + kShrinkTime;
  const auto differs = [&](const std::vector<uint32_t>& made) {
    if (absl::Now() > end) return false;
    Choices again(made);
    const std::string difference = runner.Check(MakeCall(grammar, again)).difference;
    return !difference.empty() && KindOf(difference) == kind;
  };
  Choices smaller(Shrink(choices.made(), kShrinkTries, differs));
  const FuzzCall call = MakeCall(grammar, smaller);
  std::printf("\n-- smaller\n");
  Print(call);
  std::printf("%s\n\n", runner.Check(call).difference.c_str());
}

void CheckOne(const Grammar& grammar, Runner& runner, const Options& options, int64_t number, Tally& tally) {
  Choices choices(Mix(options.seed, static_cast<uint64_t>(number)));
  const FuzzCall call = MakeCall(grammar, choices);
  const auto show = [&] {
    std::printf("-- query %ld of seed %lu\n", static_cast<long>(number), static_cast<unsigned long>(options.seed));
    Print(call);
    std::fflush(stdout);
  };
  // The query is shown before it runs, as the engine may not come back from it.
  if (options.show) show();
  const absl::Time start = absl::Now();
  const Verdict verdict = runner.Check(call);
  const double seconds = absl::ToDoubleSeconds(absl::Now() - start);
  if (!options.show && !verdict.difference.empty()) show();
  if (options.show && !verdict.refused.ok()) std::printf("-- refused: %s\n", verdict.refused.ToString().c_str());
  if (verdict.refused.ok()) {
    ++tally.accepted;
  } else {
    ++tally.refused[std::string(base::Message(verdict.refused)).substr(0, 60)];
  }
  if (seconds > 5) std::printf("-- query %ld took %.1f s\n", static_cast<long>(number), seconds);
  tally.failed += verdict.failed ? 1 : 0;
  tally.too_large += verdict.too_large ? 1 : 0;
  if (verdict.difference.empty()) return;
  ++tally.differences;
  std::printf("%s\n", verdict.difference.c_str());
  std::fflush(stdout);
  const std::string kind = KindOf(verdict.difference);
  if (++tally.kinds[kind] == 1) PrintSmaller(grammar, runner, choices, kind);
}

int Summary(const Options& options, const Tally& tally) {
  for (const auto& [reason, count] : tally.refused)
    std::printf("%6ld refused: %s\n", static_cast<long>(count), reason.c_str());
  for (const auto& [kind, count] : tally.kinds) std::printf("%6ld times: %s\n", static_cast<long>(count), kind.c_str());
  std::printf(
      "%ld queries of seed %lu: %ld accepted, %ld of them failed on a row, %ld were too large; %ld differences\n",
      static_cast<long>(options.queries), static_cast<unsigned long>(options.seed), static_cast<long>(tally.accepted),
      static_cast<long>(tally.failed), static_cast<long>(tally.too_large), static_cast<long>(tally.differences));
  const bool enough = options.queries < 100 || tally.accepted * 100 >= options.queries * kAcceptedPercent;
  if (!enough) std::printf("fewer than %d %% were accepted\n", kAcceptedPercent);
  return tally.differences == 0 && enough ? 0 : 1;
}

int Main(const Options& options) {
  const absl::StatusOr<Grammar> grammar = Grammar::Read(testing::SourcePath("tests/fuzz/differential/expressions.txt"));
  if (!grammar.ok()) {
    std::fprintf(stderr, "%s\n", grammar.status().ToString().c_str());
    return 2;
  }
  Runner runner;
  Tally tally;
  int64_t loaded = -1;
  for (int64_t number = options.first; number < options.first + options.queries; ++number) {
    if (number / kQueriesPerLogs != loaded) {
      loaded = number / kQueriesPerLogs;
      const absl::Status status = runner.LoadLogs(Mix(~options.seed, static_cast<uint64_t>(loaded)));
      if (!status.ok()) {
        std::fprintf(stderr, "%s\n", status.ToString().c_str());
        return 2;
      }
    }
    CheckOne(*grammar, runner, options, number, tally);
    std::fflush(stdout);
    if (tally.differences > 0 && !options.keep_going) break;
  }
  return Summary(options, tally);
}

}  // namespace
}  // namespace logquery::fuzz

int main(int argc, char** argv) {
  logquery::fuzz::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool flag = argument == "--show" || argument == "--keep-going";
    if (argument == "--show") options.show = true;
    if (argument == "--keep-going") options.keep_going = true;
    if (flag) continue;
    if (i + 1 == argc || (argument != "--queries" && argument != "--seed" && argument != "--first")) {
      std::fprintf(stderr, "usage: [--queries N] [--seed S] [--first K] [--show] [--keep-going]\n");
      return 2;
    }
    const int64_t number = std::atoll(argv[++i]);
    if (argument == "--queries") options.queries = number;
    if (argument == "--seed") options.seed = static_cast<uint64_t>(number);
    if (argument == "--first") options.first = number;
  }
  return logquery::fuzz::Main(options);
}
