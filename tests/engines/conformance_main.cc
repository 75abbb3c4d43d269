// Answers the conformance kit's requests with their tables in an engine elsewhere.
//
//     python3 ../shared/conformance/run.py --program "build/bin/logquery_engine_conformance postgres"
//
// A request whose tables the engine can't hold is answered with an error that begins with "skipped: ". The last line on the
// standard error says how many there were.
#include <iostream>
#include <stdexcept>
#include <string>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "tests/conformance/request.h"
#include "tests/engines/engine_tables.h"

namespace {

absl::StatusOr<logquery::conformance::Rows> Answer(logquery::testing::EngineTables& engine,
                                                   const logquery::conformance::Request& request, int& skipped) {
  const auto backend = engine.Put(request.tables);
  if (absl::IsUnimplemented(backend.status())) {
    ++skipped;
    return absl::UnimplementedError(logquery::base::StrCat("skipped: ", logquery::base::Message(backend.status())));
  }
  if (!backend.ok()) return backend.status();
  return logquery::conformance::RunQuery(request, **backend);
}

}  // namespace

int main(int argc, char** argv) {
  const auto engine = logquery::testing::StartEngine(argc == 2 ? argv[1] : "");
  if (!engine.ok()) {
    std::cerr << engine.status() << '\n';
    return 1;
  }
  int skipped = 0;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << logquery::conformance::AnswerLine(line, [&](const logquery::conformance::Request& request) {
      return Answer(**engine, request, skipped);
    }) << std::endl;
  }
  std::cerr << skipped << " requests skipped, as their tables can't be held\n";
  return 0;
}
