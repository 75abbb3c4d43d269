// Sorts an engine's errors into those that end a call and those after which DuckDB does the work.
#include "lib/engines/described/backend/engine_source.h"

#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "lib/base/engine_failure.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/emit/powers.h"

namespace logquery::experimental {
namespace {

using base::StrCat;

// Remembers the error of the query's own sink, which is not the engine's.
class WatchedSink : public BatchSink {
 public:
  explicit WatchedSink(BatchSink* sink) : sink_(sink) {}
  absl::Status Append(const Batch& batch) override {
    absl::Status status = sink_->Append(batch);
    if (status_.ok()) status_ = status;
    return status;
  }
  void SetMarks(std::vector<TableMark> marks) override { sink_->SetMarks(std::move(marks)); }
  const absl::Status& status() const { return status_; }

 private:
  BatchSink* const sink_;
  absl::Status status_;
};

bool IsName(std::string_view name) {
  return !name.empty() && name.find('\0') == std::string_view::npos && base::IsValidUtf8(name);
}

absl::Status CheckTable(const Table& table, const emit::Powers& powers) {
  const auto wrong = [&](std::string_view problem) {
    return absl::FailedPreconditionError(StrCat("the engine's table ", table.name, " ", problem));
  };
  if (!IsName(table.name)) return wrong("has a name that is empty, not UTF-8 or has a NUL character");
  if (!table.storage_name.empty() && !IsName(table.storage_name)) {
    return wrong("has a storage name that is not UTF-8 or has a NUL character");
  }
  for (const HotColumn& hot : table.hot_columns) {
    if (!IsName(hot.column)) return wrong("has a hot column whose name is empty, not UTF-8 or has a NUL character");
  }
  for (const Field& column : table.columns) {
    if (!IsName(column.name)) return wrong("has a column whose name is empty, not UTF-8 or has a NUL character");
    if (!powers.Carries(column.type)) {
      return wrong(StrCat("has the column ", column.name, " of ", column.type.ToString(),
                          ", which is not among the types of the engine's spellings"));
    }
  }
  return absl::OkStatus();
}

// Returns whether the status is about the call and not about what the statement computes.
bool EndsCall(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsResourceExhausted(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsCancelled(status);
}

}  // namespace

absl::StatusOr<Catalog> EngineSource::ReadCatalog() {
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, engine_->ReadCatalog());
  for (const Table& table : catalog.tables()) LOGQUERY_RETURN_IF_ERROR(CheckTable(table, *dialect_->powers()));
  return catalog;
}

absl::Status EngineSource::RunForCall(const QueryFragment& fragment, const Bindings& bindings, const FragmentCall& call,
                                      const CancellationToken& cancellation, BatchSink& sink) {
  if (cancellation.IsCancelled()) return absl::CancelledError("the query was cancelled");
  WatchedSink watched(&sink);
  const EngineStatement statement{fragment.text, bindings, fragment.schema, call.deadline, call.tags};
  absl::Status status;
  try {
    status = engine_->Run(statement, cancellation, watched);
  } catch (const std::exception& error) {
    status = absl::InternalError(StrCat("an exception: ", error.what()));
  } catch (...) {
    status = absl::InternalError("an exception");
  }
  if (!watched.status().ok()) return watched.status();
  // An engine may look at the time before the call's own watch does, and can't tell which of the two ended it.
  if (absl::IsCancelled(status) && absl::Now() >= call.deadline) {
    return absl::DeadlineExceededError(status.message());
  }
  if (status.ok() || EndsCall(status)) return status;
  return base::MarkEngineFailure(absl::InternalError(StrCat(name_, ": ", base::Message(status))));
}

absl::Status EngineSource::Probe(const CancellationToken& cancellation) {
  try {
    return engine_->Probe(cancellation);
  } catch (const std::exception& error) {
    return absl::UnavailableError(StrCat(name_, " threw an exception: ", error.what()));
  } catch (...) {
    return absl::UnavailableError(StrCat(name_, " threw an exception"));
  }
}

}  // namespace logquery::experimental
