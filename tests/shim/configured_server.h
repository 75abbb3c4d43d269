// `serve --config` in a process of its own, in a folder with what its settings may name.
#ifndef LOGQUERY_TESTS_SHIM_CONFIGURED_SERVER_H_
#define LOGQUERY_TESTS_SHIM_CONFIGURED_SERVER_H_

#include <sys/types.h>

#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"

namespace logquery::shim {

std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, const std::string& text);

// The first line that a command prints.
std::string RunForLine(const std::vector<std::string>& arguments);

class ConfiguredServer {
 public:
  // A folder with data, endpoints, spool and temp, and a token for everything.
  ConfiguredServer();
  ~ConfiguredServer();
  ConfiguredServer(const ConfiguredServer&) = delete;
  ConfiguredServer& operator=(const ConfiguredServer&) = delete;

  // Rows of edge_logs of the project "abc", with the ids i0, i1 …, a microsecond apart.
  void Append(absl::Time time, int rows = 1) const;
  // Writes the definition "own"; `settings` are further members of its JSON.
  void Define(const std::string& sql, const std::string& settings = "") const;
  // The settings that every server here has, with those of `keys` in place of theirs; null leaves one out.
  void Configure(const std::map<std::string, std::string>& keys) const;
  // Starts it, and waits for its address, or for its end.
  void Start(const std::map<std::string, std::string>& keys = {});
  // Its exit code.
  int End(int signal);
  // Waits for the end of a server that does not begin to serve, and returns its exit code.
  int AwaitEnd();

  // "GET PATH" with the token, on a connection of its own.
  std::string Get(const std::string& path, const std::string& headers = "") const;
  std::string Metrics() const { return Get("/metrics"); }
  std::string log() const { return ReadFile(folder + "/err"); }
  void AwaitLog(std::string_view text) const;
  // The processes that it started.
  std::string Children() const;

  std::string folder;
  std::string token;
  std::string listening;  // the first line on its standard output
  std::ifstream out;
  pid_t process = 0;
  int port = 0;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_TESTS_SHIM_CONFIGURED_SERVER_H_
