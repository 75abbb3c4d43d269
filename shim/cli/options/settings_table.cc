// The table of settings, and the formatting of its rows for people.
#include <algorithm>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "re2/re2.h"
#include "shim/cli/options/packed_records_option.h"
#include "shim/cli/options/settings.h"

namespace logquery::shim {
namespace {

using base::StrCat;

// A row's place in the arguments.
#define LOGQUERY_PLACE(member) [](ServeArguments& to) -> SettingPlace { return &to.member; }

std::vector<Setting> MakeTable() {
  return {
      {"data", "DIR", "The data folder", LOGQUERY_PLACE(service.data), 0, 0, true},
      {"backend", "FILE", "A JSON file that names a remote engine and its settings, in place of --data",
       LOGQUERY_PLACE(service.backend), 0, 0, true},
      {"endpoints", "DIR",
       "A folder of definitions, pairs of NAME.json and NAME.sql; a built-in name replaces the built-in definition",
       LOGQUERY_PLACE(service.endpoints), 0, 0, true},
      {"schema", "FILE", "A file that declares further logs; without it, schema.json in the --endpoints folder",
       LOGQUERY_PLACE(service.schema), 0, 0, true},
      {"builtin", "", "false: only the definitions in --endpoints", LOGQUERY_PLACE(service.built_in)},
      {"default_tier", "NAME",
       "The retention tier of calls without project_tier: FREE, PRO, PAYG or ENTERPRISE; without it, one day",
       LOGQUERY_PLACE(service.default_tier)},
      {"now", "TIME", "Answer as if this were the current time", LOGQUERY_PLACE(service.now)},
      {"time_limit", "SECONDS", "The time limit of a query", LOGQUERY_PLACE(service.time_limit_seconds), 0.001, 86'400},
      {"memory_limit", "MB", "The memory limit of the engine", LOGQUERY_PLACE(service.memory_limit_mb), 64, 1 << 24},
      {"engine_threads", "N", "The threads of the engine; 0: one for each processor",
       LOGQUERY_PLACE(service.engine_threads), 0, 1'024},
      {"tokens", "FILE", "The file of access tokens", LOGQUERY_PLACE(tokens), 0, 0, true},
      {"token_from", "VARIABLE=RIGHT,…",
       "An environment variable that contains an access token, or VARIABLE_FILE its path: read calls endpoints, write "
       "sends logs, all does both, metrics reads /metrics; :PROJECT limits it to one project; may be given again",
       LOGQUERY_PLACE(token_from)},
      {"spool", "DIR", "A folder for files of logs, in addition to DATA/spool", LOGQUERY_PLACE(spool), 0, 0, true},
      {"retain", "LOG=LIMIT,…",
       "Delete rows of a log beyond an age (90d, 12h), or the oldest ones of the projects that take more than their "
       "share of a size on disk (20GB). * is each log without its own limit; may be given again",
       LOGQUERY_PLACE(retain), 0, 0, false, true},
      {"confirm_clock", "DATE",
       "The current date: rows may be deleted by their age although the clock is more than 3 days after the last time "
       "that the folder has recorded",
       LOGQUERY_PLACE(confirm_clock), 0, 0, false, true},
      {"cluster", "PERCENT", "The share of time in which days before yesterday may be clustered by project; 0: never",
       LOGQUERY_PLACE(cluster_percent), 0, 100, false, true},
      {"packed_records", "WHICH", kPackedRecordsHelp, LOGQUERY_PLACE(packed_records)},
      {"ingest", "", "Accept logs over HTTP, from tokens created with --may-ingest", LOGQUERY_PLACE(ingest)},
      {"ingest_memory", "MB", "The memory for incoming bodies; beyond it clients get 429",
       LOGQUERY_PLACE(ingest_memory_mb), 128, 65'536},
      {"source_ids", "UUID=LOG,…",
       "The log that a source's UUID stands for, for clients that send ?source=UUID; may be given again",
       LOGQUERY_PLACE(source_ids)},
      {"new_sources", "N",
       "Create a log for an unknown source, up to N logs in addition to the built-in ones, for tokens that may write "
       "all logs; 0: answer 404",
       LOGQUERY_PLACE(new_sources), 0, 1'000},
      {"read_only", "", "Accept no logs; several servers and commands may then read the folder",
       LOGQUERY_PLACE(read_only)},
      {"listen", "HOST:PORT", "The address and port to listen on; port 0: a free port", LOGQUERY_PLACE(listen)},
      {"admin", "HOST:PORT",
       "The address and port for operators: /health, detailed /ready and /metrics, without a token",
       LOGQUERY_PLACE(admin)},
      {"admin_host", "NAME",
       "A host name by which clients may reach the --admin listener, besides IP addresses and localhost; may be given "
       "again",
       LOGQUERY_PLACE(admin_hosts)},
      {"query_threads", "N", "Concurrent queries; 0: twice the number of processors", LOGQUERY_PLACE(query_threads), 0,
       1'024},
      {"max_queued", "N", "Waiting queries; beyond it calls get 503", LOGQUERY_PLACE(max_queued), 0, 100'000},
      {"max_connections", "N", "Concurrent requests; as many more may wait, beyond it they get 503",
       LOGQUERY_PLACE(max_connections), 1, 10'000},
      {"least_upload", "KIB", "The least speed of a request's body in KiB per second; slower ones get 408",
       LOGQUERY_PLACE(least_upload_kib), 1, 1 << 20},
      {"max_answer", "MB", "The size limit of an answer", LOGQUERY_PLACE(max_answer_mb), 1, 4'096},
      {"answer_memory", "MB", "A longer answer is kept in a file until its client has read it",
       LOGQUERY_PLACE(answer_memory_mb), 0, 4'096},
      {"kept_answers", "MB",
       "The memory, of the cache's 256 MB, for answers that are kept while their rows stay the same; 0: none",
       LOGQUERY_PLACE(kept_answers_mb), 0, 256},
      {"temp", "DIR", "The folder for these unnamed files; without it, DATA/tmp, or the system's with --read-only",
       LOGQUERY_PLACE(temporary), 0, 0, true},
      {"stop_timeout", "SECONDS", "How long requests may take to finish after SIGTERM", LOGQUERY_PLACE(stop_seconds), 0,
       3'600, false, true},
      {"cors_origin", "ORIGIN", "A site, https://HOST, whose pages may call from a browser; may be given again",
       LOGQUERY_PLACE(cors_origins)},
      {"console", "", "false: do not serve the console at /", LOGQUERY_PLACE(console)},
      {"mcp", "", "Serve the Model Context Protocol at /mcp: the endpoints of a token as tools for models",
       LOGQUERY_PLACE(mcp)},
      {"saved", "DIR",
       "A folder in which tokens created with --may-save keep queries for all who may read their project; without it, "
       "queries are kept by the browsers alone",
       LOGQUERY_PLACE(saved), 0, 0, true},
      {"insecure_http", "", "Allow listening beyond this machine, although HTTP is not encrypted",
       LOGQUERY_PLACE(insecure_http)},
      {"trust_forwarded_for", "",
       "Count failed attempts by the last address in X-Forwarded-For, which a proxy in front sets",
       LOGQUERY_PLACE(trust_forwarded_for)},
      {"api_key_in_query", "",
       "Take a token from ?api_key= too, for clients that can send no header; logs of proxies then contain it",
       LOGQUERY_PLACE(api_key_in_query)},
      {"log_parameters", "SHARE",
       "The share of calls, from 0 to 1, whose parameters and SQL the log has, without IP addresses; `logquery shadow` "
       "makes such calls again",
       LOGQUERY_PLACE(log_parameters), 0, 1},
      {"trace_to", "URL",
       "The OTLP/HTTP collector that receives the spans of traced calls, such as http://127.0.0.1:4318/v1/traces; "
       "without it no call is traced",
       LOGQUERY_PLACE(trace_to)},
      {"trace_share", "SHARE",
       "The share of calls, from 0 to 1, that are traced; a call with the header traceparent is traced if that says so",
       LOGQUERY_PLACE(trace_share), 0, 1},
      {"trace_header_from", "VARIABLE",
       "An environment variable that contains a header for the collector, NAME: VALUE, or VARIABLE_FILE its path",
       LOGQUERY_PLACE(trace_header_from)},
      {"supervise", "", "false: serve in this process; otherwise a child process serves, and is restarted when it dies",
       LOGQUERY_PLACE(supervise)},
  };
}

#undef LOGQUERY_PLACE

std::string Replaced(std::string text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

bool IsSwitch(const Setting& setting) {
  ServeArguments defaults;
  return std::holds_alternative<bool*>(setting.place(defaults));
}

// A switch that the option turns off.
bool IsOnByDefault(const Setting& setting) {
  ServeArguments defaults = DefaultServe();
  const SettingPlace place = setting.place(defaults);
  bool* const* const value = std::get_if<bool*>(&place);
  return value != nullptr && **value;
}

std::string NumberText(double number) {
  const auto whole = static_cast<int64_t>(number);
  return static_cast<double>(whole) == number ? StrCat(whole) : StrCat(number);
}

struct AsText {
  std::string operator()(const std::string* text) const { return *text; }
  std::string operator()(const std::vector<std::string>* texts) const { return base::Join(*texts, ","); }
  std::string operator()(const bool* flag) const { return *flag ? "true" : "false"; }
  std::string operator()(const int* number) const { return StrCat(*number); }
  std::string operator()(const int64_t* number) const { return StrCat(*number); }
  std::string operator()(const double* number) const { return NumberText(*number); }
};

// The form of a value in the file.
std::string FormOf(const Setting& setting) {
  ServeArguments defaults;
  const SettingPlace place = setting.place(defaults);
  if (std::holds_alternative<bool*>(place)) return "true or false";
  if (std::holds_alternative<std::vector<std::string>*>(place)) return StrCat("list of `", setting.value, "`");
  if (std::holds_alternative<std::string*>(place)) return StrCat("`", setting.value, "`");
  return StrCat("`", setting.value, "`, ", NumberText(setting.least), " to ", NumberText(setting.most));
}

}  // namespace

ServeArguments DefaultServe() {
  ServeArguments arguments;
  arguments.supervise = true;
  return arguments;
}

const std::vector<Setting>& AllSettings() {
  static const auto* const settings = new std::vector<Setting>(MakeTable());
  return *settings;
}

const Setting& FindSetting(std::string_view key) {
  const std::vector<Setting>& all = AllSettings();
  const auto found = std::find_if(all.begin(), all.end(), [key](const Setting& setting) { return setting.key == key; });
  if (found == all.end()) std::abort();  // the key is a literal of this program
  return *found;
}

bool IsList(const Setting& setting) {
  ServeArguments defaults;
  return std::holds_alternative<std::vector<std::string>*>(setting.place(defaults));
}

std::string OptionOf(const Setting& setting) {
  return StrCat(IsOnByDefault(setting) ? "--no-" : "--", Replaced(std::string(setting.key), '_', '-'));
}

std::string VariableOf(const Setting& setting) { return StrCat("LOGQUERY_", base::ToUpper(setting.key)); }

std::string HelpOf(const Setting& setting) {
  constexpr std::string_view kOff = "false: ";
  if (setting.help.starts_with(kOff)) {
    std::string help(setting.help.substr(kOff.size()));
    help[0] = absl::ascii_toupper(static_cast<unsigned char>(help[0]));
    return help;
  }
  const std::string value = IsSwitch(setting) ? "" : ValueText(setting, DefaultServe());
  return value.empty() ? std::string(setting.help) : StrCat(setting.help, " (default: ", value, ")");
}

std::string ValueText(const Setting& setting, const ServeArguments& arguments) {
  ServeArguments copy = arguments;
  return std::visit(AsText(), setting.place(copy));
}

std::string PrintedText(const Setting& setting, const ServeArguments& arguments) {
  std::string text = ValueText(setting, arguments);
  // Up to the last @: a password may contain anything. The query of a URL may be a key.
  static const RE2* const user = new RE2(R"re((?s)([A-Za-z][A-Za-z0-9+.-]*:/+).*@)re");
  static const RE2* const query = new RE2(R"re((?s)([A-Za-z][A-Za-z0-9+.-]*:/+[^?#]*[?#]).+)re");
  RE2::GlobalReplace(&text, *user, R"(\1***@)");
  RE2::GlobalReplace(&text, *query, R"(\1***)");
  return text;
}

std::string SettingsTable() {
  std::string table = "| Key | Option | Value | Default | Meaning |\n|---|---|---|---|---|\n";
  for (const Setting& setting : AllSettings()) {
    const std::string value = ValueText(setting, DefaultServe());
    base::StrAppend(&table, "| `", setting.key, "` | `", OptionOf(setting), "` | ", FormOf(setting), " | ",
                    value.empty() ? "" : StrCat("`", value, "`"), " | ", setting.help, setting.is_live ? " ↻" : "",
                    " |\n");
  }
  return table;
}

}  // namespace logquery::shim
