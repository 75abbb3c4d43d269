#include "shim/cli/serve/serve_limits.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

struct Fitted {
  absl::Status status;
  ServeArguments arguments;
  std::string log;
};

Fitted Fit(int descriptors, int threads) {
  Fitted fitted;
  fitted.arguments.query_threads = 8;
  const auto log = [&](std::string_view level, std::string_view line) {
    base::StrAppend(&fitted.log, level, " ", line, "\n");
  };
  fitted.status = FitToLimits({descriptors, threads}, log, fitted.arguments);
  return fitted;
}

TEST_CASE("a server with enough descriptors and threads keeps its settings") {
  const Fitted fitted = Fit(100'000, 100'000);
  CHECK(fitted.status.ok());
  CHECK(fitted.log.empty());
  CHECK(fitted.arguments.max_connections == ServeArguments().max_connections);
  CHECK(fitted.arguments.query_threads == 8);
}

TEST_CASE("a server adapts to fewer, and reports what is missing") {
  const Fitted few_files = Fit(1'024, 100'000);
  CHECK(few_files.status.ok());
  CHECK(few_files.arguments.max_connections == 206);
  CHECK(few_files.log.find("warning the process may open 1024 files, and --max-connections 512 needs 2548") == 0);

  const Fitted few_threads = Fit(100'000, 40);
  CHECK(few_threads.status.ok());
  CHECK(few_threads.arguments.query_threads == 2);
  CHECK(few_threads.log.find("warning the system allows 40 more threads, and --query-threads 8 with --max-connections "
                             "512 may need 558") == 0);

  // Enough for queries, not for all requests.
  const Fitted some_threads = Fit(100'000, 400);
  CHECK(some_threads.arguments.query_threads == 8);
  CHECK(some_threads.log.find("warning the system allows 400 more threads") == 0);
}

TEST_CASE("a server that could not answer anything does not start, and reports the reason") {
  for (const Fitted& fitted : {Fit(64, 100'000), Fit(100'000, 12)}) {
    CHECK(absl::IsResourceExhausted(fitted.status));
    CHECK(base::Message(fitted.status).find("raise the limit (") != std::string_view::npos);
  }
}

TEST_CASE("limits are read from this process") {
  ServeArguments arguments;
  arguments.query_threads = 2;
  arguments.max_connections = 10;
  const SystemLimits limits = ReadSystemLimits(arguments);
  CHECK(limits.descriptors > 0);
  CHECK(limits.descriptors <= 540);
  CHECK(limits.threads >= 0);
  CHECK(limits.threads <= 50);
}

}  // namespace
}  // namespace logquery::shim
