// Looks for queries whose answer depends on rows that the caller may not read.
//
//     isolation [--everywhere] [--queries N] [--seed S] [--first K] [--threads 1,2,4] [--rows N] [--clustered]
//               [--callers N] [--only TEXT] [--sql TEXT] [--show]
//
// Without --queries: each line of expressions.txt in a few places, with --everywhere in all of them. With --queries N: N random
// queries; --seed S --first K --queries 1 makes the K-th again. --rows is the number of own rows; hidden rows are two thirds as
// many. --only keeps the expressions whose line holds the text. --sql checks one query. It prints each query whose answers
// differ, then a summary for each expression, and fails when there is one.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "lib/base/strings.h"
#include "tests/isolation/expressions.h"
#include "tests/isolation/query_maker.h"
#include "tests/isolation/twins.h"

namespace logquery::isolation {
namespace {

struct Options {
  bool everywhere = false;
  int64_t queries = 0;
  uint64_t seed = 1;
  int64_t first = 0;
  std::vector<int> threads = {1, 2, 4};
  int64_t rows = 9'000;
  bool clustered = false;
  size_t callers = 1;
  std::string only;
  std::string sql;
  bool show = false;
};

struct Tally {
  int64_t checked = 0, failed = 0, differences = 0;
  struct Kind {
    std::set<std::string> places;
    std::string shortest, difference;
  };
  std::map<std::string, Kind> kinds;
  std::map<std::string, std::string> refused;  // a message and a query that it refuses
};

void CheckOne(Twins& twins, Caller caller, const Query& query, const Options& options, Tally& tally) {
  if (options.show) {
    std::printf("-- %s\n%s\n", query.kind.c_str(), query.sql.c_str());
    std::fflush(stdout);
  }
  const Finding finding = twins.Check(caller, query.sql);
  ++tally.checked;
  tally.failed += finding.status.ok() ? 0 : 1;
  if (!finding.status.ok() && query.kind.rfind("[failing]", 0) != 0 && options.queries == 0) {
    tally.refused.emplace(std::string(base::Message(finding.status)).substr(0, 150), query.sql);
  }
  if (finding.difference.empty()) return;
  ++tally.differences;
  Tally::Kind& kind = tally.kinds[query.kind];
  kind.places.insert(query.place);
  if (kind.shortest.empty() || query.sql.size() < kind.shortest.size()) {
    kind.shortest = query.sql;
    kind.difference = finding.difference;
  }
  std::printf("-- %s, in %s, by the %s\n%s\n  %s\n", query.kind.c_str(), query.place.c_str(),
              std::string(CallerName(caller)).c_str(), query.sql.c_str(), finding.difference.c_str());
  std::fflush(stdout);
}

std::vector<Query> QueriesOf(const Catalogue& catalogue, const Options& options) {
  if (!options.sql.empty()) return {{"[sql]", "sql", options.sql}};
  if (options.queries == 0) {
    return catalogue.Queries(options.everywhere ? Coverage::kEverywhere : Coverage::kOncePerKind);
  }
  std::vector<Query> queries;
  for (int64_t number = options.first; number < options.first + options.queries; ++number) {
    queries.push_back(RandomQuery(catalogue, options.seed, number));
  }
  return queries;
}

int Summary(const Tally& tally) {
  std::printf("\n");
  for (const auto& [message, sql] : tally.refused) {
    std::printf("fails on the own rows alone: %s\n    %s\n", message.c_str(), sql.c_str());
  }
  for (const auto& [name, kind] : tally.kinds) {
    std::printf("%zu places: %s\n    %s\n    %s\n", kind.places.size(), name.c_str(), kind.shortest.c_str(),
                kind.difference.c_str());
  }
  std::printf("%ld queries checked, %ld of them fail on the own rows alone; %ld differences, of %zu kinds\n",
              static_cast<long>(tally.checked), static_cast<long>(tally.failed), static_cast<long>(tally.differences),
              tally.kinds.size());
  return tally.differences == 0 ? 0 : 1;
}

int Main(const Options& options) {
  const absl::StatusOr<Catalogue> catalogue = Catalogue::Read(LOGQUERY_ISOLATION_EXPRESSIONS);
  if (!catalogue.ok()) {
    std::fprintf(stderr, "%s\n", catalogue.status().ToString().c_str());
    return 2;
  }
  const std::vector<Query> queries = QueriesOf(*catalogue, options);
  Tally tally;
  std::map<Hidden, std::unique_ptr<Twins>> made;
  for (size_t i = 0; i < options.callers && i < std::size(kAllCallers); ++i) {
    const Caller caller = kAllCallers[i];
    const Hidden hidden = HidesProjects(caller) ? Hidden::kOtherProject : Hidden::kOutsideWindow;
    std::unique_ptr<Twins>& twins = made[hidden];
    if (twins == nullptr) {
      const absl::Time start = absl::Now();
      FolderPlan plan;
      plan.hidden = hidden;
      plan.own_rows = options.rows;
      plan.hidden_rows = options.rows / 3 * 2;
      plan.clustered = options.clustered;
      absl::StatusOr<std::unique_ptr<Twins>> opened = Twins::Make(plan, options.threads);
      if (!opened.ok()) {
        std::fprintf(stderr, "%s\n", opened.status().ToString().c_str());
        return 2;
      }
      twins = *std::move(opened);
      std::printf("-- folders made in %.1f s\n", absl::ToDoubleSeconds(absl::Now() - start));
    }
    for (const Query& query : queries) {
      if (query.kind.find(options.only) != std::string::npos) CheckOne(*twins, caller, query, options, tally);
    }
    if (!options.sql.empty()) std::printf("-- %s\n", twins->shared().EngineText(caller, options.sql).c_str());
  }
  return Summary(tally);
}

std::vector<int> Numbers(const std::string& text) {
  std::vector<int> numbers;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) numbers.push_back(std::atoi(part.c_str()));
  return numbers;
}

// False: an argument that there is not, or one without its value.
bool ReadOptions(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--everywhere" || name == "--clustered" || name == "--show") {
      (name == "--everywhere" ? options.everywhere : name == "--clustered" ? options.clustered : options.show) = true;
      continue;
    }
    if (++i == argc) return false;
    const std::string value = argv[i];
    if (name == "--queries") {
      options.queries = std::atoll(value.c_str());
    } else if (name == "--seed") {
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--first") {
      options.first = std::atoll(value.c_str());
    } else if (name == "--threads") {
      options.threads = Numbers(value);
    } else if (name == "--rows") {
      options.rows = std::atoll(value.c_str());
    } else if (name == "--callers") {
      options.callers = static_cast<size_t>(std::atoll(value.c_str()));
    } else if (name == "--only") {
      options.only = value;
    } else if (name == "--sql") {
      options.sql = value;
    } else {
      return false;
    }
  }
  return !options.threads.empty() && options.rows > 0;
}

}  // namespace
}  // namespace logquery::isolation

int main(int argc, char** argv) {
  logquery::isolation::Options options;
  if (!logquery::isolation::ReadOptions(argc, argv, options)) {
    std::fprintf(
        stderr,
        "usage: [--everywhere] [--queries N] [--seed S] [--first K] [--threads 1,2,4] [--rows N] [--clustered] "
        "[--callers N] [--only TEXT] [--sql TEXT] [--show]\n");
    return 2;
  }
  return logquery::isolation::Main(options);
}
