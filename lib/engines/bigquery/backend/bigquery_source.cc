// Reads the tables' metadata whenever the catalog is read.
#include "lib/engines/bigquery/backend/bigquery_source.h"

#include "lib/backend/circuit_breaker.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/bigquery/backend/statement.h"
#include "lib/engines/bigquery/dialect/fragments.h"
#include "lib/model/schema_file.h"
#include "logquery/error.h"

namespace logquery::bigquery {
namespace {

using base::StrCat;

// One for each call that gives up at that time.
constexpr int kStopperConnections = 4;

BigQueryOptions OfStopper(BigQueryOptions options) {
  options.max_connections = kStopperConnections;
  options.connect_timeout = std::min(options.connect_timeout, absl::Seconds(5));
  options.retry_time = absl::ZeroDuration();
  return options;
}

absl::Status ForOperators(const ApiReply& reply) {
  if (reply.status.ok()) return reply.status;
  if (reply.is_refused) {
    return absl::FailedPreconditionError(StrCat("BigQuery refuses the account: ", reply.words));
  }
  if (reply.is_tls) {
    return absl::FailedPreconditionError(StrCat("BigQuery's certificate is not trusted: ", reply.words));
  }
  if (absl::IsUnavailable(reply.status)) {
    return absl::UnavailableError(StrCat("BigQuery can't be reached, or does not answer: ", reply.words));
  }
  if (reply.error.http != 0) {
    return absl::FailedPreconditionError(
        StrCat("BigQuery refuses what is needed to query it: ", reply.words, " (HTTP ", reply.error.http, ")"));
  }
  return reply.status;
}

std::string PathOf(const BigQueryTable& mapping) {
  return StrCat(http::UrlEncoded(mapping.project), "/datasets/", http::UrlEncoded(mapping.dataset), "/tables/",
                http::UrlEncoded(mapping.table), "?view=BASIC");
}

BigQueryTable Settled(BigQueryTable mapping, const BigQueryOptions& options) {
  if (mapping.project.empty()) mapping.project = options.project;
  if (mapping.dataset.empty()) mapping.dataset = options.dataset;
  return mapping;
}

}  // namespace

BigQuerySource::BigQuerySource(BigQueryOptions options, std::optional<ServiceAccount> account, Catalog declared)
    : options_(std::move(options)),
      declared_(std::move(declared)),
      service_(options_, account),
      stopper_(std::make_shared<Service>(OfStopper(options_), std::move(account))) {}

const emit::SqlDialect& BigQuerySource::dialect() const { return emit::BigQueryFragmentSql(); }

absl::Status BigQuerySource::ReadTable(const BigQueryTable& mapping, std::vector<MappedTable>& tables,
                                       std::vector<std::string>& problems) {
  ApiCall call;
  call.path = PathOf(mapping);
  const ApiReply reply = service_.Send(call, CancellationToken());
  const std::string place =
      StrCat("the table ", mapping.project, ".", mapping.dataset, ".", mapping.table, " for ", mapping.name);
  if (reply.error.http == 404) return problems.push_back(StrCat(place, " is missing")), absl::OkStatus();
  if (reply.error.http == 403 && absl::IsInternal(reply.status)) {
    problems.push_back(
        StrCat(place, " may not be read by this account: grant it roles/bigquery.dataViewer on the dataset"));
    return absl::OkStatus();
  }
  LOGQUERY_RETURN_IF_ERROR(ForOperators(reply));
  const size_t before = problems.size();
  tables.push_back(MapTable(*declared_.Find(mapping.name), mapping, reply.body, problems));
  return problems.size() == before ? CheckReads(tables.back(), problems) : absl::OkStatus();
}

absl::Status BigQuerySource::CheckReads(const MappedTable& table, std::vector<std::string>& problems) {
  Statement statement(options_, &service_, stopper_);
  const ApiReply reply = statement.DryRun(StrCat("SELECT * FROM ", table.table.storage_name, " AS t1 LIMIT 0"));
  if (reply.status.ok()) return reply.status;
  if (reply.is_refused || reply.error.http == 0 || absl::IsUnavailable(reply.status)) return ForOperators(reply);
  // The dry run reads nothing, so the cause is a missing right, the location, or a table that requires a condition on
  // its partitions. Queries have such a condition.
  if (reply.error.words.find("partition") != std::string::npos) return absl::OkStatus();
  problems.push_back(
      StrCat("queries of ", table.table.storage_name, " are refused: ", reply.words, " (HTTP ", reply.error.http, ")"));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<MappedTable>> BigQuerySource::ReadTables() {
  std::vector<MappedTable> tables;
  std::vector<std::string> problems;
  for (const BigQueryTable& each : options_.tables) {
    LOGQUERY_RETURN_IF_ERROR(ReadTable(Settled(each, options_), tables, problems));
  }
  if (problems.empty()) return tables;
  return absl::FailedPreconditionError(
      StrCat("BigQuery does not have what the schema declares: ", base::Join(problems, "; ")));
}

absl::StatusOr<Catalog> BigQuerySource::ReadCatalog() {
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<MappedTable> mapped, ReadTables());
  std::vector<Table> tables;
  for (MappedTable& each : mapped) tables.push_back(std::move(each.table));
  const uint64_t revision = model::Fingerprint(tables);
  return Catalog(std::move(tables), revision);
}

absl::StatusOr<std::vector<std::string>> BigQuerySource::CheckTables() {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<MappedTable> tables, ReadTables());
  std::vector<std::string> findings;
  for (const MappedTable& each : tables) {
    if (each.is_partitioned_by_time) continue;
    findings.push_back(StrCat("the table for ", each.table.name,
                              " is not partitioned by its time: each query reads, and is billed for, all of its days"));
  }
  return findings;
}

absl::Status BigQuerySource::Probe(const CancellationToken& cancellation) {
  // Reading a table's description needs no job and costs nothing.
  const BigQueryTable mapping = Settled(options_.tables.front(), options_);
  const ApiReply reply = stopper_->Send({.path = PathOf(mapping)}, cancellation);
  // Other tables may be there; and a service that has too much to do is there.
  const bool is_there = reply.error.http == 404 || GetErrorDetails(reply.status).reason == backend::kBusyReason;
  return is_there ? absl::OkStatus() : ForOperators(reply);
}

absl::Status BigQuerySource::Run(const QueryFragment& fragment, const Bindings& bindings,
                                 const CancellationToken& cancellation, BatchSink& sink) {
  return RunForCall(fragment, bindings, FragmentCall(), cancellation, sink);
}

absl::Status BigQuerySource::RunForCall(const QueryFragment& fragment, const Bindings& bindings,
                                        const FragmentCall& call, const CancellationToken& cancellation,
                                        BatchSink& sink) {
  Statement statement(options_, &service_, stopper_, call.tags);
  return statement.Run(fragment.text, bindings, fragment.schema, cancellation, sink);
}

}  // namespace logquery::bigquery
