// Validates the options, and combines BigQuery with the local engine.
#include "logquery/bigquery/bigquery_backend.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/bigquery/backend/bigquery_source.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"

namespace logquery {
namespace bigquery {
namespace {

using base::StrCat;

constexpr size_t kMaxName = 1'024;
constexpr size_t kMaxLabel = 63;
constexpr size_t kMaxLabels = 64;

absl::Status Wrong(std::string_view option, std::string_view problem) {
  return absl::InvalidArgumentError(StrCat("the option ", option, " of BigQuery ", problem));
}

// Checks that a name has only letters, digits and `others`, because names occur in URLs, and in SQL between backticks.
absl::Status CheckName(std::string_view option, const std::string& name, std::string_view others) {
  if (name.empty()) return Wrong(option, "is missing");
  const bool is_good =
      name.size() <= kMaxName && std::all_of(name.begin(), name.end(), [&](char c) {
        return absl::ascii_isalnum(static_cast<unsigned char>(c)) || others.find(c) != std::string_view::npos;
      });
  if (is_good) return absl::OkStatus();
  return Wrong(option, StrCat("is no name that BigQuery takes there: letters, digits and ", others));
}

absl::Status CheckUrl(std::string_view option, const std::string& url) {
  const bool has_scheme = url.starts_with("https://") || url.starts_with("http://");
  if (has_scheme && !url.ends_with('/') && url.find_first_of("?#@ \r\n") == std::string::npos) return absl::OkStatus();
  return Wrong(option, "has to be a URL like https://bigquery.googleapis.com, without a user, a query or a last /");
}

bool IsLabel(const std::string& text) {
  return text.size() <= kMaxLabel && std::all_of(text.begin(), text.end(), [](char c) {
           return absl::ascii_islower(static_cast<unsigned char>(c)) ||
                  absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '_' || c == '-';
         });
}

absl::Status CheckLabels(const BigQueryOptions& options) {
  if (options.labels.size() > kMaxLabels) return Wrong("labels", "has more than 64, which is what BigQuery takes");
  for (const auto& [key, value] : options.labels) {
    if (!key.empty() && absl::ascii_islower(static_cast<unsigned char>(key[0])) && IsLabel(key) && IsLabel(value))
      continue;
    return Wrong("labels",
                 StrCat("has ", key.substr(0, 100),
                        ": keys and values are up to 63 of a to z, 0 to 9, _ and -, and keys begin with a letter"));
  }
  return absl::OkStatus();
}

absl::Status CheckTable(const BigQueryTable& table, const BigQueryOptions& options) {
  const std::string place = StrCat("tables.", table.name, ".");
  const std::string& dataset = table.dataset.empty() ? options.dataset : table.dataset;
  LOGQUERY_RETURN_IF_ERROR(CheckName(place + "dataset", dataset, "_"));
  LOGQUERY_RETURN_IF_ERROR(CheckName(place + "table", table.table, "_-$ "));
  if (!table.project.empty()) LOGQUERY_RETURN_IF_ERROR(CheckName(place + "project", table.project, "-:."));
  for (const auto& [ours, theirs] : table.columns) {
    LOGQUERY_RETURN_IF_ERROR(CheckName(StrCat(place, "columns.", ours), theirs, "_"));
  }
  return absl::OkStatus();
}

absl::Status CheckTables(const BigQueryOptions& options, const Catalog& declared) {
  if (options.tables.empty()) return Wrong("tables", "is empty: name at least one");
  base::NameSet names;
  for (const BigQueryTable& table : options.tables) {
    if (declared.Find(table.name) == nullptr) {
      return Wrong("tables", StrCat("names ", table.name, ", which the schema does not declare"));
    }
    if (!names.insert(table.name).second) return Wrong("tables", StrCat("names ", table.name, " twice"));
    LOGQUERY_RETURN_IF_ERROR(CheckTable(table, options));
  }
  return absl::OkStatus();
}

absl::Status CheckBounds(const BigQueryOptions& options) {
  if (options.max_connections < 1 || options.max_connections > 1'000) {
    return Wrong("max_connections", StrCat("is ", options.max_connections, "; it has to be from 1 to 1000"));
  }
  if (options.page_rows < 1 || options.page_rows > 100'000) {
    return Wrong("page_rows", StrCat("is ", options.page_rows, "; it has to be from 1 to 100000"));
  }
  for (const absl::Duration time : {options.connect_timeout, options.statement_timeout, options.retry_wait}) {
    if (time < absl::Milliseconds(1) || time > absl::Hours(24)) {
      return Wrong("connect_timeout, statement_timeout or retry_wait", "has to be from 1 ms to 24 hours");
    }
  }
  if (options.retry_time < absl::ZeroDuration() || options.retry_time > absl::Hours(24)) {
    return Wrong("retry_time", "has to be from 0 to 24 hours");
  }
  if (options.max_bytes_billed < 0 || options.max_fragment_rows < 1 || options.max_fragment_bytes < 1) {
    return Wrong("max_bytes_billed, max_fragment_rows or max_fragment_bytes",
                 "has to be at least 1, or 0 for max_bytes_billed");
  }
  return options.clock == nullptr ? Wrong("clock", "is missing") : absl::OkStatus();
}

absl::Status CheckOptions(const BigQueryOptions& options) {
  LOGQUERY_RETURN_IF_ERROR(CheckName("project", options.project, "-:."));
  if (!options.location.empty()) LOGQUERY_RETURN_IF_ERROR(CheckName("location", options.location, "-"));
  LOGQUERY_RETURN_IF_ERROR(CheckUrl("api_url", options.api_url));
  LOGQUERY_RETURN_IF_ERROR(CheckUrl("metadata_url", options.metadata_url));
  LOGQUERY_RETURN_IF_ERROR(CheckLabels(options));
  return CheckBounds(options);
}

}  // namespace

absl::StatusOr<std::shared_ptr<BigQuerySource>> MakeBigQuerySource(const BigQueryOptions& options) {
  LOGQUERY_RETURN_IF_ERROR(CheckOptions(options));
  std::optional<ServiceAccount> account;
  if (!options.service_account_key.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(account, ServiceAccount::FromJson(options.service_account_key));
    LOGQUERY_RETURN_IF_ERROR(CheckUrl("service_account_key, its token_uri,", account->token_url()));
  }
  Catalog declared = Catalog::DeclaredLogs();
  if (!options.schema_json.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(declared, Catalog::FromSchemaJson(options.schema_json));
  }
  LOGQUERY_RETURN_IF_ERROR(CheckTables(options, declared));
  return std::make_shared<BigQuerySource>(options, std::move(account), std::move(declared));
}

}  // namespace bigquery

absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenBigQuery(const BigQueryOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<bigquery::BigQuerySource> source, bigquery::MakeBigQuerySource(options));
  SourceBackendOptions finisher;
  finisher.memory_limit_bytes = options.memory_limit_bytes;
  finisher.threads = options.threads;
  finisher.max_scan_rows = options.max_fragment_rows;
  finisher.max_scan_bytes = options.max_fragment_bytes;
  return duckdb::OpenOverFragments(std::move(source), finisher);
}

absl::StatusOr<std::vector<std::string>> CheckBigQuery(const BigQueryOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<bigquery::BigQuerySource> source,
                            bigquery::MakeBigQuerySource(options));
  return source->CheckTables();
}

}  // namespace logquery
