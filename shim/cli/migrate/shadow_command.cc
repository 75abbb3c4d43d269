// Reads calls line by line, so that a log which grows can be piped in, and asks both servers at the same time: rows that
// arrive meanwhile differ as little as possible.
#include "shim/cli/migrate/shadow_command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/time/clock.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/result_order.h"
#include "shim/cli/migrate/compare_answers.h"
#include "shim/cli/migrate/shadow_call.h"
#include "shim/cli/migrate/shadow_report.h"
#include "shim/cli/migrate/shadow_server.h"
#include "shim/cli/query/definitions.h"
#include "shim/cli/query/remote_server.h"

namespace logquery::shim {
namespace {

using base::StrCat;

// A line of a log has its parameters up to 16 KiB, each byte as up to six.
constexpr size_t kMaxLine = 1 << 20;

volatile std::sig_atomic_t stop_asked = 0;

// Ctrl-C ends the reading, and the figures are printed: a log that is followed has no other end.
class StopOnInterrupt {
 public:
  StopOnInterrupt() {
    stop_asked = 0;
    struct sigaction action {};
    // The standard library reads on after a signal: with its descriptor closed it can't.
    action.sa_handler = [](int) {
      stop_asked = 1;
      close(STDIN_FILENO);
    };
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGINT, &action, &before_);
  }
  ~StopOnInterrupt() { sigaction(SIGINT, &before_, nullptr); }
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

 private:
  struct sigaction before_ {};
};

// Why the answer says nothing about the call; empty: it does. A token that is not accepted, a limit or a broken server are no
// answer to compare.
std::string WhyNoAnswer(const ShadowAnswer& answer) {
  if (!answer.failure.ok()) return std::string(base::Message(answer.failure));
  const int status = answer.status;
  const bool says_nothing = status == 401 || status == 403 || status == 408 || status == 429 || status >= 500 ||
                            (status >= 300 && status < 400);
  return says_nothing ? StrCat("status ", status) : std::string();
}

// How each endpoint's own query orders its rows, by name and id.
absl::StatusOr<std::map<std::string, endpoint::ResultOrder>> OrdersOf(const std::string& folder) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Endpoint> definitions, AllDefinitions(folder));
  std::map<std::string, endpoint::ResultOrder> orders;
  for (const Endpoint& definition : definitions) {
    orders[definition.name] = orders[base::ToLower(definition.id)] = endpoint::OrderOf(definition.query);
  }
  return orders;
}

class Shadow {
 public:
  static absl::StatusOr<std::unique_ptr<Shadow>> Create(const ShadowArguments& arguments, std::ostream& out) {
    LOGQUERY_RETURN_IF_ERROR(CheckServerUrl("--against", arguments.against));
    LOGQUERY_RETURN_IF_ERROR(CheckServerUrl("--here", arguments.here));
    LOGQUERY_ASSIGN_OR_RETURN(auto orders, OrdersOf(arguments.endpoints));
    LOGQUERY_ASSIGN_OR_RETURN(std::string there, GivenToken(arguments.token_file, arguments.token_variable));
    LOGQUERY_ASSIGN_OR_RETURN(std::string here, GivenToken(arguments.here_token_file, arguments.here_token_variable));
    return std::make_unique<Shadow>(arguments, std::move(orders), std::move(there), std::move(here), out);
  }

  Shadow(const ShadowArguments& arguments, std::map<std::string, endpoint::ResultOrder> orders, std::string there,
         std::string here, std::ostream& out)
      : arguments_(arguments),
        orders_(std::move(orders)),
        there_({arguments.against, std::move(there), arguments.ca_file, absl::Seconds(arguments.time_limit)}),
        here_({arguments.here, std::move(here), "", absl::Seconds(arguments.time_limit)}),
        report_(out, arguments.format == "json"),
        next_(absl::Now()) {}

  void Read(std::istream& lines) {
    for (std::string line; !stop_asked && !IsDone() && std::getline(lines, line);) {
      std::optional<ShadowCall> call;
      if (line.size() <= kMaxLine) call = ReadShadowCall(line);
      if (call) {
        AwaitTurn();
        if (!stop_asked) Compare(*call);
      } else if (!base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(line))).empty()) {
        report_.Skip();
      }
    }
  }

  ShadowReport& report() { return report_; }

 private:
  bool IsDone() const { return arguments_.max_calls > 0 && report_.calls() >= arguments_.max_calls; }

  // Waits so that calls do not exceed the rate, however quick the answers are; what was slow is not caught up.
  void AwaitTurn() {
    const absl::Time now = absl::Now();
    if (next_ > now) absl::SleepFor(next_ - now);
    next_ = std::max(next_, now) + absl::Seconds(1 / arguments_.rate);
  }

  endpoint::ResultOrder OrderFor(const ShadowCall& call) const {
    if (!call.sql().empty()) return endpoint::OrderOf(call.sql());
    auto found = orders_.find(call.endpoint);
    if (found == orders_.end()) found = orders_.find(base::ToLower(call.endpoint));
    return found == orders_.end() ? endpoint::ResultOrder() : found->second;
  }

  void Compare(const ShadowCall& call) {
    const endpoint::ResultOrder order = OrderFor(call);
    for (int left = arguments_.again;; --left) {
      ShadowAnswer there, here;
      const auto ask_there = [&] { there = there_.Ask(call); };
      absl::StatusOr<std::thread> other = base::StartThread(ask_there);
      here = here_.Ask(call);
      if (other.ok()) {
        other->join();
      } else {
        ask_there();
      }
      for (const ShadowAnswer* answer : {&there, &here}) {
        const std::string why = WhyNoAnswer(*answer);
        if (!why.empty()) return report_.NotCompared(call, StrCat(answer == &there ? "there: " : "here: ", why));
      }
      const Comparison comparison = CompareAnswers(there, here, order, arguments_.tolerance);
      if (comparison.equal || left <= 0) return report_.Compared(call, there, here, comparison);
      // Rows that one of them had not got yet.
      absl::SleepFor(absl::Seconds(arguments_.pause));
    }
  }

  const ShadowArguments& arguments_;
  const std::map<std::string, endpoint::ResultOrder> orders_;
  ShadowServer there_;
  ShadowServer here_;
  ShadowReport report_;
  absl::Time next_;
};

int ExitCodeOf(const ShadowReport& report) {
  if (report.different() > 0) return kExitFindings;
  return report.calls() == 0 || report.not_compared() > 0 ? kExitFailed : kExitOk;
}

}  // namespace

int RunShadow(const ShadowArguments& arguments, const Terminal& terminal) {
  const auto shadow = Shadow::Create(arguments, terminal.out);
  if (!shadow.ok()) return Fail(terminal, shadow.status());
  std::ifstream file;
  const bool from_file = !arguments.calls.empty() && arguments.calls != "-";
  if (from_file) file.open(arguments.calls, std::ios::binary);
  if (from_file && !file) {
    return Fail(terminal, absl::NotFoundError(StrCat("can't read ", arguments.calls, ": ", std::strerror(errno))));
  }
  {
    const StopOnInterrupt stop;
    (*shadow)->Read(from_file ? file : terminal.in);
  }
  ShadowReport& report = (*shadow)->report();
  report.Finish();
  if (report.calls() == 0) {
    terminal.err << "logquery: there was no call to compare: a line is a URL with /endpoints/query/NAME, or one of the "
                    "log of `serve --log-parameters 1`\n";
  }
  return ExitCodeOf(report);
}

}  // namespace logquery::shim
