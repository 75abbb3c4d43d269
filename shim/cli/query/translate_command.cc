// The command translate: prints a query in an engine's dialect, with its passes on request.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/own_logs_file.h"
#include "lib/tools/rewrite_sql/rewrite_sql.h"
#include "lib/tools/translate.h"
#include "logquery/endpoint.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/nearest_names.h"
#include "shim/cli/query/definitions.h"
#include "shim/cli/query/sql_input.h"
#include "shim/cli/serve/backend_option.h"

namespace logquery::shim {
namespace {

constexpr Dialect kDialects[] = {Dialect::kDuckDb, Dialect::kGoogleSql, Dialect::kBigQuery};

// The dialect that is asked for by name, or that of the backend.
Dialect DialectFor(const std::string& name, Dialect backends) {
  for (const Dialect dialect : kDialects) {
    if (DialectName(dialect) == name) return dialect;
  }
  return backends;
}

absl::Status CheckPasses(const std::vector<std::string>& without) {
  const std::vector<std::string> names = endpoint::PassNames();
  for (const std::string& name : without) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return absl::InvalidArgumentError(
        base::StrCat("there is no pass ", name, DidYouMean(name, names), "\nThe passes: ", base::Join(names, ", ")));
  }
  return absl::OkStatus();
}

void PrintResult(const endpoint::TranslateResult& result, std::ostream& out) {
  const QueryExplanation& explanation = result.explanation;
  for (const auto& [pass, text] : explanation.passes) out << "-- after " << pass << "\n" << text << "\n\n";
  for (const QueryExplanation::Part& part : explanation.parts) {
    out << "-- there, as " << part.table << "\n" << part.text << "\n";
    for (size_t i = 0; i < part.variables.size(); ++i) {
      out << "-- variable " << i + 1 << ": " << part.variables[i] << "\n";
    }
    if (!part.then_here.empty()) out << "-- then here: " << part.then_here << "\n";
    out << "\n";
  }
  if (!explanation.parts.empty()) {
    out << "-- here\n";
  } else if (!explanation.passes.empty()) {
    out << "-- for the engine\n";
  }
  out << result.dialect_text << "\n";
  for (size_t i = 0; i < result.slots.size(); ++i) {
    out << "-- $" << i + 1 << ": " << result.slots[i].name << " " << result.slots[i].type.ToString() << "\n";
  }
  if (!explanation.kept.empty()) out << "-- kept: " << explanation.kept << "\n";
}

constexpr std::string_view kBigQuery = "bigquery";
constexpr std::string_view kClickHouse = "clickhouse";

absl::Status CheckRewrite(const TranslateArguments& arguments) {
  const bool forth = arguments.from == kBigQuery && arguments.to == kClickHouse;
  const bool back = arguments.from == kClickHouse && arguments.to == kBigQuery;
  if (!forth && !back) {
    return absl::InvalidArgumentError(
        base::StrCat("--from and --to name the two languages, bigquery and clickhouse, not '", arguments.from,
                     "' and '", arguments.to, "'"));
  }
  const bool engine = !arguments.endpoint.empty() || !arguments.dialect.empty() || !arguments.without.empty() ||
                      arguments.explain || !arguments.backend.empty();
  if (engine) {
    return absl::InvalidArgumentError(
        "--from and --to rewrite a caller's query; --endpoint, --dialect, --backend, --without and --explain are about "
        "an engine's SQL");
  }
  return absl::OkStatus();
}

// Prints the query in the other language, and the notes on standard error.
int RunRewrite(const TranslateArguments& arguments, const Terminal& terminal) {
  if (const absl::Status status = CheckRewrite(arguments); !status.ok()) return Fail(terminal, status);
  const absl::StatusOr<std::string> sql = ReadSql(arguments.file, terminal.in);
  if (!sql.ok()) return Fail(terminal, sql.status());
  const absl::StatusOr<Catalog> catalog = endpoint::AddOwnLogs(Catalog::DeclaredLogs(), "", arguments.endpoints);
  if (!catalog.ok()) return Fail(terminal, catalog.status());
  tools::RewriteOptions options;
  options.rows_have_metadata = arguments.rows_have_metadata;
  const absl::StatusOr<tools::RewrittenSql> rewritten = arguments.to == kClickHouse
                                                            ? tools::RewriteToClickHouse(*sql, *catalog, options)
                                                            : tools::RewriteToBigQuery(*sql, *catalog);
  if (!rewritten.ok()) {
    Fail(terminal, rewritten.status());
    return kExitFailed;
  }
  terminal.out << rewritten->sql << "\n";
  for (const tools::RewriteNote& note : rewritten->notes) {
    terminal.err << "note: line " << note.line << ", column " << note.column << ": " << note.text << "\n";
  }
  return kExitOk;
}

}  // namespace

std::vector<std::string> DialectNames() {
  std::vector<std::string> names;
  for (const Dialect dialect : kDialects) names.emplace_back(DialectName(dialect));
  return names;
}

int RunTranslate(const TranslateArguments& arguments, const Terminal& terminal) {
  if (!arguments.from.empty() || !arguments.to.empty()) return RunRewrite(arguments, terminal);
  if (!arguments.layout.empty())
    return Fail(terminal, absl::InvalidArgumentError("--layout goes with --from and --to"));
  if (absl::Status status = CheckPasses(arguments.without); !status.ok()) return Fail(terminal, status);
  const absl::StatusOr<std::vector<Endpoint>> endpoints = AllDefinitions(arguments.endpoints);
  if (!endpoints.ok()) return Fail(terminal, endpoints.status());
  endpoint::TranslateOptions options;
  std::vector<std::string> names;
  for (const Endpoint& known : *endpoints) {
    names.push_back(known.name);
    if (known.name == arguments.endpoint || known.id == arguments.endpoint) options.endpoint = &known;
  }
  if (!arguments.endpoint.empty() && options.endpoint == nullptr) {
    return Fail(terminal, absl::InvalidArgumentError(base::StrCat("there is no endpoint ", arguments.endpoint,
                                                                  DidYouMean(arguments.endpoint, names))));
  }
  if (options.endpoint == nullptr || !arguments.file.empty()) {
    absl::StatusOr<std::string> sql = ReadSql(arguments.file, terminal.in);
    if (!sql.ok()) return Fail(terminal, sql.status());
    options.sql = *std::move(sql);
  }
  absl::StatusOr<BackendTables> tables = TablesOf(arguments.backend);
  if (!tables.ok()) return Fail(terminal, tables.status());
  absl::StatusOr<Catalog> catalog = endpoint::AddOwnLogs(tables->catalog, "", arguments.endpoints);
  if (!catalog.ok()) return Fail(terminal, catalog.status());
  options.catalog = *std::move(catalog);
  options.dialect = DialectFor(arguments.dialect, tables->backend.dialect);
  if (arguments.dialect.empty()) options.fragments = tables->backend.fragments;
  options.without = arguments.without;
  options.explain = arguments.explain;
  const absl::StatusOr<endpoint::TranslateResult> result = endpoint::Translate(options);
  if (!result.ok()) {
    Fail(terminal, result.status());
    return kExitFailed;  // the command line was right, the query is not
  }
  PrintResult(*result, terminal.out);
  return kExitOk;
}

}  // namespace logquery::shim
