#include "tests/conformance/answerer.h"

#include <vector>

#include "lib/base/status_macros.h"
#include "lib/store/create_table.h"
#include "tests/conformance/request.h"

namespace logquery::conformance {
namespace {

// Makes the tables, and drops them in the end.
class Tables {
 public:
  explicit Tables(DuckDbBackend* backend) : backend_(backend) {}
  ~Tables() {
    // A table that could not be dropped would fail the next request that makes it.
    for (const std::string& name : made_) store::DropTable(*backend_, name).IgnoreError();
  }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  absl::Status Make(const InputTable& table) {
    LOGQUERY_RETURN_IF_ERROR(store::CreateTable(*backend_, table.name, table.columns, table.rows));
    made_.push_back(table.name);
    return absl::OkStatus();
  }

 private:
  DuckDbBackend* backend_;
  std::vector<std::string> made_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Answerer>> Answerer::Open() {
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb({.threads = 1}));
  return std::unique_ptr<Answerer>(new Answerer(std::move(backend)));
}

std::string Answerer::Answer(const std::string& line) {
  return AnswerLine(line, [&](const Request& request) -> absl::StatusOr<Rows> {
    Tables tables(backend_.get());
    for (const InputTable& table : request.tables) LOGQUERY_RETURN_IF_ERROR(tables.Make(table));
    return RunQuery(request, *backend_);
  });
}

}  // namespace logquery::conformance
