// The command verify: rewrites queries, runs both forms and compares their rows.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/result_order.h"
#include "lib/tools/rewrite_sql/compare_forms.h"
#include "lib/tools/rewrite_sql/rewrite_sql.h"
#include "logquery/query_service.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/query/sql_input.h"
#include "shim/cli/serve/backend_option.h"
#include "shim/cli/serve/deployment_options.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::StrCat;

constexpr std::string_view kBigQuery = "bigquery";
constexpr std::string_view kEndpoints[] = {"logs.all", "logs.all.otel"};
constexpr int kWidth = 1'000;  // of a line of the report

enum class Outcome { kEqual, kDiffers, kNotRewritten, kFails };
constexpr std::pair<Outcome, std::string_view> kOutcomes[] = {{Outcome::kEqual, "equal"},
                                                              {Outcome::kDiffers, "differs"},
                                                              {Outcome::kNotRewritten, "not rewritten"},
                                                              {Outcome::kFails, "fails"}};

std::string_view NameOf(Outcome outcome) { return kOutcomes[static_cast<size_t>(outcome)].second; }

struct Verdict {
  std::string file;
  Outcome outcome = Outcome::kEqual;
  int64_t rows = 0;
  std::string why;  // empty: equal
};

// The arguments of the command line: files in order, and parameters.
struct Given {
  std::vector<std::string> files;
  ParameterTexts parameters;
};

absl::Status AddFolder(const std::string& folder, std::vector<std::string>& files) {
  std::error_code error;
  std::vector<std::string> found;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_regular_file(error) && at->path().extension() == ".sql") found.push_back(at->path().string());
  }
  if (error) return absl::NotFoundError(StrCat("can't read the folder ", folder, ": ", error.message()));
  if (found.empty()) return absl::NotFoundError(StrCat("the folder ", folder, " has no file *.sql"));
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
  return absl::OkStatus();
}

// KEY=VALUE is a parameter if the endpoint has one of that name; everything else is a file or a folder.
absl::StatusOr<Given> ReadGiven(const std::vector<std::string>& texts, const Endpoint& endpoint) {
  Given given;
  for (const std::string& text : texts) {
    const std::string key = text.substr(0, text.find('='));
    const bool is_parameter =
        key.size() < text.size() && key != "sql" &&
        std::any_of(endpoint.parameters.begin(), endpoint.parameters.end(),
                    [&](const Parameter& known) { return known.name == key && !known.computed.has_value(); });
    if (is_parameter) {
      given.parameters.emplace_back(key, text.substr(key.size() + 1));
      continue;
    }
    std::error_code error;
    if (fs::is_directory(text, error)) {
      LOGQUERY_RETURN_IF_ERROR(AddFolder(text, given.files));
    } else {
      given.files.push_back(text);
    }
  }
  if (given.files.empty())
    return absl::InvalidArgumentError("say what to verify: files with a query each, or folders of *.sql");
  return given;
}

class Verifier {
 public:
  Verifier(QueryService& service, const VerifyArguments& arguments, ParameterTexts parameters)
      : service_(service),
        registry_(service.registry()),
        forth_(arguments.from == kBigQuery),
        parameters_(std::move(parameters)) {
    options_.rows_have_metadata = arguments.rows_have_metadata;
  }

  Verdict Check(std::string file, const std::string& sql) {
    Verdict verdict;
    verdict.file = std::move(file);
    const absl::StatusOr<tools::RewrittenSql> rewritten =
        forth_ ? tools::RewriteToClickHouse(sql, registry_->catalog(), options_)
               : tools::RewriteToBigQuery(sql, registry_->catalog());
    if (!rewritten.ok()) {
      verdict.outcome = Outcome::kNotRewritten;
      verdict.why = base::Message(rewritten.status());
      return verdict;
    }
    const absl::StatusOr<QueryAnswer> original = Run(sql, forth_ ? 0 : 1);
    if (!original.ok()) {
      verdict.outcome = Outcome::kFails;
      verdict.why = base::Message(original.status());
      return verdict;
    }
    verdict.rows = original->rows;
    const absl::StatusOr<QueryAnswer> other = Run(rewritten->sql, forth_ ? 1 : 0);
    if (!other.ok()) {
      verdict.why = StrCat("the rewritten query fails: ", base::Message(other.status()));
    } else {
      const std::string& bigquery_sql = forth_ ? sql : rewritten->sql;
      verdict.why = Difference(forth_ ? *original : *other, forth_ ? *other : *original, bigquery_sql);
    }
    if (!verdict.why.empty()) verdict.outcome = Outcome::kDiffers;
    return verdict;
  }

 private:
  absl::StatusOr<QueryAnswer> Run(const std::string& sql, size_t endpoint) {
    QueryRequest request;
    request.endpoint = std::string(kEndpoints[endpoint]);
    request.parameters = parameters_;
    request.parameters.emplace_back("sql", sql);
    return service_.Run(request);
  }

  std::string Difference(const QueryAnswer& bigquery, const QueryAnswer& clickhouse, const std::string& sql) const {
    // ClickHouse names a column without a name by its expression, which is no name in BigQuery.
    const endpoint::ResultOrder order = endpoint::OrderOf(sql);
    std::string difference =
        tools::FormDifference({bigquery.body, bigquery.schema}, {clickhouse.body, clickhouse.schema}, {order, forth_});
    if (difference.empty()) return difference;
    if (bigquery.truncated || order.limited) {
      base::StrAppend(&difference, "; only some of the rows are ", order.limited ? "taken by LIMIT" : "in the answer",
                      ": which ones is not defined unless ORDER BY tells all rows apart");
    }
    return difference;
  }

  QueryService& service_;
  const std::shared_ptr<const EndpointRegistry> registry_;
  const bool forth_;
  const ParameterTexts parameters_;
  tools::RewriteOptions options_;
};

int64_t CountOf(const std::vector<Verdict>& verdicts, Outcome outcome) {
  return std::count_if(verdicts.begin(), verdicts.end(), [&](const Verdict& v) { return v.outcome == outcome; });
}

void PrintText(const std::vector<Verdict>& verdicts, std::ostream& out) {
  constexpr size_t kColumn = 15;
  for (const Verdict& verdict : verdicts) {
    std::string head(NameOf(verdict.outcome));
    head.resize(std::max(head.size() + 2, kColumn), ' ');
    const std::string text =
        verdict.why.empty() ? StrCat(WithCommas(verdict.rows), verdict.rows == 1 ? " row" : " rows") : verdict.why;
    out << head << OneLine(StrCat(verdict.file, ": ", text), kWidth) << "\n";
  }
  std::vector<std::string> counts;
  for (const auto& [outcome, name] : kOutcomes) {
    const int64_t count = CountOf(verdicts, outcome);
    if (count > 0) counts.push_back(StrCat(count, " ", name));
  }
  out << verdicts.size() << (verdicts.size() == 1 ? " query: " : " queries: ") << base::Join(counts, ", ") << "\n";
}

void PrintJson(const std::vector<Verdict>& verdicts, std::ostream& out) {
  Json queries = Json::array();
  for (const Verdict& verdict : verdicts) {
    Json query = {{"file", verdict.file}, {"outcome", NameOf(verdict.outcome)}};
    const bool ran = verdict.outcome == Outcome::kEqual || verdict.outcome == Outcome::kDiffers;
    if (ran) query["rows"] = verdict.rows;
    if (!verdict.why.empty()) query["why"] = verdict.why;
    queries.push_back(std::move(query));
  }
  Json report = {{"queries", std::move(queries)}};
  for (const auto& [outcome, name] : kOutcomes) {
    std::string key(name);
    std::replace(key.begin(), key.end(), ' ', '_');
    report[key] = CountOf(verdicts, outcome);
  }
  out << report.ToString() << "\n";
}

}  // namespace

int RunVerify(const VerifyArguments& given_arguments, const Terminal& terminal) {
  VerifyArguments arguments = given_arguments;
  if (const absl::Status backend = ReadBackend(arguments.service); !backend.ok()) return Fail(terminal, backend);
  const absl::StatusOr<std::unique_ptr<Deployment>> deployment = OpenToRead(arguments.service);
  if (!deployment.ok()) return Fail(terminal, deployment.status());
  QueryService& service = (*deployment)->service();
  const RegisteredEndpoint* endpoints[2];
  for (size_t i = 0; i < 2; ++i) {
    endpoints[i] = service.registry()->Find(std::string(kEndpoints[i]));
    if (endpoints[i] == nullptr) {
      return Fail(terminal, absl::InvalidArgumentError(
                                StrCat("there is no endpoint ", kEndpoints[i], "; both forms of a query run there")));
    }
  }
  const absl::StatusOr<Given> given = ReadGiven(arguments.given, endpoints[0]->definition());
  if (!given.ok()) return Fail(terminal, given.status());
  Verifier verifier(service, arguments, given->parameters);
  std::vector<Verdict> verdicts;
  for (const std::string& file : given->files) {
    const absl::StatusOr<std::string> sql = ReadSql(file, terminal.in);
    if (!sql.ok()) return Fail(terminal, sql.status());
    verdicts.push_back(verifier.Check(file, *sql));
  }
  if (arguments.format == "json") {
    PrintJson(verdicts, terminal.out);
  } else {
    PrintText(verdicts, terminal.out);
  }
  const bool all_equal = CountOf(verdicts, Outcome::kEqual) == static_cast<int64_t>(verdicts.size());
  return all_equal ? kExitOk : kExitFindings;
}

}  // namespace logquery::shim
