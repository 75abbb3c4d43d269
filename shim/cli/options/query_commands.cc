// The options of commands for authors of queries.
#include <memory>
#include <string>
#include <utility>

#include "lib/base/strings.h"
#include "shim/cli/migrate/import_command.h"
#include "shim/cli/options/command_options.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

CommandNode DeclareCheck() {
  auto to = std::make_shared<CheckArguments>();
  CommandNode command("check", "Checks definitions of endpoints, or a caller's SQL.");
  command.Add("path", "DIR|FILE", "A folder of NAME.json with NAME.sql; with --sandbox: a file of SQL", &to->path);
  command.AddFlag("--builtin", "Check the three built-in definitions", &to->built_in);
  command.AddFlag("--no-builtin", "Check the folder alone, without the built-in definitions", &to->no_built_in)
      .Excludes("--builtin");
  command
      .Add("--sandbox", "ENDPOINT",
           "Check whether this endpoint would run the SQL on standard input or in FILE; without it definitions are "
           "checked",
           &to->sandbox)
      .Excludes("--builtin")
      .Excludes("--no-builtin");
  command.Add("--endpoints", "DIR", "A folder of further definitions", &to->endpoints).Needs("--sandbox");
  command.Add("--backend", "FILE",
              "A JSON file that describes an engine, whose tables are used; without it the declared logs",
              &to->backend);
  command.Add("--schema", "FILE", "A file that declares further logs; without it schema.json in the folder",
              &to->schema);
  AddFormat(command, to->format, "text",
            "Of the verdict, the endpoints and what was found: text for people, or json for programs");
  command.AddFlag("--functions", "Print which functions queries may call, as a table in Markdown", &to->functions)
      .Excludes("--builtin")
      .Excludes("--sandbox");
  command.footer =
      "Errors and warnings are FILE:LINE:COLUMN: MESSAGE. Exit code: 0 no error, or the SQL is allowed; 1 not.\n"
      "Examples:\n  logquery check --builtin\n  logquery check endpoints\n"
      "  echo 'select id from edge_logs' | logquery check --sandbox logs.all";
  command.Runs(to, RunCheck);
  return command;
}

CommandNode DeclareNew() {
  auto to = std::make_shared<NewArguments>();
  CommandNode command(
      "new",
      "Writes an example definition: NAME.json, NAME.sql with comments, and test cases. Kinds other than "
      "endpoint add some rows and, for a log of your own, schema.json.");
  command.Add("name", "NAME", "Its name: letters, digits, dots, - and _", &to->name).Required();
  command.Add("--dir", "DIR", "The folder for the files; created if it is absent", &to->folder);
  command.Add("--kind", base::Join(NewKinds(), "|"),
              "A saved query; one that takes callers' SQL; or one over a log of your own, nginx's access log, or "
              "Cloudflare's Logpush",
              &to->kind);
  command.footer =
      "Examples:\n  logquery new errors.by-path --dir endpoints && logquery check endpoints\n"
      "  logquery new web.paths --kind nginx --dir endpoints && logquery test endpoints";
  AddReporting(command, to->reporting);
  command.Runs(to, RunNew);
  return command;
}

CommandNode DeclareImport() {
  CommandNode import("import", "Imports definitions from another program.");
  auto to = std::make_shared<ImportArguments>();
  CommandNode command(
      "import endpoints",
      "Converts Logflare's endpoints into definitions, from .sql files or from the JSON of its endpoints API.");
  command.Add("path", "PATH", "NAME.sql, a JSON file, or a folder of them", &to->path).Required();
  command.Add("--dir", "DIR", "The folder for the definitions; created if it is absent", &to->folder);
  command.Add("--table", "FROM=TO", "Let queries read the table TO instead of FROM; may be given again", &to->tables)
      .Takes(ValueCount::kOneEachTime);
  command.Add("--schema", "FILE", "A file that declares further logs; without it schema.json in the folder",
              &to->schema);
  command.footer =
      "Exit code: 0 all are imported, 3 some are not, 1 failure.\n"
      "Example:\n  logquery import endpoints usage.sql --dir endpoints --table "
      "cloudflare.logs.staging=cloudflare.logs.prod";
  AddReporting(command, to->reporting);
  command.Runs(to, RunImport);

  auto rows = std::make_shared<ImportRowsArguments>();
  CommandNode of_rows("import rows",
                      "Stores the rows that Logflare has in PostgreSQL, each once: a run that ended early, or that new "
                      "rows came after, can be repeated.");
  of_rows
      .Add("--from-postgres", "DSN",
           "Its connection string, such as postgres://reader@db.internal:5432/logs; without a password", &rows->dsn)
      .Required();
  of_rows.Add("--password-file", "FILE", "A file that contains the password; without it PGPASSWORD does",
              &rows->password_file);
  of_rows.Add("--from-schema", "NAME", "Only this schema's tables, such as _analytics", &rows->schema_on_server);
  of_rows.Add("--data", "DIR", "The data folder; created if it is absent", &rows->data).Required();
  of_rows
      .Add("--source", "SOURCE=LOG",
           "The log that a source's rows go into, by its name, UUID or table; without it the one of its name",
           &rows->sources)
      .Takes(ValueCount::kOneEachTime);
  of_rows.Add("--schema", "FILE", "A file that declares further logs; the folder keeps the declarations",
              &rows->schema);
  of_rows.AddFlag("--dry-run", "Only list the sources, their rows and where they would go", &rows->dry_run);
  of_rows.footer =
      "Exit code: 0 all rows are in, 3 some were rejected (they are kept in DIR/rejected) or a source has no log, 1 "
      "failure.\n"
      "Example:\n  logquery import rows --from-postgres 'postgres://reader@db/_supabase?sslmode=disable' --data data";
  AddReporting(of_rows, rows->reporting);
  of_rows.Runs(rows, RunImportRows);
  import.commands = {std::move(command), std::move(of_rows)};
  return import;
}

CommandNode DeclareDiff() {
  auto to = std::make_shared<DiffArguments>();
  CommandNode command("diff", "Reports what changes for callers when the definitions in NEW replace those in OLD.");
  command.Add("old", "OLD", "A folder of definitions", &to->before).Required();
  command.Add("new", "NEW", "Another", &to->after).Required();
  AddFormat(command, to->format, "text", "text for people, or json for programs");
  to->built_in = true;
  command.AddFlag("--no-builtin", "Without the built-in definitions", [to] { to->built_in = false; });
  command.footer =
      "A line that begins with ! is a change that may make calls fail.\n"
      "Exit code: 0 no such change, 3 there is one, 1 the definitions cannot be compared.\n"
      "Example:\n  logquery diff deployed/endpoints endpoints";
  command.Runs(to, RunDiff);
  return command;
}

CommandNode DeclareTest() {
  auto to = std::make_shared<DefinitionTestArguments>();
  CommandNode command(
      "test", "Runs the test cases of NAME.cases.json in a separate engine: given rows, expected rows or error.");
  command.Add("folder", "DIR", "The folder of definitions", &to->folder).Required();
  command.Add("names", "NAME…", "Only the cases of these definitions", &to->names);
  command.AddFlag("--update", "Write the actual results of failing cases into their files; review the difference",
                  &to->update);
  command.Add("--junit", "FILE", "Also write the results as JUnit XML, for CI", &to->junit);
  to->built_in = true;
  command.AddFlag("--no-builtin", "Without the built-in definitions", [to] { to->built_in = false; });
  command.footer =
      "Exit code: 0 all passed, 3 some failed, 1 they cannot be run, 2 a file of cases has an error.\n"
      "Example:\n  logquery test endpoints --junit outcome.xml";
  AddReporting(command, to->reporting);
  command.Runs(to, RunDefinitionTests);
  return command;
}

CommandNode DeclareTranslate() {
  auto to = std::make_shared<TranslateArguments>();
  CommandNode command("translate", "Translates a query from the BigQuery dialect to the engine's SQL.");
  command.Add("file", "FILE", "The query; standard input without it", &to->file);
  command.Add("--endpoint", "NAME", "Without FILE: this endpoint's query; with it: SQL over its logs", &to->endpoint);
  command.Add("--endpoints", "DIR", "A folder of further definitions", &to->endpoints);
  command.Add("--dialect", base::Join(DialectNames(), "|"),
              "The SQL to translate to; without it DuckDB's, or the backend's", &to->dialect);
  command
      .Add("--backend", "FILE",
           "A JSON file that describes an engine, whose tables and dialect are used; without it the declared logs",
           &to->backend)
      .Excludes("--dialect");
  command.Add("--without", "PASS", "Leave a pass out, to see its effect; may be given again", &to->without)
      .Takes(ValueCount::kOneEachTime);
  command.AddFlag("--explain", "The query after each pass", &to->explain);
  command.Add(
      "--from", "bigquery|clickhouse",
      "Rewrite a saved query of logs.all or logs.all.otel in the other language, as SQL to keep; without it the "
      "engine's SQL is shown",
      &to->from);
  command.Add("--to", "bigquery|clickhouse", "The language to rewrite in; only with --from", &to->to);
  command.AddFlag("--rows-have-metadata",
                  "Every row has metadata, so that CROSS JOIN UNNEST(metadata) drops none; without it that is refused",
                  &to->rows_have_metadata);
  command.Add("--layout", "logs", "The tables of the ClickHouse SQL: one table logs, also without this option",
              &to->layout);
  command.footer =
      "Examples:\n  echo 'select count(*) from edge_logs' | logquery translate --endpoint logs.all -\n"
      "  echo 'select count(*) from edge_logs' | logquery translate --from bigquery --to clickhouse --layout logs -\n"
      "  logquery translate --endpoint usage.api-counts --explain\n"
      "  logquery translate --endpoint usage.api-counts --dialect googlesql\n"
      "  logquery translate --endpoints endpoints --endpoint errors.by-path";
  command.Runs(to, RunTranslate);
  return command;
}

CommandNode DeclareSchema() {
  auto to = std::make_shared<SchemaArguments>();
  CommandNode command("schema",
                      "Prints the statements that create the logs' tables in another engine, and a user that may only "
                      "read them; or, with --infer, a schema file that declares a log of your own by its rows.");
  command.Add("--dialect", base::Join(SchemaDialects(), "|"), "The engine; required without --infer", &to->dialect);
  command.Add("--schema", "FILE", "The file that declares the logs; without it the nine built-in ones", &to->schema);
  command.Add("--database", "NAME", "The database, schema or dataset that the tables stand in", &to->database);
  command.Add("--reader", "NAME", "The user or role that logquery connects as", &to->reader);
  command.Add("--days", "N", "How many days rows are kept; without it forever", &to->days)
      .Between(1, 36'500)
      .fallback.clear();
  command.Add("--layout", "otel",
              "One table of all logs with their fields in a map, as Logflare's OTel layout has them, for ClickHouse; "
              "without it a table for each log",
              &to->layout);
  command.AddFlag("--backend-file", "Print a file for --backend that names these tables", &to->backend_file);
  command.Add("--infer", "FILE…",
              "NDJSON files of one log, or - for standard input; without it the engine's statements are printed",
              &to->infer);
  command.Add("--log", "NAME", "The log's name; without it that of the first file", &to->log);
  command.Add("--time", "FIELD", "The field that has the rows' times; without it the one that looks like it",
              &to->time);
  command.Add("--project", "PATH", "The field that says whose a row is, such as meta.tenant; without it project",
              &to->project);
  command
      .Add("--out", "FILE",
           "Write the declaration into this file, which must not be there with another; standard output without it, or "
           "with -",
           &to->out)
      .Needs("--infer");
  command.footer =
      "Examples:\n  logquery schema --dialect postgres | psql -v ON_ERROR_STOP=1 --single-transaction DATABASE\n"
      "  logquery schema --dialect postgres --backend-file >postgres.json\n"
      "  logquery schema --infer app_logs.ndjson --out endpoints/schema.json";
  command.Runs(to, RunSchema);
  return command;
}

CommandNode DeclareCodegen() {
  auto to = std::make_shared<CodegenArguments>();
  CommandNode command(
      "codegen",
      "Writes a typed client from definitions: types of parameters and rows, and a method for each endpoint.");
  // RunCodegen checks it, with near names.
  command
      .Add("--lang", base::Join(CodegenLanguages(), "|"), "The language: a C++20 header, or a TypeScript module",
           &to->language)
      .Required()
      .only_choices = false;
  command.Add("names", "ENDPOINT…", "Only these endpoints, by name or id; without it all", &to->names);
  command.Add("--endpoints", "DIR", "A folder of further definitions", &to->endpoints);
  command.Add("--schema", "FILE", "A file that declares further logs; without it schema.json in the folder",
              &to->schema);
  command.AddFlag("--no-builtin", "Only the definitions of --endpoints", [to] { to->built_in = false; });
  command.Add("--out", "FILE", "The file to write; standard output without it, or with -", &to->out);
  command.Add("--int64", "number|bigint",
              "In TypeScript, the type of an INT64 in a row; without it number, and an integer beyond 2^53 is an error",
              &to->int64);
  command.footer =
      "The same definitions give the same bytes. Exit code: 0 written, 1 the definitions have errors or FILE can't be "
      "written.\n"
      "Examples:\n  logquery codegen --lang cpp --out logquery_client.h\n"
      "  logquery codegen --lang typescript --endpoints endpoints --out client.ts requests.by-status";
  command.Runs(to, RunCodegen);
  return command;
}

}  // namespace logquery::shim
