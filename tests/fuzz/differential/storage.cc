#include "tests/fuzz/differential/storage.h"

#include <fstream>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/emitter.h"
#include "logquery/cancellation.h"
#include "logquery/row_encoder.h"

namespace logquery::fuzz {
namespace {

namespace fs = std::filesystem;

// One thread, so that rows come in one order, and a limit that no query of the fuzz should need.
constexpr int kThreads = 1;
constexpr absl::Duration kTimeLimit = absl::Seconds(4);

absl::StatusOr<fs::path> MakeFolder() {
  std::string name = (fs::temp_directory_path() / "logquery-fuzz-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return absl::InternalError("no temporary folder could be made");
  return fs::path(name);
}

absl::StatusOr<Bindings> Bind(const std::vector<Slot>& slots, const rewrite::QueryPlan& plan,
                              rewrite::ParameterValues values) {
  // The earliest time there is: it leaves nothing out.
  values.try_emplace(rewrite::kFloorParameter, Value::TimestampMicros(-62'135'596'800'000'000));
  for (const rewrite::DerivedParameter& derived : plan.derived) {
    LOGQUERY_ASSIGN_OR_RETURN(Value value, rewrite::Evaluate(*derived.value, values, nullptr));
    values.insert_or_assign(derived.name, std::move(value));
  }
  Bindings bindings;
  for (const Slot& slot : slots) {
    const auto found = values.find(slot.name);
    if (found == values.end()) return absl::InternalError(base::StrCat("the slot ", slot.name, " has no value"));
    bindings.push_back(found->second);
  }
  return bindings;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Storage>> Storage::Make(const std::string& schema, const FuzzLogs& logs) {
  LOGQUERY_ASSIGN_OR_RETURN(fs::path folder, MakeFolder());
  std::unique_ptr<Storage> storage(new Storage(std::move(folder)));
  DuckDbOptions options;
  options.folder = (storage->folder_ / "data").string();
  options.schema_json = schema;
  options.threads = kThreads;
  options.memory_limit_bytes = int64_t{1} << 30;
  LOGQUERY_ASSIGN_OR_RETURN(storage->backend_, OpenDuckDb(options));
  LOGQUERY_RETURN_IF_ERROR(storage->Load(logs));
  LOGQUERY_ASSIGN_OR_RETURN(storage->catalog_, storage->backend_->ReadCatalog());
  return storage;
}

Storage::~Storage() {
  backend_ = nullptr;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

absl::Status Storage::Load(const FuzzLogs& logs) {
  for (const auto& [table, rows] : logs) {
    const std::string file = (folder_ / table).string();
    std::ofstream out(file);
    for (const Json& row : rows) out << row.dump() << '\n';
    out.close();
    LOGQUERY_ASSIGN_OR_RETURN(const LoadReport report,
                              backend_->store().Load({.table = table, .files = {file}}, nullptr));
    if (report.rejected_rows > 0) return absl::InternalError("rejected: " + report.first_rejected.front().reason);
  }
  return absl::OkStatus();
}

Outcome Storage::Run(const rewrite::QueryPlan& plan, const rewrite::ParameterValues& values) {
  absl::StatusOr<emit::EmittedQuery> emitted = emit::Emit(plan, Dialect::kDuckDb);
  if (!emitted.ok()) return {emitted.status(), "", ""};
  absl::StatusOr<Bindings> bindings = Bind(emitted->slots, plan, values);
  if (!bindings.ok()) return {bindings.status(), "", emitted->text};
  PreparedQuery::Parts parts;
  parts.dialect_text = emitted->text;
  parts.slots = emitted->slots;
  parts.schema = plan.schema;
  return Run(PreparedQuery(std::move(parts)), *bindings);
}

Outcome Storage::Execute(const PreparedQuery& query, const Bindings& bindings) {
  RowEncoder encoder(query.schema(), {});
  ExecutionLimits limits;
  limits.time_limit = kTimeLimit;
  limits.max_rows = kMaxRows + 1;
  Outcome outcome;
  outcome.engine_text = std::string(query.dialect_text());
  outcome.status = backend_->Execute(query, bindings, limits, CancellationSource().token(), encoder);
  if (outcome.status.ok() && encoder.rows() > kMaxRows) {
    outcome.status = absl::ResourceExhaustedError(base::StrCat("more than ", kMaxRows, " rows"));
  }
  if (outcome.status.ok()) outcome.body = std::move(encoder).Finish();
  return outcome;
}

Outcome Storage::Run(const PreparedQuery& query, const Bindings& bindings) {
  std::string key(query.dialect_text());
  for (const Value& value : bindings) base::StrAppend(&key, "\n", value.DebugString());
  if (const auto known = outcomes_.find(key); known != outcomes_.end()) return known->second;
  Outcome outcome = Execute(query, bindings);
  // Seconds in which other programs had the machine count as well: what is slow twice is slow.
  if (absl::IsDeadlineExceeded(outcome.status)) outcome = Execute(query, bindings);
  return outcomes_.emplace(std::move(key), std::move(outcome)).first->second;
}

}  // namespace logquery::fuzz
