// Makes the rows from their numbers, stores them as a collector would, and asks both sides.
#include "tests/oracle/stored_logs.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "absl/strings/str_replace.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"

namespace logquery::oracle {
namespace {

namespace fs = std::filesystem;

constexpr char kTable[] = "oracle.logs";
constexpr int kLoads = 3;
constexpr int64_t kStartMicros = 1'772'409'600'000'000;  // 2026-03-02 00:00:00 UTC

constexpr char kDeclaration[] = R"({"time": "timestamp", "project": ["project"],
    "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "project": "STRING", "n": "INT64", "k": "INT64", "v": "INT64",
    "s": "STRING", "b": "BOOL", "f": "FLOAT64", "ts": "TIMESTAMP", "tags": ["INT64"]}})";

std::string ProjectOf(int64_t rows) { return base::StrCat("p", rows); }

std::string SchemaOfAll() {
  nlohmann::json schema;
  const auto declare = [&](const std::string& table) {
    schema[table] = nlohmann::json::parse(kDeclaration);
    schema[table]["log"] = absl::StrReplaceAll(table, {{".", "_"}});
  };
  declare(kTable);
  for (const int64_t rows : kProjectRows) declare(TableOf(rows));
  return schema.dump();
}

// The values of a row; the same for every run.
class RowValues {
 public:
  RowValues(int64_t project, int64_t number)
      : random_(static_cast<uint64_t>(project) * 1'000'003u + number), n_(number) {}

  Row Make() {
    Row row = {Value::Int64(n_),
               OrNull(Value::Int64(static_cast<int64_t>(Below(8)))),
               OrNull(Value::Int64(static_cast<int64_t>(Below(14)) - 3)),
               OrNull(Value::String(std::vector<std::string>{"a", "b", "cc", "", "zz", "a b"}[Below(6)])),
               OrNull(Value::Bool(Below(2) == 0)),
               OrNull(Value::Float64(Float())),
               OrNull(Value::TimestampMicros(kStartMicros + static_cast<int64_t>(Below(6)) * 60'000'000))};
    std::vector<Value> tags;
    for (size_t i = Below(4); i > 0; --i) tags.push_back(Value::Int64(static_cast<int64_t>(Below(6))));
    row.push_back(Value::Array(Type::Int64(), std::move(tags)));
    return row;
  }

 private:
  size_t Below(size_t bound) { return static_cast<size_t>(random_() % bound); }
  Value OrNull(Value value) { return Below(8) == 0 ? Value::Null(value.type()) : std::move(value); }
  double Float() {
    switch (Below(12)) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return -std::numeric_limits<double>::infinity();
      default:
        return static_cast<double>(Below(12)) / 2 - 2;
    }
  }

  std::mt19937_64 random_;
  const int64_t n_;
};

constexpr const char* kStored[] = {"n", "k", "v", "s", "b", "f", "ts", "tags"};

nlohmann::json JsonOf(const Value& value) {
  switch (value.type().kind()) {
    case TypeKind::kBool:
      return value.bool_value();
    case TypeKind::kFloat64:
      if (value.float64_value() != value.float64_value()) return "NaN";
      if (value.float64_value() == std::numeric_limits<double>::infinity()) return "Infinity";
      if (value.float64_value() == -std::numeric_limits<double>::infinity()) return "-Infinity";
      return value.float64_value();
    case TypeKind::kString:
      return value.string_value();
    case TypeKind::kTimestamp:
      return absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", absl::FromUnixMicros(value.int64_value()), absl::UTCTimeZone());
    case TypeKind::kArray: {
      nlohmann::json list = nlohmann::json::array();
      for (const Value& element : value.children()) list.push_back(JsonOf(element));
      return list;
    }
    default:
      return value.int64_value();
  }
}

std::string LineOf(const std::string& project, int64_t number, int64_t place, const Row& row) {
  nlohmann::json line;
  line["id"] = base::StrCat(project, "-", number);
  line["project"] = project;
  line["timestamp"] = JsonOf(Value::TimestampMicros(kStartMicros + place * 1'000'000));
  for (size_t i = 0; i < row.size(); ++i) {
    if (!row[i].is_null()) line[kStored[i]] = JsonOf(row[i]);
  }
  return line.dump();
}

// -0 is 0: whether a sum of zeros has a sign is not part of the meaning.
std::string TextOf(const Value& value) {
  if (value.is_null()) return "NULL";
  if (value.type().is(TypeKind::kFloat64) && value.float64_value() == 0) return "0";
  if (!value.type().is_array()) return value.DebugString();
  std::string text = "[";
  for (const Value& element : value.children()) base::StrAppend(&text, TextOf(element), " ");
  return text + "]";
}

std::vector<std::string> TextsOf(const Rows& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) {
    texts.emplace_back();
    for (const Value& value : row) base::StrAppend(&texts.back(), TextOf(value), ", ");
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

Answer AnswerOf(const absl::StatusOr<Rows>& rows) {
  return rows.ok() ? Answer{absl::OkStatus(), TextsOf(*rows)} : Answer{rows.status(), {}};
}

}  // namespace

std::string TableOf(int64_t rows) { return base::StrCat("oracle.alone", rows); }

absl::StatusOr<std::unique_ptr<StoredLogs>> StoredLogs::Make(int64_t neighbours) {
  std::string name = (fs::temp_directory_path() / "logquery-oracle-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return absl::InternalError("no temporary folder can be made");
  std::unique_ptr<StoredLogs> logs(new StoredLogs(name));
  LOGQUERY_RETURN_IF_ERROR(logs->Fill(neighbours));
  return logs;
}

StoredLogs::~StoredLogs() {
  backend_ = nullptr;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

absl::Status StoredLogs::Fill(int64_t neighbours) {
  DuckDbOptions options;
  options.folder = (folder_ / "data").string();
  options.threads = 4;
  options.schema_json = SchemaOfAll();
  LOGQUERY_ASSIGN_OR_RETURN(backend_, OpenDuckDb(options));
  std::vector<std::string> lines;
  std::map<int64_t, std::vector<std::string>> alone;  // by the project's rows
  const auto add = [&](const std::string& project, int64_t seed, int64_t number) {
    Row row = RowValues(seed, number).Make();
    lines.push_back(LineOf(project, number, static_cast<int64_t>(lines.size()), row));
    return row;
  };
  const int64_t places = std::max(neighbours, kProjectRows[std::size(kProjectRows) - 1]);
  for (int64_t i = 0; i < places; ++i) {
    if (i < neighbours) add("neighbour", 1, i);
    for (const int64_t rows : kProjectRows) {
      StoredTable& table = tables_[rows];
      table.columns.assign(std::begin(kStored), std::end(kStored));
      table.columns.emplace_back("project");
      // Spread over the whole table.
      if (i * rows / places == (i + 1) * rows / places) continue;
      Row row = add(ProjectOf(rows), rows, static_cast<int64_t>(table.rows.size()));
      row.push_back(Value::String(ProjectOf(rows)));
      table.rows.push_back(std::move(row));
      alone[rows].push_back(lines.back());
    }
  }
  for (int load = 0; load < kLoads; ++load) {
    const auto at = [&](int part) { return lines.begin() + static_cast<std::ptrdiff_t>(lines.size() * part / kLoads); };
    LOGQUERY_RETURN_IF_ERROR(Load(kTable, std::vector<std::string>(at(load), at(load + 1))));
  }
  for (const auto& [rows, own] : alone) LOGQUERY_RETURN_IF_ERROR(Load(TableOf(rows), own));
  LOGQUERY_ASSIGN_OR_RETURN(catalog_, backend_->ReadCatalog());
  return absl::OkStatus();
}

absl::Status StoredLogs::Load(const std::string& table, const std::vector<std::string>& lines) {
  const std::string file = (folder_ / "rows").string();
  std::ofstream out(file);
  for (const std::string& line : lines) out << line << '\n';
  out.close();
  LOGQUERY_ASSIGN_OR_RETURN(const LoadReport report,
                            backend_->store().Load({.table = table, .files = {file}}, nullptr));
  if (report.rejected_rows != 0) return absl::InternalError(report.first_rejected.front().reason);
  return backend_->store().Checkpoint();
}

absl::StatusOr<rewrite::QueryPlan> StoredLogs::Plan(const Query& query) const {
  LOGQUERY_ASSIGN_OR_RETURN(sql::QueryPtr parsed, sql::ParseQuery(query.sql, {}));
  rewrite::ResolveOptions options;
  options.catalog = &catalog_;
  options.parameters = {{"project", Type::String()}};
  return rewrite::Resolve(*parsed, query.sql, options);
}

absl::Status StoredLogs::RunPasses(rewrite::QueryPlan& plan) const {
  std::vector<rewrite::Pass> passes = emit::PassesOf(Dialect::kDuckDb);
  std::erase_if(passes, [&](const rewrite::Pass& pass) { return left_out_.count(pass.name) > 0; });
  return rewrite::RunPasses(passes, {}, plan);
}

Answer StoredLogs::Evaluated(const Query& query) {
  const absl::StatusOr<rewrite::QueryPlan> plan = Plan(query);
  if (!plan.ok()) return {plan.status(), {}};
  const StoredTable& table = tables_.at(query.rows);
  rewrite::ParameterValues values;
  values.emplace("project", Value::String(ProjectOf(query.rows)));
  return AnswerOf(Evaluate(*plan, {{kTable, &table}, {TableOf(query.rows), &table}}, values));
}

Answer StoredLogs::Engine(const Query& query) {
  const auto run = [&]() -> absl::StatusOr<Rows> {
    LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan plan, Plan(query));
    LOGQUERY_RETURN_IF_ERROR(RunPasses(plan));
    LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery emitted, emit::Emit(plan, Dialect::kDuckDb));
    Bindings bindings;
    for (const Slot& slot : emitted.slots) {
      if (slot.name != "project") return absl::InternalError(base::StrCat("no value for ", slot.name));
      bindings.push_back(Value::String(ProjectOf(query.rows)));
    }
    PreparedQuery::Parts parts;
    parts.dialect_text = emitted.text;
    parts.slots = emitted.slots;
    parts.schema = plan.schema;
    CollectingSink sink;
    LOGQUERY_RETURN_IF_ERROR(
        backend_->Execute(PreparedQuery(std::move(parts)), bindings, {}, CancellationSource().token(), sink));
    return sink.rows();
  };
  return AnswerOf(run());
}

std::string StoredLogs::EngineText(const Query& query) {
  absl::StatusOr<rewrite::QueryPlan> plan = Plan(query);
  if (!plan.ok()) return plan.status().ToString();
  if (const absl::Status status = RunPasses(*plan); !status.ok()) return status.ToString();
  const absl::StatusOr<emit::EmittedQuery> emitted = emit::Emit(*plan, Dialect::kDuckDb);
  return emitted.ok() ? emitted->text : emitted.status().ToString();
}

std::string StoredLogs::Check(const Query& query) {
  const Answer engine = Engine(query), right = Evaluated(query);
  // A query that the evaluator can't compute is a defect of the check.
  const bool both_fail = !engine.status.ok() && right.status.code() == absl::StatusCode::kOutOfRange;
  if (both_fail || (engine.status.ok() && right.status.ok() && engine.rows == right.rows)) return "";
  if (!engine.status.ok() || !right.status.ok()) {
    return base::StrCat("the engine: ", engine.status.ToString(), "; right: ", right.status.ToString());
  }
  const auto some = [](const std::vector<std::string>& of, const std::vector<std::string>& without) {
    std::vector<std::string> rest;
    std::set_difference(of.begin(), of.end(), without.begin(), without.end(), std::back_inserter(rest));
    const size_t count = rest.size();
    rest.resize(std::min<size_t>(count, 3));
    return base::StrCat(count, " rows, as ", base::Join(rest, "; "));
  };
  return base::StrCat(engine.rows.size(), " rows for ", right.rows.size(), "; only the engine has ",
                      some(engine.rows, right.rows), "; it lacks ", some(right.rows, engine.rows));
}

}  // namespace logquery::oracle
