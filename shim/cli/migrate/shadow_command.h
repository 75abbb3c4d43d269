// `logquery shadow`: makes calls again, to another server and to this one, and compares the answers. For those who want to
// switch from Logflare.
#ifndef LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_COMMAND_H_
#define LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_COMMAND_H_

#include <cstdint>
#include <string>

#include "shim/cli/options/commands.h"

namespace logquery::shim {

struct ShadowArguments {
  std::string against;                         // the other server's URL
  std::string here = "http://127.0.0.1:4000";  // this server's
  std::string calls;                           // the file with calls; empty or "-": standard input
  // Tokens, each in a file or in a variable; empty: none.
  std::string token_file;
  std::string token_variable;
  std::string here_token_file;
  std::string here_token_variable;
  std::string ca_file;          // of `against`
  std::string endpoints;        // a folder of definitions, whose queries say how they order; empty: the built-in ones
  double rate = 2;              // calls a second
  int64_t max_calls = 0;        // 0: all
  double time_limit = 60;       // seconds, of a call
  int again = 1;                // how often a call is made again before a difference counts
  double pause = 2;             // seconds before that
  double tolerance = 1e-9;      // relative, of numbers
  std::string format = "text";  // or json
};

// Returns kExitFindings if answers differ, and kExitFailed if nothing, or not everything, could be compared.
int RunShadow(const ShadowArguments& arguments, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_COMMAND_H_
