// A service over one source and a fake clock: each call is a process of its own, as the kit's runner wants it.
#include "tests/engines/engine_program.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "lib/base/error_body.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_clock.h"
#include "tests/engines/engine_bench.h"
#include "tests/support/counting_source.h"

namespace logquery::testing {
namespace {

struct Arguments {
  std::string now;
  std::string report;
  std::string bench;  // the project whose calls are timed
  QueryRequest request;

  bool Read(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string_view word = argv[i];
      if ((word == "--now" || word == "--report" || word == "--bench") && i + 1 < argc) {
        (word == "--now" ? now : word == "--report" ? report : bench) = argv[++i];
      } else if (request.endpoint.empty()) {
        request.endpoint = word;
      } else if (const size_t equals = word.find('='); equals != std::string_view::npos) {
        request.parameters.emplace_back(std::string(word.substr(0, equals)), std::string(word.substr(equals + 1)));
      } else {
        return false;
      }
    }
    return request.endpoint.empty() != bench.empty() && !now.empty();
  }
};

void Report(const std::string& path, CountingSource& source) {
  if (path.empty()) return;
  std::ofstream report(path, std::ios::app);
  for (const CountingSource::Asked& asked : source.Take()) {
    report << nlohmann::ordered_json{{"rows", asked.rows}, {"reason", asked.reason}, {"text", asked.text}}.dump()
           << "\n";
  }
}

int Answer(const Arguments& arguments, const std::shared_ptr<CountingSource>& source) {
  const absl::StatusOr<absl::Time> now = ParseTimestamp(arguments.now);
  if (!now.ok()) return Fail(now.status());
  const FakeClock clock(*now);
  if (!arguments.bench.empty()) return RunEngineBench(source, clock, arguments.bench);
  auto backend = duckdb::OpenOverFragments(source, {});
  if (!backend.ok()) return Fail(backend.status());
  QueryServiceOptions options;
  options.backend = backend->get();
  options.clock = &clock;
  options.time_limit = kEngineTimeLimit;
  auto service = QueryService::Create(options);
  if (!service.ok()) return Fail(service.status());
  const auto answer = (*service)->Run(arguments.request);
  const std::string body = answer.ok() ? answer->body : base::MakeErrorAnswer(answer.status(), "", false).body;
  std::fwrite(body.data(), 1, body.size(), stdout);
  Report(arguments.report, *source);
  return answer.ok() ? 0 : 1;
}

}  // namespace

int Fail(const absl::Status& status) { return std::fprintf(stderr, "%s\n", status.ToString().c_str()), 1; }

std::string TextOf(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

int RunCommand(int argc, char** argv) {
  std::string command;
  for (int i = 3; i < argc; ++i) {
    command += " '";
    for (const char c : std::string_view(argv[i])) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += "'";
  }
  return std::system(command.c_str()) == 0 ? 0 : 1;  // NOLINT(cert-env33-c): it is what the program is asked to do
}

int RunEngineProgram(const EngineProgram& program, int argc, char** argv) {
  const std::string_view first = argc > 3 ? argv[1] : "";
  if (first == "--load" || first == "--load-indexed") {
    // Caught, so that an engine that was started ends with its program.
    try {
      return program.load(argc, argv);
    } catch (const std::exception& error) {
      return Fail(absl::UnavailableError(error.what()));
    }
  }
  Arguments arguments;
  const char* const value = std::getenv(program.variable);
  if (!arguments.Read(argc, argv) || value == nullptr) {
    return Fail(absl::InvalidArgumentError(
        base::StrCat("usage: ", program.name,
                     " --load|--load-indexed DIR COMMAND…, or in the command --now TIME [--report "
                     "FILE] ENDPOINT …, or --now TIME --bench PROJECT")));
  }
  auto source = program.open(value);
  if (!source.ok()) return Fail(source.status());
  return Answer(arguments, std::make_shared<CountingSource>(*std::move(source)));
}

}  // namespace logquery::testing
