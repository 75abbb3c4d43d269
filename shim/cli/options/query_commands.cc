// The options of commands for authors of queries.
#include <memory>
#include <string>

#include "lib/base/strings.h"
#include "shim/cli/migrate/import_command.h"
#include "shim/cli/options/command_options.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

void AddCheck(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Checks definitions of endpoints, or a caller's SQL.");
  command->add_option("path", to->path, "A folder of NAME.json with NAME.sql; with --sandbox: a file of SQL")
      ->option_text("DIR|FILE");
  CLI::Option* built_in = command->add_flag("--builtin", to->built_in, "Check the three built-in definitions");
  CLI::Option* none =
      command->add_flag("--no-builtin", to->no_built_in, "Check the folder alone, without the built-in definitions");
  none->excludes(built_in);
  CLI::Option* sandbox = command
                             ->add_option("--sandbox", to->sandbox,
                                          "Check whether this endpoint would run the SQL on standard input or in FILE; "
                                          "without it definitions are checked")
                             ->excludes(built_in)
                             ->excludes(none)
                             ->option_text("ENDPOINT");
  command->add_option("--endpoints", to->endpoints, "A folder of further definitions")
      ->needs(sandbox)
      ->option_text("DIR");
  command
      ->add_option("--backend", to->backend,
                   "A JSON file that describes an engine, whose tables are used; without it the declared logs")
      ->option_text("FILE");
  command->add_option("--schema", to->schema, "A file that declares further logs; without it schema.json in the folder")
      ->option_text("FILE");
  AddFormat(command, to->format, "text",
            "Of the verdict, the endpoints and what was found: text for people, or json for programs");
  command->add_flag("--functions", to->functions, "Print which functions queries may call, as a table in Markdown")
      ->excludes(built_in)
      ->excludes(sandbox);
  command->footer(
      "Errors and warnings are FILE:LINE:COLUMN: MESSAGE. Exit code: 0 no error, or the SQL is allowed; 1 not.\n"
      "Examples:\n  logquery check --builtin\n  logquery check endpoints\n"
      "  echo 'select id from edge_logs' | logquery check --sandbox logs.all");
  OnParsed(command, to, RunCheck, chosen);
}

void AddNew(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<NewArguments>();
  CLI::App* command =
      app.add_subcommand("new", "Writes an example definition: NAME.json, NAME.sql with comments, and test cases.");
  command->add_option("name", to->name, "Its name: letters, digits, dots, - and _")->required()->option_text("NAME");
  command->add_option("--dir", to->folder, "The folder for the files; created if it is absent")
      ->capture_default_str()
      ->option_text("DIR");
  command->footer("Example:\n  logquery new errors.by-path --dir endpoints && logquery check endpoints");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunNew, chosen);
}

void AddImport(CLI::App& app, Chosen& chosen) {
  CLI::App* import = app.add_subcommand("import", "Imports definitions from another program.");
  import->require_subcommand(1);
  auto to = std::make_shared<ImportArguments>();
  CLI::App* command = import->add_subcommand(
      "endpoints",
      "Converts Logflare's endpoints into definitions, from .sql files or from the JSON of its endpoints API.");
  command->add_option("path", to->path, "NAME.sql, a JSON file, or a folder of them")->required()->option_text("PATH");
  command->add_option("--dir", to->folder, "The folder for the definitions; created if it is absent")
      ->capture_default_str()
      ->option_text("DIR");
  command->add_option("--table", to->tables, "Let queries read the table TO instead of FROM; may be given again")
      ->allow_extra_args(false)
      ->option_text("FROM=TO");
  command->add_option("--schema", to->schema, "A file that declares further logs; without it schema.json in the folder")
      ->option_text("FILE");
  command->footer(
      "Exit code: 0 all are imported, 3 some are not, 1 failure.\n"
      "Example:\n  logquery import endpoints usage.sql --dir endpoints --table "
      "cloudflare.logs.staging=cloudflare.logs.prod");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunImport, chosen);

  auto rows = std::make_shared<ImportRowsArguments>();
  CLI::App* of_rows = import->add_subcommand("rows",
                                             "Stores the rows that Logflare has in PostgreSQL, each once: a run that "
                                             "ended early, or that new rows came after, can be "
                                             "repeated.");
  of_rows
      ->add_option("--from-postgres", rows->dsn,
                   "Its connection string, such as postgres://reader@db.internal:5432/logs; without a password")
      ->required()
      ->option_text("DSN");
  of_rows
      ->add_option("--password-file", rows->password_file,
                   "A file that contains the password; without it PGPASSWORD does")
      ->option_text("FILE");
  of_rows->add_option("--from-schema", rows->schema_on_server, "Only this schema's tables, such as _analytics")
      ->option_text("NAME");
  of_rows->add_option("--data", rows->data, "The data folder; created if it is absent")->required()->option_text("DIR");
  of_rows
      ->add_option("--source", rows->sources,
                   "The log that a source's rows go into, by its name, UUID or table; without it the one of its name")
      ->allow_extra_args(false)
      ->option_text("SOURCE=LOG");
  of_rows->add_option("--schema", rows->schema, "A file that declares further logs; the folder keeps the declarations")
      ->option_text("FILE");
  of_rows->add_flag("--dry-run", rows->dry_run, "Only list the sources, their rows and where they would go");
  of_rows->footer(
      "Exit code: 0 all rows are in, 3 some were rejected (they are kept in DIR/rejected) or a source has no log, 1 "
      "failure.\n"
      "Example:\n  logquery import rows --from-postgres 'postgres://reader@db/_supabase?sslmode=disable' --data data");
  AddReporting(of_rows, rows->reporting);
  OnParsed(of_rows, rows, RunImportRows, chosen);
}

void AddDiff(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<DiffArguments>();
  CLI::App* command =
      app.add_subcommand("diff", "Reports what changes for callers when the definitions in NEW replace those in OLD.");
  command->add_option("old", to->before, "A folder of definitions")->required()->option_text("OLD");
  command->add_option("new", to->after, "Another")->required()->option_text("NEW");
  AddFormat(command, to->format, "text", "text for people, or json for programs");
  to->built_in = true;
  command->add_flag_callback(
      "--no-builtin", [arguments = to.get()] { arguments->built_in = false; }, "Without the built-in definitions");
  command->footer(
      "A line that begins with ! is a change that may make calls fail.\n"
      "Exit code: 0 no such change, 3 there is one, 1 the definitions cannot be compared.\n"
      "Example:\n  logquery diff deployed/endpoints endpoints");
  OnParsed(command, to, RunDiff, chosen);
}

void AddTest(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<DefinitionTestArguments>();
  CLI::App* command = app.add_subcommand(
      "test", "Runs the test cases of NAME.cases.json in a separate engine: given rows, expected rows or error.");
  command->add_option("folder", to->folder, "The folder of definitions")->required()->option_text("DIR");
  command->add_option("names", to->names, "Only the cases of these definitions")->option_text("NAME…");
  command->add_flag("--update", to->update,
                    "Write the actual results of failing cases into their files; review the difference");
  command->add_option("--junit", to->junit, "Also write the results as JUnit XML, for CI")->option_text("FILE");
  to->built_in = true;
  command->add_flag_callback(
      "--no-builtin", [arguments = to.get()] { arguments->built_in = false; }, "Without the built-in definitions");
  command->footer(
      "Exit code: 0 all passed, 3 some failed, 1 they cannot be run, 2 a file of cases has an error.\n"
      "Example:\n  logquery test endpoints --junit outcome.xml");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunDefinitionTests, chosen);
}

void AddTranslate(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<TranslateArguments>();
  CLI::App* command =
      app.add_subcommand("translate", "Translates a query from the BigQuery dialect to the engine's SQL.");
  command->add_option("file", to->file, "The query; standard input without it")->option_text("FILE");
  command->add_option("--endpoint", to->endpoint, "Without FILE: this endpoint's query; with it: SQL over its logs")
      ->option_text("NAME");
  command->add_option("--endpoints", to->endpoints, "A folder of further definitions")->option_text("DIR");
  CLI::Option* dialect =
      command->add_option("--dialect", to->dialect, "The SQL to translate to; without it DuckDB's, or the backend's")
          ->check(CLI::IsMember(DialectNames()))
          ->option_text(base::Join(DialectNames(), "|"));
  command
      ->add_option(
          "--backend", to->backend,
          "A JSON file that describes an engine, whose tables and dialect are used; without it the declared logs")
      ->excludes(dialect)
      ->option_text("FILE");
  command->add_option("--without", to->without, "Leave a pass out, to see its effect; may be given again")
      ->allow_extra_args(false)
      ->option_text("PASS");
  command->add_flag("--explain", to->explain, "The query after each pass");
  command->footer(
      "Examples:\n  echo 'select count(*) from edge_logs' | logquery translate --endpoint logs.all -\n"
      "  logquery translate --endpoint usage.api-counts --explain\n"
      "  logquery translate --endpoint usage.api-counts --dialect googlesql\n"
      "  logquery translate --endpoints endpoints --endpoint errors.by-path");
  OnParsed(command, to, RunTranslate, chosen);
}

void AddSchema(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<SchemaArguments>();
  CLI::App* command = app.add_subcommand("schema",
                                         "Prints the statements that create the logs' tables in another engine, and a "
                                         "user that may only read them; or, with "
                                         "--infer, a schema file that declares a log of your own by its rows.");
  command->add_option("--dialect", to->dialect, "The engine; required without --infer")
      ->check(CLI::IsMember(SchemaDialects()))
      ->option_text(base::Join(SchemaDialects(), "|"));
  command->add_option("--schema", to->schema, "The file that declares the logs; without it the nine built-in ones")
      ->option_text("FILE");
  command->add_option("--database", to->database, "The database, schema or dataset that the tables stand in")
      ->capture_default_str()
      ->option_text("NAME");
  command->add_option("--reader", to->reader, "The user or role that logquery connects as")
      ->capture_default_str()
      ->option_text("NAME");
  command->add_option("--days", to->days, "How many days rows are kept; without it forever")
      ->check(CLI::Range(1, 36'500))
      ->option_text("N");
  command->add_flag("--backend-file", to->backend_file, "Print a file for --backend that names these tables");
  command
      ->add_option("--infer", to->infer,
                   "NDJSON files of one log, or - for standard input; without it the engine's statements are printed")
      ->option_text("FILE…");
  command->add_option("--log", to->log, "The log's name; without it that of the first file")->option_text("NAME");
  command->add_option("--time", to->time, "The field that has the rows' times; without it the one that looks like it")
      ->option_text("FIELD");
  command
      ->add_option("--project", to->project,
                   "The field that says whose a row is, such as meta.tenant; without it project")
      ->option_text("PATH");
  command->footer(
      "Examples:\n  logquery schema --dialect postgres | psql -v ON_ERROR_STOP=1 --single-transaction DATABASE\n"
      "  logquery schema --dialect postgres --backend-file >postgres.json\n"
      "  logquery schema --infer app_logs.ndjson >endpoints/schema.json");
  OnParsed(command, to, RunSchema, chosen);
}

void AddCodegen(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<CodegenArguments>();
  CLI::App* command = app.add_subcommand(
      "codegen",
      "Writes a typed client from definitions: types of parameters and rows, and a method for each endpoint.");
  // RunCodegen checks it, with near names.
  command->add_option("--lang", to->language, "The language: a C++20 header, or a TypeScript module")
      ->required()
      ->option_text(base::Join(CodegenLanguages(), "|"));
  command->add_option("names", to->names, "Only these endpoints, by name or id; without it all")
      ->option_text("ENDPOINT…");
  command->add_option("--endpoints", to->endpoints, "A folder of further definitions")->option_text("DIR");
  command->add_option("--schema", to->schema, "A file that declares further logs; without it schema.json in the folder")
      ->option_text("FILE");
  command->add_flag_callback(
      "--no-builtin", [arguments = to.get()] { arguments->built_in = false; }, "Only the definitions of --endpoints");
  command->add_option("--out", to->out, "The file to write; standard output without it, or with -")
      ->capture_default_str()
      ->option_text("FILE");
  command
      ->add_option(
          "--int64", to->int64,
          "In TypeScript, the type of an INT64 in a row; without it number, and an integer beyond 2^53 is an error")
      ->check(CLI::IsMember({"number", "bigint"}))
      ->option_text("number|bigint");
  command->footer(
      "The same definitions give the same bytes. Exit code: 0 written, 1 the definitions have errors or FILE can't be "
      "written.\n"
      "Examples:\n  logquery codegen --lang cpp --out logquery_client.h\n"
      "  logquery codegen --lang typescript --endpoints endpoints --out client.ts requests.by-status");
  OnParsed(command, to, RunCodegen, chosen);
}

}  // namespace logquery::shim
