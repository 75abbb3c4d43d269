#include "tests/isolation/log_folder.h"

#include <fstream>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/isolation/stored_rows.h"

namespace logquery::isolation {
namespace {

namespace fs = std::filesystem;

// 2026-03-02 00:00:00 UTC: all own rows are of this day.
absl::Time RowsStart() { return absl::FromUnixSeconds(1'772'409'600); }
constexpr absl::Duration kRowsTime = absl::Hours(23);

absl::Time TimeOf(int64_t place, int64_t places) {
  return RowsStart() + absl::Microseconds(absl::ToInt64Microseconds(kRowsTime) / places * place);
}

// The rows of all files, own and hidden ones interleaved: the place-th of all rows.
class RowOrder {
 public:
  explicit RowOrder(const FolderPlan& plan)
      : plan_(plan), hidden_(plan.hidden == Hidden::kNone ? 0 : plan.hidden_rows), all_(plan.own_rows + hidden_) {}

  int64_t all() const { return all_; }
  std::string Row(int64_t place) const {
    const int64_t hidden_before = hidden_ * place / all_;
    const bool hostile = hidden_ * (place + 1) / all_ > hidden_before;
    RowPlan row;
    row.address = plan_.address;
    row.hostile = hostile;
    row.number = hostile ? hidden_before : place - hidden_before;
    // An own row has the same time whatever lies beside it.
    row.time = hostile ? TimeOf(hidden_before, hidden_) + absl::Microseconds(1) : TimeOf(row.number, plan_.own_rows);
    if (hostile && plan_.hidden == Hidden::kOtherProject) row.project = kNeighbourProject;
    if (hostile && plan_.hidden == Hidden::kOutsideWindow) row.time -= absl::Hours(24 * 30);
    return MakeRow(row);
  }

 private:
  const FolderPlan& plan_;
  const int64_t hidden_;
  const int64_t all_;
};

}  // namespace

absl::Time CallTime() { return RowsStart() + absl::Hours(24 * 4); }
absl::Time WindowStart() { return RowsStart() - absl::Hours(1); }

namespace {

absl::StatusOr<fs::path> NewFolder(const fs::path& root) {
  std::string name = (root / "logquery-isolation-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return absl::InternalError("no temporary folder can be made");
  return fs::path(name);
}

}  // namespace

absl::StatusOr<std::unique_ptr<LogFolder>> LogFolder::Make(const FolderPlan& plan, const std::string& root) {
  fs::path path = fs::path(root) / base::StrCat("hidden-", static_cast<int>(plan.hidden));
  if (root.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(path, NewFolder(fs::temp_directory_path()));
  }
  std::unique_ptr<LogFolder> folder(new LogFolder(path, !root.empty()));
  if (fs::exists(path / "ready")) return folder;
  // A process that ended halfway may have left a part.
  std::error_code ignored;
  fs::remove_all(path, ignored);
  fs::create_directories(path, ignored);
  LOGQUERY_RETURN_IF_ERROR(folder->Open());
  LOGQUERY_RETURN_IF_ERROR(folder->Fill(plan));
  folder->backend_ = nullptr;
  std::ofstream(path / "ready") << '\n';
  return folder;
}

absl::StatusOr<std::unique_ptr<LogFolder>> LogFolder::MakeFlat(const FolderPlan& plan, const std::string& root) {
  LOGQUERY_ASSIGN_OR_RETURN(const fs::path path, NewFolder(root.empty() ? fs::temp_directory_path() : fs::path(root)));
  std::unique_ptr<LogFolder> folder(new LogFolder(path, !root.empty()));
  LOGQUERY_RETURN_IF_ERROR(folder->Open());
  for (int load = 0; load < plan.loads; ++load) LOGQUERY_RETURN_IF_ERROR(folder->Load(plan, load));
  return folder;
}

LogFolder::~LogFolder() {
  backend_ = nullptr;
  std::error_code ignored;
  if (!kept_) fs::remove_all(folder_, ignored);
}

absl::Status LogFolder::Open() {
  DuckDbOptions options;
  options.folder = path();
  options.threads = 1;
  options.schema_json = SchemaText();
  LOGQUERY_ASSIGN_OR_RETURN(backend_, OpenDuckDb(options));
  return absl::OkStatus();
}

absl::Status LogFolder::Load(const FolderPlan& plan, int load) {
  const RowOrder order(plan);
  const std::string file = (folder_ / "rows").string();
  std::ofstream out(file);
  for (int64_t i = order.all() * load / plan.loads; i < order.all() * (load + 1) / plan.loads; ++i) {
    out << order.Row(i) << '\n';
  }
  out.close();
  LOGQUERY_ASSIGN_OR_RETURN(const LoadReport report,
                            backend_->store().Load({.table = kTable, .files = {file}}, nullptr));
  if (report.rejected_rows == 0) return absl::OkStatus();
  return absl::InternalError(base::StrCat(report.rejected_rows, " rows are rejected, the first one because ",
                                          report.first_rejected.front().reason));
}

absl::Status LogFolder::Fill(const FolderPlan& plan) {
  for (int load = 0; load < plan.loads; ++load) {
    LOGQUERY_RETURN_IF_ERROR(Load(plan, load));
    LOGQUERY_RETURN_IF_ERROR(backend_->store().Checkpoint());
  }
  if (!plan.clustered) return absl::OkStatus();
  ClusterRequest request;
  request.now = CallTime();
  LOGQUERY_ASSIGN_OR_RETURN(const ClusterReport report, backend_->store().Cluster(request));
  if (report.rows == 0) return absl::InternalError("the store clusters no row; a day needs 30,720 rows or more");
  return backend_->store().Checkpoint();
}

}  // namespace logquery::isolation
