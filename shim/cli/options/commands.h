// The commands of `logquery`: their arguments, and the functions that run them. command_line.h parses arguments into
// these.
//
// Each function returns the program's exit code. The requested output goes to Terminal::out, everything else to
// Terminal::err.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMMANDS_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMMANDS_H_

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
#include "logquery/serving/backend_file.h"

namespace logquery::shim {

enum ExitCode : int {
  kExitOk = 0,
  kExitFailed = 1,        // the request can't be fulfilled; the reason is on stderr
  kExitUsage = 2,         // the command line is wrong
  kExitSomeRejected = 3,  // load: some rows were rejected
  kExitMemory = 4,        // serve: it exceeded its memory limit, and ending queries did not help
  kExitOverdue = 5,       // serve: a query did not end after its deadline
  kExitFindings = 3,      // doctor: there are problems; erase: unread rows or files may remain
};

struct Terminal {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int columns = 120;
  bool colours = false;  // on what is a terminal; see main.cc
};

// How a command reports what it did. The output that it was asked for, such as rows, SQL or a token, is no report.
struct Reporting {
  bool quiet = false;  // neither the report nor progress and notes; errors are printed
  bool json = false;   // the report as one JSON object on a line, without progress and notes
};

// Prints "logquery: MESSAGE", and below it the line at fault with a caret if the status has one. Returns the exit code: kExitUsage
// for InvalidArgument, otherwise kExitFailed.
int Fail(const Terminal& terminal, const absl::Status& status);

// Prints an answer unchanged; on a terminal, the next output starts on a new line.
void PrintBody(std::string_view body, const Terminal& terminal);

struct SampleArguments {
  std::string folder;
  int64_t rows = 300'000;
  int projects = 50;
  double days = 7;
  uint64_t seed = 1;
  std::string end;   // empty: the start of the current hour
  std::string part;  // "2/30"; empty: everything
  Reporting reporting;
};
int RunSample(const SampleArguments& arguments, const Terminal& terminal);

struct LoadArguments {
  std::string data;
  std::string schema;              // a file that declares additional logs; empty: none
  std::string source = "auto";     // a table's or log's name; auto: by each file's name
  std::vector<std::string> files;  // files, or folders of files
  std::string timestamp_unit = "us";
  std::string dedupe;  // "id", or empty
  bool again = false;
  std::string packed_records = "open-days";
  Reporting reporting;
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
  Reporting reporting;
};
int RunBackup(const BackupArguments& arguments, const Terminal& terminal);

struct ExportArguments {
  std::string data;
  std::string out;
  std::vector<std::string> logs;  // names of logs or tables; empty: all
  std::string from;               // YYYY-MM-DD, in UTC; empty: the first day
  std::string to;                 // the last day; empty: all that follow
  std::string database = "logs";  // as SchemaArguments has it
  std::string layout;             // the same
  int64_t memory_limit_mb = 2'048;
  Reporting reporting;
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
  std::string packed_records = "open-days";
  Reporting reporting;
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
  Reporting reporting;
};
int RunRestore(const RestoreArguments& arguments, const Terminal& terminal);

// Arguments of both run and serve.
struct ServiceArguments {
  std::string backend;                   // a backend file; empty: the options with `data` describe the engine
  std::optional<BackendOptions> engine;  // set by ReadBackend (backend_option.h)
  std::string data;                      // the engine's data folder; empty: it has none
  std::string endpoints;                 // a folder of additional definitions; empty: none
  std::string schema;                    // as in LoadArguments
  bool built_in = true;                  // also serve the built-in definitions
  std::string default_tier;              // for calls that name no tier; empty: one day
  std::string now;                       // empty: the machine's clock
  double time_limit_seconds = 30;
  int64_t memory_limit_mb = 2'048;
  int engine_threads = 0;
};

// A running server that a command asks over HTTP (remote_server.h).
struct RemoteArguments {
  std::string url = {};             // empty: the command opens the folder or engine itself
  std::string token_file = {};      // empty: `token_variable` has the token; both empty: none is sent
  std::string token_variable = {};  // or VARIABLE_FILE, its path
  std::string ca_file = {};         // trusted certificate authorities; empty: the system's
};

struct RunArguments {
  ServiceArguments service;
  std::string endpoint;
  std::vector<std::string> parameters;  // key=value
  // json, ndjson, csv, json-rows, arrow, parquet, table; empty: json, but errors on a terminal are text.
  std::string format;
  bool csv_safe = false;
  bool redact_pii = false;
  bool int64_as_string = false;
};
int RunQuery(const RunArguments& given, const Terminal& terminal);

struct SqlArguments {
  ServiceArguments service;
  RemoteArguments server;
  std::string endpoint;                 // of `server`; empty: see query_by_url.h
  std::vector<std::string> parameters;  // of `endpoint`, NAME=VALUE
  std::string sql;                      // "-": standard input
  std::string file;                     // has the SQL; empty: `sql` does; "-": standard input
  std::string project;                  // whose rows alone are read; empty: all
  std::string language = "bigquery";    // or clickhouse
  std::string format = "table";         // or one of RunArguments::format
  int64_t limit = 1'000;                // rows of the answer
  bool csv_safe = false;
  bool redact_pii = false;
  bool int64_as_string = false;
};
int RunSql(const SqlArguments& given, const Terminal& terminal);

struct McpArguments {
  ServiceArguments service;
  RemoteArguments server;
  std::string project;  // whose rows alone are read; empty: all
  bool redact_pii = false;
};
int RunMcp(const McpArguments& given, const Terminal& terminal);

struct ServeArguments {
  ServiceArguments service;
  std::string tokens;                   // empty: there is no file, and token_from has all tokens
  std::vector<std::string> token_from;  // see token_from.h
  std::string spool;                // a folder for log files, in addition to the one in the data folder; empty: none
  std::vector<std::string> retain;  // see retain_option.h
  std::string confirm_clock;        // see retain_option.h; empty: the clock is not confirmed
  int cluster_percent = 25;         // share of time for rewriting closed days; 0: they are not rewritten
  bool ingest = false;              // also accepts logs over HTTP, from tokens that may write
  int ingest_memory_mb = 256;       // for request bodies with logs
  std::vector<std::string> source_ids;  // see source_ids.h
  int new_sources = 0;                  // how many logs sources may create in addition to the built-in ones; 0: none
  bool read_only = false;               // accepts no logs, and lets other processes read the folder
  std::string packed_records = "open-days";
  std::string listen = "127.0.0.1:4000";
  std::string admin;                     // like `listen`; empty: none
  std::vector<std::string> admin_hosts;  // names by which clients may reach it, besides addresses and localhost
  int query_threads = 0;                 // 0: twice the machine's, at least 4
  int max_queued = 256;
  int max_connections = 512;
  int least_upload_kib = 16;  // a second, of a request's body
  int max_answer_mb = 16;
  int answer_memory_mb = 4;
  int kept_answers_mb = 64;  // for answers that are kept as long as their rows are the same; 0: none
  std::string
      temporary;  // a folder for answers that are longer; empty: one in the data folder or, read-only, the system's
  double stop_seconds = 30;
  std::vector<std::string> cors_origins;
  bool console = true;  // whether to serve the console
  bool mcp = false;     // whether to serve the Model Context Protocol
  std::string saved;    // a folder of saved queries; empty: none are kept
  bool insecure_http = false;
  bool trust_forwarded_for = false;
  bool api_key_in_query = false;
  double log_parameters = 0;      // the share of calls whose parameters and SQL the log has
  std::string trace_to;           // the URL of an OTLP/HTTP collector; empty: calls are not traced
  double trace_share = 0.01;      // of the calls that belong to no trace
  std::string trace_header_from;  // a variable with a header for the collector; empty: none
  // Reads the settings again on SIGHUP: command line, variables and file (settings.h). Empty: they do not change.
  std::function<absl::Status(ServeArguments& now)> read_again;
  bool supervise =
      false;  // in a process of its own, which is started again when it dies; this program runs again for it
};
int RunServe(const ServeArguments& arguments, const Terminal& terminal);

struct TokenArguments {
  std::string tokens;
  std::string secret_file;      // of import; empty: none
  std::string secret_variable;  // the same
  std::string label;
  std::vector<std::string> endpoints;
  bool no_endpoints = false;       // no endpoint at all, for a token that only sends logs or reads metrics
  std::string definitions;         // a folder of additional definitions; empty: none
  std::string schema;              // as in LoadArguments
  std::vector<std::string> fixed;  // key=value
  std::string project;
  bool all_projects = false;
  bool redact_pii = false;
  bool may_bypass_cache = false;
  bool may_read_metrics = false;
  bool may_save = false;
  std::optional<int64_t> max_rows;
  std::optional<int64_t> max_result_bytes;
  std::optional<int64_t> time_limit_ms;
  std::optional<int64_t> max_concurrent;
  std::optional<int64_t> calls_per_minute;
  bool may_ingest = false;
  std::vector<std::string> ingest_logs;  // logs that it may write; empty: all
  bool may_learn = false;
  std::optional<int64_t> ingest_rows_per_second;
  std::optional<int64_t> ingest_bytes_per_day;
  int expires_days = 0;  // 0: never
  int grace_hours = 0;
  std::string id;
  Reporting reporting;
};
int RunTokenCreate(const TokenArguments& arguments, const Terminal& terminal);
// Reads the token from the file, from the variable, or, if neither is named, from Terminal::in.
int RunTokenImport(const TokenArguments& arguments, const Terminal& terminal);
int RunTokenList(const TokenArguments& arguments, const Terminal& terminal);
int RunTokenRotate(const TokenArguments& arguments, const Terminal& terminal);
int RunTokenRevoke(const TokenArguments& arguments, const Terminal& terminal);

struct CheckArguments {
  std::string schema;  // as in LoadArguments
  std::string path;    // a folder of definitions; with `sandbox` the SQL's file, empty or "-" for standard input
  bool built_in = false;
  bool functions = false;       // print the table of functions, in Markdown
  bool no_built_in = false;     // use only the folder's definitions
  std::string sandbox;          // the endpoint against which to check SQL; empty: checks definitions
  std::string endpoints;        // a folder of additional definitions, for `sandbox`
  std::string backend;          // the backend file whose engine has the tables; empty: the declared logs
  std::string format = "text";  // of a verdict; or json
};
int RunCheck(const CheckArguments& arguments, const Terminal& terminal);

struct NewArguments {
  std::string name;
  std::string folder = ".";
  std::string kind = "endpoint";
  Reporting reporting;
};
// The allowed values of `kind`.
std::vector<std::string> NewKinds();
int RunNew(const NewArguments& arguments, const Terminal& terminal);

struct DiffArguments {
  std::string before;  // folders of definitions
  std::string after;
  std::string format = "text";  // or json
  bool built_in = true;         // as in ServiceArguments
};
int RunDiff(const DiffArguments& arguments, const Terminal& terminal);

struct DefinitionTestArguments {
  std::string folder;
  std::vector<std::string> names;  // only the cases of these definitions; empty: all
  bool update = false;
  std::string junit;     // a file for the results; empty: none
  bool built_in = true;  // as in ServiceArguments
  Reporting reporting;
};
int RunDefinitionTests(const DefinitionTestArguments& arguments, const Terminal& terminal);

struct TranslateArguments {
  std::string file;  // empty or "-": standard input
  std::string endpoint;
  std::string endpoints;  // a folder of further definitions; empty: the built-in ones alone
  std::string dialect;    // see DialectName; empty: the backend's, or DuckDB's
  std::string backend;    // as in CheckArguments
  std::vector<std::string> without;
  bool explain = false;
  std::string from;    // rewrites between the languages of callers: "bigquery", "clickhouse"; empty: does not
  std::string to;      // the other one
  std::string layout;  // "logs"
  bool rows_have_metadata = false;  // tools::RewriteOptions
};
// The allowed values of `dialect`.
std::vector<std::string> DialectNames();
int RunTranslate(const TranslateArguments& arguments, const Terminal& terminal);

struct VerifyArguments {
  ServiceArguments service;
  std::string from;                 // the language of the queries: "bigquery", "clickhouse"
  std::vector<std::string> given;   // files, folders of *.sql, or KEY=VALUE with a parameter of logs.all
  bool rows_have_metadata = false;  // tools::RewriteOptions
  std::string format = "text";      // or json
};
int RunVerify(const VerifyArguments& arguments, const Terminal& terminal);

struct SchemaArguments {
  std::string dialect;
  std::string schema;             // a file that declares the logs (lib/model/schema_file.h); empty: the built-in ones
  std::string database = "logs";  // the engine's database, schema or dataset
  std::string reader = "logquery_reader";
  int days = 0;
  std::string layout;         // otel: one table of all logs; empty: a table for each log
  bool backend_file = false;  // prints a backend file instead of the statements
  // Files of rows, or "-", of which a schema file is made instead; empty: none.
  std::vector<std::string> infer;
  std::string log;      // of that file; empty: by the first file's name
  std::string time;     // its column of times; empty: found
  std::string project;  // the path of its project; empty: found
  std::string out;      // the file that it goes into; empty or "-": standard output
};
// The allowed values of `dialect`.
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
// The values that `language` may have.
std::vector<std::string> CodegenLanguages();
int RunCodegen(const CodegenArguments& arguments, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMMANDS_H_
