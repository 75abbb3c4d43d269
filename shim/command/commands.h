// The commands of `logquery`: what each takes, and the function that runs it. command_line.h turns arguments into these.
//
// Each returns the program's exit code. What a command is asked for goes to Terminal::out, everything else to Terminal::err.
#ifndef LOGQUERY_SHIM_COMMAND_COMMANDS_H_
#define LOGQUERY_SHIM_COMMAND_COMMANDS_H_

#include <any>
#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace logquery::shim {

enum ExitCode : int {
  kExitOk = 0,
  kExitFailed = 1,        // what was asked for can't be done; the reason is on stderr
  kExitUsage = 2,         // the command line is wrong
  kExitSomeRejected = 3,  // load: some rows were not taken
  kExitMemory = 4,        // serve: it had more memory than it may, and ending queries did not help
  kExitFindings = 3,      // doctor: something is not in order; erase: something that was not read may be left
};

struct Terminal {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int columns = 120;
};

// Writes "logquery: MESSAGE" and gives the exit code: kExitUsage for an InvalidArgument, else kExitFailed.
int Fail(const Terminal& terminal, const absl::Status& status);

// Writes an answer as it is; on a terminal what comes next begins on a line of its own.
void PrintBody(std::string_view body, const Terminal& terminal);

struct SampleArguments {
  std::string folder;
  int64_t rows = 300'000;
  int projects = 50;
  double days = 7;
  uint64_t seed = 1;
  std::string end;   // empty: the beginning of this hour
  std::string part;  // "2/30"; empty: all of it
};
int RunSample(const SampleArguments& arguments, const Terminal& terminal);

struct LoadArguments {
  std::string data;
  std::string schema;              // a file that declares logs beside the built-in ones; empty: none
  std::string source = "auto";     // a table's or log's name; auto: from each file's name
  std::vector<std::string> files;  // or folders of them
  std::string timestamp_unit = "us";
  std::string dedupe;  // "id", or empty
};
int RunLoad(const LoadArguments& arguments, const Terminal& terminal);

struct StatsArguments {
  std::string data;
  std::string format = "table";  // or json
};
int RunStats(const StatsArguments& arguments, const Terminal& terminal);

struct BackupArguments {
  std::string data;
  std::string target;
};
int RunBackup(const BackupArguments& arguments, const Terminal& terminal);

struct ExportArguments {
  std::string data;
  std::string out;
  std::vector<std::string> logs;  // names of logs or tables; empty: all
  std::string from;               // YYYY-MM-DD, in UTC; empty: the first day
  std::string to;                 // the last day; empty: all that follow
  std::string database = "logs";  // as SchemaArguments has it
  int64_t memory_limit_mb = 2'048;
};
int RunExport(const ExportArguments& arguments, const Terminal& terminal);

struct DoctorArguments {
  std::string data;
  bool repair = false;
  bool read_rows = false;
  std::string format = "text";  // or json
};
int RunDoctor(const DoctorArguments& arguments, const Terminal& terminal);

struct ClusterArguments {
  std::string data;
};
int RunCluster(const ClusterArguments& arguments, const Terminal& terminal);

struct EraseArguments {
  std::string data;
  std::string project;
  bool dry_run = false;
  std::string format = "text";  // or json
};
int RunErase(const EraseArguments& arguments, const Terminal& terminal);

struct RestoreArguments {
  std::string backup;
  std::string data;
};
int RunRestore(const RestoreArguments& arguments, const Terminal& terminal);

// What run and serve have in common.
struct ServiceArguments {
  std::string backend;            // a file that says what follows of the engine (backend_file.h); empty: --data does
  std::string engine = "duckdb";  // as engine.h has it
  std::any engine_settings;       // what the engine has read of that file beside what follows, in a type of its own
  std::string data;               // the engine's data folder; empty: it has none
  std::string endpoints;          // a folder of definitions beside the built-in ones; empty: none
  std::string schema;             // as LoadArguments has it
  bool built_in = true;           // the built-in definitions serve too
  std::string default_tier;       // of calls that name no tier; empty: one day
  std::string now;                // empty: the machine's clock
  double time_limit_seconds = 30;
  int64_t memory_limit_mb = 2'048;
  int engine_threads = 0;
};

struct RunArguments {
  ServiceArguments service;
  std::string endpoint;
  std::vector<std::string> parameters;  // key=value
  std::string format = "json";          // or ndjson, csv, table
  bool csv_safe = false;
  bool redact_pii = false;
  bool int64_as_string = false;
};
int RunQuery(const RunArguments& given, const Terminal& terminal);

struct ServeArguments {
  ServiceArguments service;
  std::string tokens;                   // empty: there is no file, and token_from has them all
  std::vector<std::string> token_from;  // as token_from.h has it
  std::string spool;                    // a folder that logs come in by, beside that in the data folder; empty: none
  std::vector<std::string> retain;      // as retain_option.h has it
  int cluster_percent = 25;             // of the time in which closed days may be put in order; 0: they are not
  bool ingest = false;                  // takes logs in over HTTP too, from tokens that may write
  int ingest_memory_mb = 256;           // of bodies that are on their way in
  int new_sources = 0;                  // how many logs beside the built-in ones sources may become; 0: none
  bool read_only = false;               // takes no logs in, and lets others read the folder
  std::string listen = "127.0.0.1:4000";
  std::string admin;      // as `listen`; empty: none
  int query_threads = 0;  // 0: twice the machine's, at least 4
  int max_queued = 256;
  int max_connections = 512;
  int max_answer_mb = 16;
  int answer_memory_mb = 4;
  std::string
      temporary;  // a folder for answers that are longer; empty: one in the data folder or, read-only, the system's
  double stop_seconds = 30;
  std::vector<std::string> cors_origins;
  bool console = true;  // whether there is a page to explore with
  bool insecure_http = false;
  bool trust_forwarded_for = false;
  // Reads the settings again, as SIGHUP asks for: command line, variables and file (settings.h). Empty: they stay as they are.
  std::function<absl::Status(ServeArguments& now)> read_again;
  bool supervise =
      false;  // in a process of its own, which is started again when it dies; this program runs again for it
};
int RunServe(const ServeArguments& given, const Terminal& terminal);

struct TokenArguments {
  std::string tokens;
  std::string secret_file;      // of import; empty: none
  std::string secret_variable;  // the same
  std::string label;
  std::vector<std::string> endpoints;
  bool no_endpoints = false;       // none at all, for one that only brings logs
  std::string definitions;         // a folder of definitions beside the built-in ones; empty: none
  std::string schema;              // as LoadArguments has it
  std::vector<std::string> fixed;  // key=value
  std::string project;
  bool all_projects = false;
  bool redact_pii = false;
  bool may_bypass_cache = false;
  std::optional<int64_t> max_rows;
  std::optional<int64_t> max_result_bytes;
  std::optional<int64_t> time_limit_ms;
  std::optional<int64_t> max_concurrent;
  std::optional<int64_t> calls_per_minute;
  bool may_ingest = false;
  std::vector<std::string> ingest_logs;  // that it may write; empty: all
  bool may_learn = false;
  std::optional<int64_t> ingest_rows_per_second;
  std::optional<int64_t> ingest_bytes_per_day;
  int expires_days = 0;  // 0: never
  int grace_hours = 0;
  std::string id;
};
int RunTokenCreate(const TokenArguments& arguments, const Terminal& terminal);
// The token is read from the file, the variable or, where neither is named, from Terminal::in.
int RunTokenImport(const TokenArguments& arguments, const Terminal& terminal);
int RunTokenList(const TokenArguments& arguments, const Terminal& terminal);
int RunTokenRotate(const TokenArguments& arguments, const Terminal& terminal);
int RunTokenRevoke(const TokenArguments& arguments, const Terminal& terminal);

struct CheckArguments {
  std::string schema;  // as LoadArguments has it
  std::string path;    // a folder of definitions; with `sandbox` the SQL's file, empty or "-" for standard input
  bool built_in = false;
  bool functions = false;       // the table of functions, in Markdown
  bool no_built_in = false;     // the folder's definitions stand alone
  std::string sandbox;          // the endpoint that SQL is checked against; empty: definitions are checked
  std::string endpoints;        // a folder of further definitions, for `sandbox`
  std::string backend;          // the backend file of the engine whose tables are meant; empty: the declared logs
  std::string format = "text";  // of a verdict; or json
};
int RunCheck(const CheckArguments& arguments, const Terminal& terminal);

struct NewArguments {
  std::string name;
  std::string folder = ".";
};
int RunNew(const NewArguments& arguments, const Terminal& terminal);

struct DiffArguments {
  std::string before;  // folders of definitions
  std::string after;
  std::string format = "text";  // or json
  bool built_in = true;         // as ServiceArguments has it
};
int RunDiff(const DiffArguments& arguments, const Terminal& terminal);

struct DefinitionTestArguments {
  std::string folder;
  std::vector<std::string> names;  // only the cases of these definitions; empty: all
  bool update = false;
  std::string junit;     // a file for the outcome; empty: none
  bool built_in = true;  // as ServiceArguments has it
};
int RunDefinitionTests(const DefinitionTestArguments& arguments, const Terminal& terminal);

struct TranslateArguments {
  std::string file;  // empty or "-": standard input
  std::string endpoint;
  std::string dialect;  // as DialectName has it; empty: the backend's, or DuckDB's
  std::string backend;  // as CheckArguments has it
  std::vector<std::string> without;
  bool explain = false;
};
// What `dialect` may be.
std::vector<std::string> DialectNames();
int RunTranslate(const TranslateArguments& arguments, const Terminal& terminal);

struct SchemaArguments {
  std::string dialect;
  std::string schema;             // a file that declares the logs (lib/model/schema_file.h); empty: the built-in ones
  std::string database = "logs";  // the engine's database, schema or dataset
  std::string reader = "logquery_reader";
  int days = 0;
  bool backend_file = false;  // prints that in place of the statements
};
// What `dialect` may be.
std::vector<std::string> SchemaDialects();
int RunSchema(const SchemaArguments& arguments, const Terminal& terminal);

struct CodegenArguments {
  std::string language;
  std::string endpoints;           // a folder of definitions beside the built-in ones; empty: none
  std::string schema;              // as LoadArguments has it
  bool built_in = true;            // as ServiceArguments has it
  std::string out = "-";           // the file to write; "-": standard output
  std::string int64;               // number or bigint, of TypeScript; empty: number
  std::vector<std::string> names;  // of the endpoints, or their ids; empty: all
};
// What `language` may be.
std::vector<std::string> CodegenLanguages();
int RunCodegen(const CodegenArguments& arguments, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_COMMANDS_H_
