// Settings of a server: where each value comes from, what is wrong with them, and the table that help and docs are made of.
#include "shim/cli/options/settings.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "tests/shim/command_run.h"
#include "tests/support/folders.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

// A file of settings.
struct File {
  explicit File(const std::string& text)
      : path((fs::temp_directory_path() / base::StrCat("logquery-settings-", getpid(), ".json")).string()) {
    std::ofstream(path, std::ios::trunc | std::ios::binary) << text;
  }
  ~File() { fs::remove(path); }
  const std::string path;
};

base::Variables Of(const std::map<std::string, std::string>& variables) {
  return [&variables](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}
const std::map<std::string, std::string> kNone;

std::string SourceOf(const ConfiguredServe& configured, std::string_view key) {
  return configured.sources[static_cast<size_t>(&FindSetting(key) - AllSettings().data())];
}

// A value that is not the default, as the file and as an option have it.
struct Other {
  std::string json;
  std::string text;
};
Other OtherValue(const Setting& setting) {
  ServeArguments defaults = DefaultServe();
  const SettingPlace place = setting.place(defaults);
  if (const auto* flag = std::get_if<bool*>(&place)) {
    const std::string text = **flag ? "false" : "true";
    return {text, text};
  }
  if (std::holds_alternative<std::string*>(place)) return {"\"/other\"", "/other"};
  if (std::holds_alternative<std::vector<std::string>*>(place)) return {"[\"other\"]", "other"};
  if (setting.most <= 1) return {"0.25", "0.25"};  // a share
  const std::string number = base::StrCat(static_cast<int64_t>(std::max(77.0, setting.least + 1)));
  return {number, number};
}

TEST_CASE("an option overrides a variable, which overrides the file, which overrides the default") {
  const File file(
      "{\n  // three of four\n  \"tokens\": \"/t\", \"max_answer\": 20,\n  \"max_queued\": 20, \"cluster\": 20\n}");
  const std::map<std::string, std::string> variables = {{"LOGQUERY_MAX_QUEUED", "30"}, {"LOGQUERY_CLUSTER", "30"}};
  const auto configured = Configure({file.path, {{"cluster", {"40"}}}}, Of(variables));
  INFO(configured.status().ToString());
  REQUIRE(configured.ok());
  CHECK(configured->arguments.max_connections == 512);
  CHECK(SourceOf(*configured, "max_connections") == "default");
  CHECK(configured->arguments.max_answer_mb == 20);
  CHECK(SourceOf(*configured, "max_answer") == file.path + ":3");
  CHECK(configured->arguments.max_queued == 30);
  CHECK(SourceOf(*configured, "max_queued") == "LOGQUERY_MAX_QUEUED");
  CHECK(configured->arguments.cluster_percent == 40);
  CHECK(SourceOf(*configured, "cluster") == "--cluster");

  // The file may be named by a variable, too.
  const std::map<std::string, std::string> named = {{"LOGQUERY_CONFIG", file.path}};
  CHECK(Configure({}, Of(named))->arguments.max_answer_mb == 20);
}

TEST_CASE("each setting of the table is read from the file, a variable and an option") {
  std::set<std::string> options;
  for (const Setting& setting : AllSettings()) {
    CAPTURE(setting.key);
    CHECK(options.insert(OptionOf(setting)).second);
    CHECK_FALSE(setting.help.empty());
    const Other other = OtherValue(setting);
    // Settings that others go with.
    std::map<std::string, std::string> variables;
    if (setting.key != "tokens") variables["LOGQUERY_TOKENS"] = "tokens";
    if (setting.key == "builtin") variables["LOGQUERY_ENDPOINTS"] = "endpoints";
    if (setting.key.starts_with("trace_") && setting.key != "trace_to") variables["LOGQUERY_TRACE_TO"] = "http://c";
    const bool of_ingest =
        setting.key == "ingest_memory" || setting.key == "source_ids" || setting.key == "new_sources";
    if (of_ingest) variables["LOGQUERY_INGEST"] = "true";
    const File file(base::StrCat("{\"", setting.key, "\": ", other.json, "}"));
    const auto by_file = Configure({file.path, {}}, Of(variables));
    INFO(by_file.status().ToString());
    REQUIRE(by_file.ok());
    CHECK(ValueText(setting, by_file->arguments) == other.text);
    CHECK(SourceOf(*by_file, setting.key) == file.path + ":1");

    const auto by_option = Configure({"", {{std::string(setting.key), {other.text}}}}, Of(variables));
    REQUIRE(by_option.ok());
    CHECK(ValueText(setting, by_option->arguments) == other.text);
    CHECK(SourceOf(*by_option, setting.key) == OptionOf(setting));

    variables[VariableOf(setting)] = other.text;
    const auto by_variable = Configure({}, Of(variables));
    REQUIRE(by_variable.ok());
    CHECK(ValueText(setting, by_variable->arguments) == other.text);
    CHECK(SourceOf(*by_variable, setting.key) == VariableOf(setting));
  }
}

TEST_CASE("relative paths in the file are taken from where it is, others from where the command runs") {
  const File file(R"({"data": "data", "tokens": "/absolute", "temp": ""})");
  const auto configured = Configure({file.path, {{"spool", {"spool"}}}}, Of(kNone));
  REQUIRE(configured.ok());
  CHECK(configured->arguments.service.data == (fs::path(file.path).parent_path() / "data").string());
  CHECK(configured->arguments.tokens == "/absolute");
  CHECK(configured->arguments.temporary.empty());
  CHECK(configured->arguments.spool == "spool");
}

TEST_CASE("an invalid value is reported with its origin and a valid form") {
  struct Case {
    GivenSettings given;
    std::map<std::string, std::string> variables;
    std::string message;
  };
  const Case cases[] = {
      {{"", {{"max_answer", {"0"}}}}, {}, "--max-answer must be a whole number from 1 to 4096, is \"0\""},
      {{"", {{"time_limit", {"nan"}}}}, {}, "--time-limit must be a number from 0.001 to 86400, is \"nan\""},
      {{}, {{"LOGQUERY_READ_ONLY", "yes"}}, "LOGQUERY_READ_ONLY must be true or false, is \"yes\""},
      {{},
       {{"LOGQUERY_MEMORY_LIMIT", "99999999999999999999"}},
       "LOGQUERY_MEMORY_LIMIT must be a whole number from 64 to 16777216, is \"99999999999999999999\""},
      {{}, {}, "say which access tokens count: --tokens FILE"},
      {{"", {{"tokens", {"t"}}, {"builtin", {""}}}}, {}, "--no-builtin wants a folder of definitions"},
      {{"", {{"tokens", {"t"}}, {"read_only", {""}}}},
       {{"LOGQUERY_RETAIN", "*=1d"}},
       "--read-only and LOGQUERY_RETAIN exclude each other"},
      {{"", {{"tokens", {"t"}}, {"backend", {"b"}}, {"engine_threads", {"1"}}}},
       {},
       "--backend and --engine-threads exclude each other"},
      {{"/nowhere/logquery.json", {}}, {}, "can't read /nowhere/logquery.json: it is no file"},
  };
  for (const Case& c : cases) {
    const absl::Status status = Configure(c.given, Of(c.variables)).status();
    CHECK(std::string(base::Message(status)).substr(0, c.message.size()) == c.message);
  }
  const File file("{\"read_only\": true,\n\"spool\": \"/s\", \"tokens\": \"/t\"}");
  CHECK(base::Message(Configure({file.path, {}}, Of(kNone)).status()) ==
        base::StrCat("read_only (", file.path, ":1) and spool (", file.path, ":2) exclude each other"));
}

TEST_CASE("config check reports every error of the file with its position") {
  const File file(R"({
  "lisen": "127.0.0.1:0",   // misspelt
  "max_answer": "20",
  "retain": "edge_logs=1d",
  "read_only": 1,
  "time_limit": 0,
  "cluster": 2.5,
  "tokens": null
})");
  const Outcome checked = RunCommand({"config", "check", file.path});
  INFO(checked.err);
  CHECK(checked.code == kExitFailed);
  CHECK(Has(checked.err, file.path + ":2:3: \"lisen\" is no setting; did you mean listen?\n    \"lisen\": "));
  CHECK(Has(checked.err, file.path + ":3:3: max_answer must be a whole number from 1 to 4096, is \"20\""));
  CHECK(Has(checked.err, file.path + ":4:3: retain must be a list of strings, is \"edge_logs=1d\""));
  CHECK(Has(checked.err, file.path + ":5:3: read_only must be true or false, is 1"));
  CHECK(Has(checked.err, file.path + ":6:3: time_limit must be a number from 0.001 to 86400, is 0"));
  CHECK(Has(checked.err, file.path + ":7:3: cluster must be a whole number from 0 to 100, is 2.5"));
  CHECK(Has(checked.err, file.path + ":8:3: tokens must be a string, is null"));
  CHECK(Has(checked.err, "logquery: 7 errors"));

  // Whoever serves with it gets the first, and how many more there are.
  const Outcome served = RunCommand({"serve", "--config", file.path});
  CHECK(served.code == kExitUsage);
  CHECK(Has(served.err, "\"lisen\" is no setting; did you mean listen?; `logquery config check "));
  CHECK(Has(served.err, "lists 6 more"));

  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {{"{", ":1:2: not JSON: "},
                        {"[]", ":1:1: must be an object of settings, is []"},
                        {"", ":1:1: not JSON: "},
                        {R"({"listen": "a", "listen": "b"})", "the JSON has the key \"listen\" twice"},
                        {"{\"read_only\": true, \"cluster\": 1}", "exclude each other"}};
  for (const Case& c : cases) {
    const File other(c.text);
    const Outcome outcome = RunCommand({"config", "check", other.path});
    INFO(outcome.err);
    CHECK(outcome.code == kExitFailed);
    CHECK(Has(outcome.err, c.message));
  }
  const File right("{ /* all of it */ \"listen\": \"127.0.0.1:0\" }");
  CHECK(RunCommand({"config", "check", right.path}).out == right.path + " is in order\n");
}

TEST_CASE("config check reports each value with which a server could not start") {
  const File file(R"({
  "tokens": "t.json",
  "data": "data",
  "backend": "nothere.json",
  "listen": "nonsense",
  "admin": "0.0.0.0:1",
  "cors_origin": ["foo"],
  "default_tier": "BOGUS",
  "now": "yesterday",
  "retain": ["bogus"]
})");
  const Outcome checked = RunCommand({"config", "check", file.path});
  INFO(checked.err);
  CHECK(checked.code == kExitFailed);
  CHECK(Has(checked.err, file.path + ":4:3: --backend "));
  CHECK(Has(checked.err, "nothere.json and --data "));
  CHECK(Has(checked.err, file.path + ":5:3: --listen wants HOST:PORT"));
  CHECK(Has(checked.err, file.path + ":6:3: --admin 0.0.0.0 can be reached from other machines"));
  CHECK(Has(checked.err, file.path + ":7:3: \"foo\" is no origin"));
  CHECK(Has(checked.err, file.path + ":8:3: "));
  CHECK(Has(checked.err, file.path + ":9:3: --now: "));
  CHECK(Has(checked.err, file.path + ":10:3: --retain bogus: it is LOG=LIMIT"));
  CHECK(Has(checked.err, "logquery: 7 errors"));
  const File missing(R"({"backend": "nothere.json"})");
  CHECK(RunCommand({"config", "check", missing.path}).code == kExitFailed);
  const File right(R"({"listen": "0.0.0.0:1", "insecure_http": true, "retain": ["*=1d,own_log=2d", "own_log=5GB"]})");
  CHECK(RunCommand({"config", "check", right.path}).code == kExitOk);
}

TEST_CASE("config print shows each value and where it comes from") {
  const File file("{\n\"tokens\": \"/t\"}");
  const Outcome printed = RunCommand({"config", "print", "--config", file.path, "--cors-origin", "https://a",
                                      "--cors-origin", "https://b", "--no-builtin", "--endpoints", "x\x1b[0m"});
  INFO(printed.err << printed.out);
  REQUIRE(printed.code == kExitOk);
  CHECK(std::count(printed.out.begin(), printed.out.end(), '\n') == static_cast<long>(AllSettings().size()));
  std::istringstream lines(printed.out);
  std::map<std::string, std::string> rest;
  for (std::string key, value, source; lines >> key >> value && std::getline(lines, source);) {
    rest[key] = value + " " + source.substr(source.find_first_not_of(' '));
  }
  CHECK(rest["tokens"] == "/t " + file.path + ":2");
  CHECK(rest["cors_origin"] == "https://a,https://b --cors-origin");
  CHECK(rest["builtin"] == "false --no-builtin");
  CHECK(rest["listen"] == "127.0.0.1:4000 default");
  CHECK(rest["data"] == "- default");
  CHECK_FALSE(Has(printed.out, "\x1b"));
  CHECK(RunCommand({"serve", "--tokens", "t", "--listen", "a", "--listen", "b"}).code == kExitUsage);
}

TEST_CASE("config print shows no user, password or key of a URL") {
  for (const char* url :
       {"http://ann:secret@collector:4318/v1/traces", "https://secret@host/", "HTTP://a:secret/b@c@host/x",
        "http://host/v1/traces?key=secret&x", "http://a:secret@host/?k=secret", "http://ann:secret @host"}) {
    CAPTURE(url);
    for (const bool json : {false, true}) {
      std::vector<std::string> arguments = {"config", "print", "--tokens", "/t", "--trace-to", url};
      if (json) arguments.emplace_back("--json");
      const Outcome printed = RunCommand(arguments);
      CAPTURE(printed.out, printed.err);
      CHECK_FALSE(Has(printed.out, "secret"));
      CHECK_FALSE(Has(printed.err, "secret"));
    }
  }
  CHECK(Has(RunCommand({"config", "print", "--tokens", "/t", "--trace-to", "http://h:4318/v1/traces"}).out,
            "http://h:4318/v1/traces "));
}

TEST_CASE("a misspelt variable is reported") {
  const char* const environment[] = {"PATH=/bin", "LOGQUERY_LISTN=x", "LOGQUERY_LISTEN=x", "LOGQUERY_CONFIG=x",
                                     nullptr};
  CHECK(NearVariables(environment) ==
        std::vector<std::string>{"LOGQUERY_LISTN is the variable of no setting; did you mean LOGQUERY_LISTEN?"});
}

TEST_CASE("help and the documentation have every setting, with its default") {
  // Without the breaks of its lines.
  std::string help = RunCommand({"serve", "--help"}).out;
  absl::RemoveExtraAsciiWhitespace(&help);
  for (const Setting& setting : AllSettings()) {
    CAPTURE(setting.key);
    CHECK(Has(help, OptionOf(setting)));
  }
  CHECK(Has(help, "(default: 127.0.0.1:4000)"));
  std::ifstream page(testing::SourcePath("docs/command_line.md"), std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(page), {});
  INFO("`logquery config keys` prints the table");
  CHECK(Has(text, SettingsTable()));
  CHECK(RunCommand({"config", "keys"}).out == SettingsTable());
}

}  // namespace
}  // namespace logquery::shim
