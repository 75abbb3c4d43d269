// The time that the worst texts take that a caller can send, from text to the engine's text or to an error: the slowest of each
// kind of token and of nesting, filled up to 64 KiB and up to each bound, with their memory.
//
//     logquery_bench_bad_input [--most N]
//     logquery_bench_bad_input --text FILE      only this text, for a profiler
//
// Each text is translated three times in a process of its own, which also tells a crash from an error. Memory is what the
// process has beyond one that translates `SELECT 1`.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "tests/bench/bad_input_texts.h"
#include "tests/bench/bench_util.h"
#include "tests/fuzz/caller_sql.h"

namespace logquery::bad_input {
namespace {

constexpr double kBudgetMilliseconds = 100;
constexpr unsigned kMostSeconds = 10;  // then a text's process is ended

struct Outcome {
  double milliseconds = 0;
  double megabytes = 0;
  std::string said;  // "ok", the error's beginning, or how the process ended
};

// Runs in the child, which tells the time of the fastest of three, and the outcome.
void Translate(const fuzz::LogsAll& logs_all, const std::string& sql, int out) {
  alarm(kMostSeconds);
  double best = 1e9;
  absl::Status status;
  for (int i = 0; i < 3; ++i) {
    const absl::Time start = absl::Now();
    status = logs_all.Plan(sql).status();
    best = std::min(best, absl::ToDoubleMilliseconds(absl::Now() - start));
    if (best > 1'000) break;
  }
  std::string told = status.ok() ? "ok" : std::string(base::Message(status));
  std::replace(told.begin(), told.end(), '\n', ' ');
  told = base::StrCat(best, " ", told.substr(0, 100));
  if (write(out, told.data(), told.size()) < 0) _exit(1);
  _exit(0);
}

Outcome Measure(const fuzz::LogsAll& logs_all, const std::string& sql) {
  int ends[2];
  if (pipe(ends) != 0) bench::Fail("no pipe");
  const pid_t child = fork();
  if (child < 0) bench::Fail("no process");
  if (child == 0) Translate(logs_all, sql, ends[1]);
  close(ends[1]);
  char told[256] = {};
  const ssize_t size = read(ends[0], told, sizeof(told) - 1);
  close(ends[0]);
  int ended = 0;
  rusage used{};
  if (wait4(child, &ended, 0, &used) != child) bench::Fail("the process is lost");
  Outcome outcome;
  outcome.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
  if (size <= 0 || !WIFEXITED(ended)) {
    outcome.milliseconds = kMostSeconds * 1'000;
    const int signal = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
    outcome.said = signal == SIGALRM ? "was not done in time" : base::StrCat("DIED of signal ", signal);
    return outcome;
  }
  const std::string_view line(told);
  const size_t space = line.find(' ');
  outcome.milliseconds = std::atof(told);
  outcome.said = std::string(line.substr(space + 1));
  return outcome;
}

int Main(size_t most) {
  const fuzz::LogsAll logs_all;
  bench::Need(logs_all.Plan("SELECT 1").status());
  Texts texts;
  AddTokens(texts);
  AddNesting(texts);
  AddLong(texts);
  AddClauses(texts);
  const double floor = Measure(logs_all, "SELECT 1").megabytes;
  std::vector<std::pair<Outcome, std::string>> found;
  for (const Text& text : texts.Take()) found.emplace_back(Measure(logs_all, text.sql), text.name);
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first.milliseconds > b.first.milliseconds; });
  size_t over = 0, most_memory = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    over += found[i].first.milliseconds > kBudgetMilliseconds ? 1 : 0;
    if (found[i].first.megabytes > found[most_memory].first.megabytes) most_memory = i;
  }
  std::printf("%zu texts, %zu of them over %.0f ms; the most memory is %.1f MiB, for %.80s\n\n", found.size(), over,
              kBudgetMilliseconds, found[most_memory].first.megabytes - floor, found[most_memory].second.c_str());
  std::printf("| text | ms | MiB | gives |\n|---|---|---|---|\n");
  for (size_t i = 0; i < std::min(most, found.size()); ++i) {
    const auto& [outcome, name] = found[i];
    std::printf("| `%.110s` | %.1f | %.1f | %s |\n", name.c_str(), outcome.milliseconds, outcome.megabytes - floor,
                outcome.said.c_str());
  }
  return 0;
}

}  // namespace
}  // namespace logquery::bad_input

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--text") {
    std::ifstream file(argv[2]);
    const std::string sql((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const absl::StatusOr<logquery::endpoint::PlannedCall> call = logquery::fuzz::LogsAll().Plan(sql);
    std::puts(call.ok() ? call->query->dialect_text().c_str() : call.status().ToString().c_str());
    return 0;
  }
  size_t most = 15;
  if (argc == 3 && std::string_view(argv[1]) == "--most") most = static_cast<size_t>(std::max(1, std::atoi(argv[2])));
  return logquery::bad_input::Main(most);
}
