// Tables and columns get names of ours there: those of tests may be none in an engine.
#include "tests/engines/engine_tables.h"

#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/bigquery/backend/bigquery_source.h"
#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "lib/engines/clickhouse/dialect/texts.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "lib/engines/postgres/dialect/texts.h"
#include "logquery/duckdb/source_backend.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/clickhouse/click_house.h"
#include "tests/postgres/cluster.h"
#include "tests/support/value_source.h"

namespace logquery::testing {
namespace {

using base::StrAppend;
using base::StrCat;
using Backend = absl::StatusOr<std::unique_ptr<QueryBackend>>;

Table TableOf(const GivenTable& given) {
  Table table;
  table.name = given.name;
  table.columns = given.columns;
  table.time_column = given.time_column;
  if (!given.project_column.empty()) table.project_path = {given.project_column};
  return table;
}

Catalog CatalogOf(const std::vector<GivenTable>& given) {
  std::vector<Table> tables;
  for (const GivenTable& each : given) tables.push_back(TableOf(each));
  return Catalog(std::move(tables), 1);
}

absl::Status CanNotHold(std::string_view engine, std::string_view what) {
  return absl::UnimplementedError(StrCat(engine, " does not hold ", what));
}

// The statements that make the table `name` with the columns c1, c2 and so on.
absl::StatusOr<std::string> RowsOf(const GivenTable& table,
                                   const std::function<absl::StatusOr<std::string>(const Value&)>& literal) {
  std::string rows;
  for (const std::vector<Value>& row : table.rows) {
    StrAppend(&rows, rows.empty() ? "(" : ", (");
    for (size_t i = 0; i < row.size(); ++i) {
      LOGQUERY_ASSIGN_OR_RETURN(const std::string text, literal(row[i]));
      StrAppend(&rows, i == 0 ? "" : ", ", text);
    }
    rows += ")";
  }
  return rows;
}

std::map<std::string, std::string> NamesOf(const Schema& columns) {
  std::map<std::string, std::string> names;
  for (size_t i = 0; i < columns.size(); ++i) names[columns[i].name] = StrCat("c", i + 1);
  return names;
}

class PostgresTables : public EngineTables {
 public:
  Backend Put(const std::vector<GivenTable>& tables) override {
    cluster_.Sql("DROP SCHEMA IF EXISTS given CASCADE; CREATE SCHEMA given; GRANT USAGE ON SCHEMA given TO reader");
    std::vector<PostgresTable> mapped;
    for (const GivenTable& table : tables) {
      PostgresTable& mapping = mapped.emplace_back();
      mapping.name = table.name;
      mapping.schema = "given";
      mapping.table = StrCat("t", mapped.size());
      mapping.columns = NamesOf(table.columns);
      std::string columns;
      for (size_t i = 0; i < table.columns.size(); ++i) {
        const Type& type = table.columns[i].type;
        if (!Holds(type)) return CanNotHold("PostgreSQL", type.ToString());
        StrAppend(&columns, columns.empty() ? "" : ", ", "c", i + 1, " ", emit::PostgresType(type));
      }
      cluster_.Sql(StrCat("CREATE TABLE given.", mapping.table, " (", columns, ")"));
      LOGQUERY_ASSIGN_OR_RETURN(const std::string rows, RowsOf(table, Literal));
      if (!rows.empty()) cluster_.Sql(StrCat("INSERT INTO given.", mapping.table, " VALUES ", rows));
      cluster_.Sql(StrCat("GRANT SELECT ON given.", mapping.table, " TO reader"));
    }
    LOGQUERY_ASSIGN_OR_RETURN(
        auto opened, duckdb::OpenOverFragments(
                         std::make_shared<postgres::PostgresSource>(cluster_.Options(mapped), CatalogOf(tables)), {}));
    return std::unique_ptr<QueryBackend>(std::move(opened));
  }

 private:
  static bool Holds(const Type& type) {
    switch (type.kind()) {
      case TypeKind::kBool:
      case TypeKind::kInt64:
      case TypeKind::kFloat64:
      case TypeKind::kString:
      case TypeKind::kBytes:
      case TypeKind::kDate:
      case TypeKind::kDatetime:
      case TypeKind::kTimestamp:
        return true;
      default:
        return false;
    }
  }

  static absl::StatusOr<std::string> Literal(const Value& value) {
    if (value.is_null()) return std::string("NULL");
    if (value.type().is(TypeKind::kBytes)) {
      return StrCat("'\\x", absl::BytesToHexString(value.string_value()), "'::bytea");
    }
    if (value.type().is(TypeKind::kFloat64)) {
      const double number = value.float64_value();
      if (std::isnan(number)) return std::string("'NaN'::float8");
      if (std::isinf(number)) return std::string(number > 0 ? "'Infinity'::float8" : "'-Infinity'::float8");
      return StrCat("'", absl::StrFormat("%.17g", number), "'::float8");
    }
    const auto text = emit::PostgresLiteral(value);
    return text.ok() ? text : CanNotHold("PostgreSQL", base::Message(text.status()));
  }

  Cluster cluster_;
};

class ClickHouseTables : public EngineTables {
 public:
  Backend Put(const std::vector<GivenTable>& tables) override {
    for (size_t i = 1; i <= made_; ++i) server_.Sql(StrCat("DROP TABLE IF EXISTS logs.t", i, " SYNC"));
    made_ = tables.size();
    std::vector<ClickHouseTable> mapped;
    for (const GivenTable& table : tables) {
      ClickHouseTable& mapping = mapped.emplace_back();
      mapping.name = table.name;
      mapping.table = StrCat("t", mapped.size());
      mapping.columns = NamesOf(table.columns);
      std::string columns;
      for (size_t i = 0; i < table.columns.size(); ++i) {
        LOGQUERY_ASSIGN_OR_RETURN(const std::string type, ServerType(table.columns[i].type));
        StrAppend(&columns, columns.empty() ? "" : ", ", "c", i + 1, " Nullable(", type, ")");
      }
      server_.Sql(StrCat("CREATE TABLE logs.", mapping.table, " (", columns, ") ENGINE = MergeTree ORDER BY tuple()"));
      LOGQUERY_ASSIGN_OR_RETURN(const std::string rows, RowsOf(table, Literal));
      if (!rows.empty()) server_.Sql(StrCat("INSERT INTO logs.", mapping.table, " VALUES ", rows));
    }
    LOGQUERY_ASSIGN_OR_RETURN(auto opened, duckdb::OpenOverFragments(std::make_shared<clickhouse::ClickHouseSource>(
                                                                         server_.Options(mapped), CatalogOf(tables)),
                                                                     {}));
    return std::unique_ptr<QueryBackend>(std::move(opened));
  }

 private:
  static absl::StatusOr<std::string> ServerType(const Type& type) {
    switch (type.kind()) {
      case TypeKind::kBool:
      case TypeKind::kInt64:
      case TypeKind::kFloat64:
      case TypeKind::kString:
      case TypeKind::kTimestamp:
      case TypeKind::kDatetime:
        return emit::ClickHouseType(type);
      case TypeKind::kBytes:
        return std::string("String");
      case TypeKind::kDate:
        return std::string("Date32");
      default:
        return CanNotHold("ClickHouse", type.ToString());
    }
  }

  static absl::StatusOr<std::string> Literal(const Value& value) {
    // The years 1900 to 2299.
    constexpr int64_t kFirstDay = -25'567;
    constexpr int64_t kLastDay = 120'529;
    if (value.is_null()) return std::string("NULL");
    if (value.type().is(TypeKind::kBytes)) return StrCat("unhex('", absl::BytesToHexString(value.string_value()), "')");
    if (!value.type().is(TypeKind::kDate)) return emit::ClickHouseLiteral(value);
    if (value.int64_value() < kFirstDay || value.int64_value() > kLastDay)
      return CanNotHold("ClickHouse", "such a DATE");
    return StrCat("toDate32('1900-01-01') + ", value.int64_value() - kFirstDay);
  }

  ClickHouse server_;
  size_t made_ = 0;
};

// A backend with its host, which has to live as long.
class HostedBackend : public QueryBackend {
 public:
  HostedBackend(std::unique_ptr<QueryBackend> rows, std::unique_ptr<BigQueryHost> host,
                std::unique_ptr<QueryBackend> backend)
      : rows_(std::move(rows)), host_(std::move(host)), backend_(std::move(backend)) {}
  Capabilities capabilities() const override { return backend_->capabilities(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return backend_->ReadCatalog(); }
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    const absl::Status status = backend_->Execute(query, bindings, limits, cancellation, sink);
    if (host_->problems().empty()) return status;
    return absl::InternalError(StrCat("not of the reference: ", base::Join(host_->problems(), "; ")));
  }

 private:
  const std::unique_ptr<QueryBackend> rows_;
  const std::unique_ptr<BigQueryHost> host_;
  const std::unique_ptr<QueryBackend> backend_;
};

class BigQueryTables : public EngineTables {
 public:
  Backend Put(const std::vector<GivenTable>& tables) override {
    std::vector<ValueTable> values;
    std::map<std::string, std::string> names;
    for (const GivenTable& table : tables) {
      values.push_back({TableOf(table), table.rows});
      names[table.name] = StrCat("t", names.size() + 1);
    }
    LOGQUERY_ASSIGN_OR_RETURN(auto rows, OpenOverSource(std::make_shared<ValueSource>(std::move(values)), {}));
    auto host = std::make_unique<BigQueryHost>(rows.get(), names);
    BigQueryOptions options = host->Options();
    LOGQUERY_ASSIGN_OR_RETURN(const auto account, bigquery::ServiceAccount::FromJson(options.service_account_key));
    auto source = std::make_shared<bigquery::BigQuerySource>(options, account, CatalogOf(tables));
    LOGQUERY_ASSIGN_OR_RETURN(auto opened, duckdb::OpenOverFragments(std::move(source), {}));
    return std::unique_ptr<QueryBackend>(
        std::make_unique<HostedBackend>(std::move(rows), std::move(host), std::move(opened)));
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<EngineTables>> StartEngine(std::string_view engine) {
  if (engine == "postgres") {
    if (!Cluster::IsPossible()) return absl::NotFoundError("there is no PostgreSQL server on this machine");
    return std::unique_ptr<EngineTables>(std::make_unique<PostgresTables>());
  }
  if (engine == "clickhouse") {
    if (const std::string why = ClickHouse::WhyNot(); !why.empty()) return absl::NotFoundError(why);
    return std::unique_ptr<EngineTables>(std::make_unique<ClickHouseTables>());
  }
  if (engine == "bigquery") return std::unique_ptr<EngineTables>(std::make_unique<BigQueryTables>());
  return absl::InvalidArgumentError(StrCat("no engine ", engine, "; there are postgres, clickhouse and bigquery"));
}

}  // namespace logquery::testing
