// The code of the programs that ask the query kit of an engine elsewhere, as `logquery run` asks it of a folder:
//
//     NAME --load DIR COMMAND…                             starts a server, puts DIR/NAME.ndjson into it, and runs the command with
//                                                          the program's variable set
//     NAME --load-indexed DIR COMMAND…                     the same, with what its page advises for the sake of speed
//     NAME --now TIME [--report FILE] ENDPOINT KEY=VALUE…  one call over the server that the variable names; the report gets a
//                                                          line for each fragment: its rows, what is done to them here, its text
//     NAME --now TIME --bench PROJECT                      times calls of the built-in endpoints (engine_bench.h)
#ifndef LOGQUERY_TESTS_ENGINES_ENGINE_PROGRAM_H_
#define LOGQUERY_TESTS_ENGINES_ENGINE_PROGRAM_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/fragment_source.h"

namespace logquery::testing {

// The time limit of one call: an engine may take minutes over millions of rows.
inline constexpr absl::Duration kEngineTimeLimit = absl::Minutes(5);

struct EngineProgram {
  const char* name;
  const char* variable;
  // With --load and --load-indexed: starts the server, sets the variable, and calls RunCommand. The program's exit code.
  std::function<int(int argc, char** argv)> load;
  // The source that the variable's value names.
  std::function<absl::StatusOr<std::shared_ptr<FragmentSource>>(const std::string& value)> open;
};

// The program as a whole.
int RunEngineProgram(const EngineProgram& program, int argc, char** argv);

// Prints the status; 1, as an exit code.
int Fail(const absl::Status& status);
std::string TextOf(const std::filesystem::path& path);
// The arguments from the third on, as a command of a shell; its exit code.
int RunCommand(int argc, char** argv);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_ENGINE_PROGRAM_H_
