// Arguments that `serve` refuses before it opens anything.
#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>

#include "shim/cli/options/commands.h"

namespace logquery::shim {
namespace {

// Returns the text on standard error, then the exit code.
std::string Serve(const ServeArguments& arguments) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int code = RunServe(arguments, {in, out, err});
  CHECK(out.str().empty());
  return err.str() + "=" + std::to_string(code);
}

TEST_CASE("listening beyond this machine requires an option, also for the admin listener") {
  ServeArguments arguments;
  arguments.listen = "0.0.0.0:4000";
  CHECK(Serve(arguments).starts_with("logquery: --listen 0.0.0.0 can be reached from other machines"));
  arguments.listen = "127.0.0.1:4000";
  for (const char* host : {"0.0.0.0", "[::]", "192.0.2.1", "example.org"}) {
    CAPTURE(host);
    arguments.admin = std::string(host) + ":4001";
    const std::string refused = Serve(arguments);
    CHECK(refused.starts_with("logquery: --admin "));
    CHECK(refused.find("can be reached from other machines") != std::string::npos);
    CHECK(refused.ends_with("=2"));
  }
  arguments.admin = "127.0.0.1";
  CHECK(Serve(arguments).ends_with("=2"));
}

}  // namespace
}  // namespace logquery::shim
