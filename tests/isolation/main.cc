// Looks for queries whose answer depends on rows that the caller may not read, or on how the own rows are compressed.
//
//     isolation [--everywhere] [--queries N] [--seed S] [--first K] [--threads 1,2,4] [--rows N] [--clustered]
//               [--callers N] [--only TEXT] [--sql TEXT] [--quiet]
//
// Without --queries: each line of expressions.txt in a few places, with --everywhere in all of them. With --queries N: N random
// queries; --seed S --first K --queries 1 makes the K-th again. --rows is the number of own rows; hidden rows are two thirds as
// many. --callers is how many of reader.h's kAllCallers ask, 5 at the most. --only keeps the expressions whose line holds the
// text. --sql checks one query and shows the engine's text of it. Prints each query whose answers differ, or that ends the
// process, then the shortest one for each expression, and fails when there is one.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "tests/isolation/expressions.h"
#include "tests/isolation/findings.h"
#include "tests/isolation/query_maker.h"
#include "tests/isolation/supervisor.h"
#include "tests/isolation/twins.h"
#include "tests/support/folders.h"

namespace logquery::isolation {
namespace {

namespace fs = std::filesystem;

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
  bool quiet = false;
};

struct Call {
  Caller caller;
  Query query;
};

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

std::vector<Call> CallsOf(const Catalogue& catalogue, const Options& options) {
  const std::vector<Query> queries = QueriesOf(catalogue, options);
  std::vector<Call> calls;
  for (size_t i = 0; i < options.callers && i < std::size(kAllCallers); ++i) {
    for (const Query& query : queries) {
      if (query.kind.find(options.only) != std::string::npos) calls.push_back({kAllCallers[i], query});
    }
  }
  return calls;
}

absl::Status Report(const Options& options, const Findings& findings, const Call& call, const Finding& finding) {
  if (options.quiet || finding.difference.empty()) return findings.Add(call.caller, call.query, finding);
  std::printf("-- %s, in %s, by the %s\n%s\n  %s\n", call.query.kind.c_str(), call.query.place.c_str(),
              std::string(CallerName(call.caller)).c_str(), call.query.sql.c_str(), finding.difference.c_str());
  std::fflush(stdout);
  return findings.Add(call.caller, call.query, finding);
}

absl::Status RunCalls(const Options& options, const std::string& root, const std::vector<Call>& calls,
                      const Findings& findings, const Progress& progress) {
  std::map<Hidden, std::unique_ptr<Twins>> opened;
  for (size_t i = progress.first(); i < calls.size(); ++i) {
    const Hidden hidden = HidesProjects(calls[i].caller) ? Hidden::kOtherProject : Hidden::kOutsideWindow;
    std::unique_ptr<Twins>& twins = opened[hidden];
    if (twins == nullptr) {
      FolderPlan plan;
      plan.hidden = hidden;
      plan.own_rows = options.rows;
      plan.hidden_rows = options.rows / 3 * 2;
      plan.clustered = options.clustered;
      LOGQUERY_ASSIGN_OR_RETURN(twins, Twins::Make(plan, options.threads, root));
    }
    progress.Begin(i);
    LOGQUERY_RETURN_IF_ERROR(Report(options, findings, calls[i], twins->Check(calls[i].caller, calls[i].query.sql)));
    if (!options.sql.empty()) {
      std::printf("-- %s\n", twins->shared().EngineText(calls[i].caller, options.sql).c_str());
    }
  }
  return absl::OkStatus();
}

int Main(const Options& options) {
  const absl::StatusOr<Catalogue> catalogue = Catalogue::Read(testing::SourcePath("tests/isolation/expressions.txt"));
  if (!catalogue.ok()) {
    std::fprintf(stderr, "%s\n", catalogue.status().ToString().c_str());
    return 2;
  }
  std::string root = (fs::temp_directory_path() / "logquery-isolation-run-XXXXXX").string();
  if (mkdtemp(root.data()) == nullptr) {
    std::fprintf(stderr, "no temporary folder can be made\n");
    return 2;
  }
  const std::vector<Call> calls = CallsOf(*catalogue, options);
  const Findings findings(root + "/findings");
  absl::Status status, reported;
  status =
      Supervised([&](const Progress& progress) { return RunCalls(options, root, calls, findings, progress); },
                 [&](size_t item, int signal) {
                   reported.Update(Report(options, findings, calls[item],
                                          {base::StrCat("ends the process by signal ", signal), absl::OkStatus()}));
                 });
  status.Update(reported);
  const absl::StatusOr<int64_t> differences = findings.PrintSummary(calls.size());
  status.Update(differences.status());
  fs::remove_all(root);
  if (status.ok()) return *differences == 0 ? 0 : 1;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return 2;
}

std::vector<int> Numbers(const std::string& text) {
  std::vector<int> numbers;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) numbers.push_back(std::atoi(part.c_str()));
  return numbers;
}

// False: there is no such option.
bool SetOption(const std::string& name, const std::string& value, Options& options) {
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
  return true;
}

// False: an argument that there is not, or one without its value.
bool ReadOptions(int argc, char** argv, Options& options) {
  const std::map<std::string, bool*> flags = {
      {"--everywhere", &options.everywhere}, {"--clustered", &options.clustered}, {"--quiet", &options.quiet}};
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (const auto flag = flags.find(name); flag != flags.end()) {
      *flag->second = true;
    } else if (++i == argc || !SetOption(name, argv[i], options)) {
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
        "[--callers N] [--only TEXT] [--sql TEXT] [--quiet]\n");
    return 2;
  }
  return logquery::isolation::Main(options);
}
