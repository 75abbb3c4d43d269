// Runs a query on a leased connection and streams its rows; reads only the newest rows if they suffice.
#include "lib/engines/duckdb/backend/execution.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/bind.h"
#include "lib/engines/duckdb/backend/engine_memory.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/errors.h"
#include "lib/engines/duckdb/backend/packed_rows.h"
#include "lib/engines/duckdb/backend/result_view.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/engines/duckdb/backend/source/source_function.h"

namespace logquery::duckdb {
namespace {

// The latest or earliest of the slots' times; `otherwise` when there is none.
absl::Time Bound(const std::vector<size_t>& slots, const Bindings& bindings, bool latest, absl::Time otherwise) {
  absl::Time bound = otherwise;
  for (const size_t slot : slots) {
    if (slot >= bindings.size() || bindings[slot].is_null()) continue;
    const absl::Time time = absl::FromUnixMicros(bindings[slot].int64_value());
    bound = latest ? std::max(bound, time) : std::min(bound, time);
  }
  return bound;
}

class Execution {
 public:
  Execution(Connection& connection, const DataVersion& version, MarkedTables* marked, const ExecutionLimits& limits,
            BatchSink& sink)
      : connection_(connection), version_(version), marked_(marked), limits_(limits), sink_(sink) {}

  absl::Status Run(const PreparedQuery& query, const Bindings& bindings, NewestFirst* newest) {
    absl::Status status = newest == nullptr ? RunToEnd(query, bindings) : RunNewestFirst(query, bindings, *newest);
    if (lost_error_) status = FindLostError(query, bindings);
    if (status.ok() && marked_ != nullptr) sink_.SetMarks(std::move(marks_));
    return status;
  }

  // The engine has nothing open any more: all rows are through, or an error of theirs ended it.
  bool finished() const { return finished_; }

 private:
  // The query in growing windows from the newest end, until one holds all the rows that are wanted.
  absl::Status RunNewestFirst(const PreparedQuery& query, Bindings bindings, NewestFirst& newest) {
    const TopNByTime& top = *query.top_n_by_time();
    const NewestWindows::Wanted wanted = {.rows = std::min(top.limit, limits_.max_rows),
                                          .not_after = Bound(top.not_after, bindings, false, absl::InfiniteFuture()),
                                          .not_before = Bound(top.not_before, bindings, true, absl::InfinitePast())};
    LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<NewestWindows> windows,
                              newest.OpenWindows(connection_.raw(), version_.Read(), wanted));
    const Value earliest = bindings[top.floor];
    const absl::Time packed_from = query.packed() ? windows->packed_from() : absl::InfiniteFuture();
    if (packed_from != absl::InfiniteFuture() && windows->floor() < packed_from) {
      // The rows from then on alone, which are all if the query is for none before.
      bindings[top.floor] = Value::Timestamp(packed_from);
      wanted_ = wanted.not_before >= packed_from ? 0 : wanted.rows;
      LOGQUERY_RETURN_IF_ERROR(RunWindow(query, bindings, newest, /*packed=*/true));
      if (found_ >= wanted_) return absl::OkStatus();
    }
    while (!windows->last()) {
      bindings[top.floor] = Value::Timestamp(windows->floor());
      wanted_ = wanted.rows;
      LOGQUERY_RETURN_IF_ERROR(RunWindow(query, bindings, newest, windows->floor() >= packed_from));
      if (found_ >= wanted_) return absl::OkStatus();
      windows->Grow(found_);
    }
    bindings[top.floor] = earliest;
    wanted_ = 0;
    return RunWindow(query, bindings, newest, packed_from == absl::InfinitePast());
  }

  // Runs the query in its packed form if that is asked for, and as it is if a row has no packed record.
  absl::Status RunWindow(const PreparedQuery& query, const Bindings& bindings, NewestFirst& newest, bool packed) {
    packs_ = packed && !can_not_pack_;
    dictionaries_ = newest.dictionaries();
    if (packs_) {
      const absl::Status status = RunToEnd(query, bindings);
      packs_ = false;
      if (!status.ok() || !can_not_pack_) return status;
      if (lacks_record_) newest.NotePackedIsMissing();
    }
    return RunToEnd(query, bindings);
  }

  absl::Status RunToEnd(const PreparedQuery& query, const Bindings& bindings) {
    const std::string& text = packs_ ? query.packed()->text : query.dialect_text();
    finished_ = false;
    const DataVersion::Stamp stamp = version_.Read();
    const bool knows_marks = FindMarks(stamp);
    const duckdb_prepared_statement cached = knows_marks ? connection_.FindPrepared(text, stamp) : nullptr;
    if (cached != nullptr) {
      PendingHandle pending;
      const absl::Cleanup stop = [this] { StopWorkers(); };
      LOGQUERY_RETURN_IF_ERROR(Start(cached, query, bindings, pending));
      // The statement's transaction has begun: if nothing has changed up to here, it sees the rows that the statement is for.
      if (version_.Read() == stamp) return Finish(cached, query, pending);
    }
    // One transaction guarantees that the plan matches the rows that are read, whatever is committed meanwhile.
    LOGQUERY_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(connection_.raw()));
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb_prepared_statement statement, connection_.Prepare(text, stamp));
    // Looking tables up has fixed the rows that the transaction sees: if nothing has changed up to here, those of `stamp`.
    if (!knows_marks || !(version_.Read() == stamp)) LOGQUERY_RETURN_IF_ERROR(ReadMarksFor(stamp));
    PendingHandle pending;
    const absl::Cleanup stop = [this] { StopWorkers(); };
    LOGQUERY_RETURN_IF_ERROR(Start(statement, query, bindings, pending));
    LOGQUERY_RETURN_IF_ERROR(Finish(statement, query, pending));
    return finished_ ? transaction.Commit() : absl::OkStatus();
  }

  // False: the tables' marks have to be read.
  bool FindMarks(const DataVersion::Stamp& stamp) {
    if (marked_ == nullptr) return true;
    std::optional<std::vector<TableMark>> known = marked_->Find(stamp);
    if (!known) return false;
    marks_ = *std::move(known);
    return true;
  }

  // The marks of the rows that the transaction sees, which has begun with this if not before. `stamp` is older than that.
  absl::Status ReadMarksFor(const DataVersion::Stamp& stamp) {
    if (marked_ == nullptr) return absl::OkStatus();
    LOGQUERY_ASSIGN_OR_RETURN(marks_, marked_->Read(connection_.raw()));
    if (stamp.settled && version_.Read() == stamp) marked_->Keep(marks_, stamp);
    return absl::OkStatus();
  }

  // Ending a started execution waits for its workers, and only an interrupt makes them stop before their work is done.
  // The engine ignores interrupts that come before the next statement begins.
  void StopWorkers() {
    if (!finished_) duckdb_interrupt(connection_.raw());
  }

  absl::Status Start(duckdb_prepared_statement statement, const PreparedQuery& query, const Bindings& bindings,
                     PendingHandle& pending) {
    LOGQUERY_RETURN_IF_ERROR(BindAll(statement, query, bindings));
    if (duckdb_pending_prepared_streaming(statement, pending.out()) != DuckDBSuccess) {
      return Failed(duckdb_pending_error(pending.get()));
    }
    // The engine forgets interrupts that came before this point.
    return StoppedStatus(connection_.stop_reason(), limits_.time_limit);
  }

  absl::Status Finish(duckdb_prepared_statement statement, const PreparedQuery& query, PendingHandle& pending) {
    // Values are let go with the execution: a cached statement would keep the last ones alive.
    const absl::Cleanup clear = [statement] { duckdb_clear_bindings(statement); };
    LOGQUERY_RETURN_IF_ERROR(AwaitRows(pending));
    Result result;
    if (duckdb_execute_pending(pending.get(), result.out()) != DuckDBSuccess) return Failed(result.error());
    if (packs_) return StreamIfPacked(result, query);
    LOGQUERY_ASSIGN_OR_RETURN(ResultView view, ResultView::Create(query.schema(), result.get()));
    return wanted_ > 0 ? StreamIfEnough(result, view) : Stream(result, view);
  }

  // Works until there are rows. While workers, or another engine, have all that is left, duckdb_execute_pending would ask for more
  // without a pause, on a processor that they and other queries need. Most are done in a moment, hence the first pauses.
  absl::Status AwaitRows(PendingHandle& pending) {
    constexpr int kShortPauses = 1'000;
    constexpr absl::Duration kPause = absl::Microseconds(100);
    for (int pauses = 0;;) {
      switch (duckdb_pending_execute_task(pending.get())) {
        case DUCKDB_PENDING_RESULT_READY:
          return absl::OkStatus();
        case DUCKDB_PENDING_ERROR:
          return Failed(duckdb_pending_error(pending.get()));
        case DUCKDB_PENDING_RESULT_NOT_READY:
          pauses = 0;
          break;
        case DUCKDB_PENDING_NO_TASKS_AVAILABLE:
          if (++pauses <= kShortPauses) {
            std::this_thread::yield();
          } else {
            absl::SleepFor(kPause);
          }
          break;
      }
    }
  }

  absl::Status Stream(Result& result, ResultView& view) {
    const int64_t vector_size = static_cast<int64_t>(duckdb_vector_size());
    int64_t left = limits_.max_rows;
    bool last_was_short = false;
    while (left > 0 || last_was_short) {
      const ChunkHandle chunk(duckdb_fetch_chunk(*result.get()));
      const int64_t size = chunk ? static_cast<int64_t>(duckdb_data_chunk_get_size(chunk.get())) : 0;
      if (size == 0) {
        if (const std::string_view error = result.error(); !error.empty()) return Failed(error);
        finished_ = true;
        return absl::OkStatus();
      }
      if (left == 0) break;
      LOGQUERY_RETURN_IF_ERROR(Append(view, chunk, std::min(left, size)));
      LOGQUERY_RETURN_IF_ERROR(StoppedStatus(connection_.stop_reason(), limits_.time_limit));
      left -= std::min(left, size);
      // With all rows handed over, a chunk that is not full is likely the last one. Asking once more costs nothing
      // then, and the connection of a finished stream can be kept.
      last_was_short = size < vector_size;
    }
    return absl::OkStatus();
  }

  absl::Status Append(ResultView& view, const ChunkHandle& chunk, int64_t rows) {
    const EngineMemory memory;
    return sink_.Append(view.Lay(chunk.get(), rows));
  }

  // Hands the rows on only if there are as many as are wanted; they are few.
  absl::Status StreamIfEnough(Result& result, ResultView& view) {
    std::vector<ChunkHandle> chunks;
    found_ = 0;
    while (ChunkHandle chunk{duckdb_fetch_chunk(*result.get())}) {
      if (duckdb_data_chunk_get_size(chunk.get()) == 0) break;
      found_ += static_cast<int64_t>(duckdb_data_chunk_get_size(chunk.get()));
      chunks.push_back(std::move(chunk));
      LOGQUERY_RETURN_IF_ERROR(StoppedStatus(connection_.stop_reason(), limits_.time_limit));
    }
    if (const std::string_view error = result.error(); !error.empty()) return Failed(error);
    finished_ = true;
    if (found_ < wanted_) return absl::OkStatus();
    int64_t left = limits_.max_rows;
    for (const ChunkHandle& chunk : chunks) {
      const int64_t size = static_cast<int64_t>(duckdb_data_chunk_get_size(chunk.get()));
      LOGQUERY_RETURN_IF_ERROR(Append(view, chunk, std::min(left, size)));
      left -= std::min(left, size);
      if (left == 0) break;
    }
    return absl::OkStatus();
  }

  // Hands the rows on only if all have their packed records, and if there are as many as are wanted.
  absl::Status StreamIfPacked(Result& result, const PreparedQuery& query) {
    LOGQUERY_ASSIGN_OR_RETURN(PackedRows rows, PackedRows::Create(query, dictionaries_, result.get()));
    bool are_packed = true;
    found_ = 0;
    while (ChunkHandle chunk{duckdb_fetch_chunk(*result.get())}) {
      const int64_t size = static_cast<int64_t>(duckdb_data_chunk_get_size(chunk.get()));
      if (size == 0) break;
      const int64_t left = limits_.max_rows - found_;
      if (are_packed && left > 0) are_packed = rows.Take(std::move(chunk), std::min(left, size));
      found_ += size;
      LOGQUERY_RETURN_IF_ERROR(StoppedStatus(connection_.stop_reason(), limits_.time_limit));
    }
    if (const std::string_view error = result.error(); !error.empty()) return Failed(error);
    finished_ = true;
    if (found_ < wanted_) return absl::OkStatus();
    can_not_pack_ = !are_packed;
    lacks_record_ = rows.lacks_record();
    return are_packed ? rows.PassOn(sink_) : absl::OkStatus();
  }

  // Finds the error of a query that the engine, and nobody else, ended as interrupted. The engine interrupts a query's other
  // workers when one fails, and a thread that fetches a chunk at that moment is told only of the interrupt: since DuckDB 1.5.0,
  // SimpleBufferedData::ExecuteTaskInternal looks for an interrupt before it looks for the error, which is then gone. So the
  // query runs once more. EXPLAIN ANALYZE runs all of it, keeps no rows, and fails with the worker's error.
  absl::Status FindLostError(const PreparedQuery& query, const Bindings& bindings) {
    if (const SourceRun* run = connection_.state().source_run; run != nullptr) {
      LOGQUERY_RETURN_IF_ERROR(run->failure());
    }
    StatementHandle statement;
    const std::string sql = absl::StrCat("EXPLAIN ANALYZE ", query.dialect_text());
    if (duckdb_prepare(connection_.raw(), sql.c_str(), statement.out()) != DuckDBSuccess) {
      return Failed(duckdb_prepare_error(statement.get()));
    }
    PendingHandle pending;
    const absl::Cleanup stop = [this] { StopWorkers(); };
    LOGQUERY_RETURN_IF_ERROR(Start(statement.get(), query, bindings, pending));
    LOGQUERY_RETURN_IF_ERROR(AwaitRows(pending));
    return absl::UnavailableError(
        "the log database ended the query with an error that did not come again when it was repeated; try again");
  }

  absl::Status Failed(std::string_view message) {
    absl::Status status = ErrorFromDuckDb(message);
    finished_ = absl::IsInvalidArgument(status);
    lost_error_ = absl::IsCancelled(status) && connection_.stop_reason() == StopReason::kNone;
    return status;
  }

  Connection& connection_;
  const DataVersion& version_;
  MarkedTables* const marked_;
  const ExecutionLimits& limits_;
  BatchSink& sink_;
  std::vector<TableMark> marks_;  // of the rows that were read last
  bool finished_ = false;
  bool lost_error_ = false;  // the engine says that the query was interrupted, and not why
  int64_t wanted_ = 0;       // rows without which none is handed on; 0: all are, as they come
  int64_t found_ = 0;
  bool packs_ = false;  // the packed form runs
  const backend::RecordDictionaries* dictionaries_ = nullptr;
  bool can_not_pack_ = false;  // the rows that are wanted have to be read from their fields
  bool lacks_record_ = false;  // because one has no packed record
};

// Leases a connection, and runs `run` on it until it ends or has to: the deadline, or a cancellation. `run` returns
// whether the connection can be kept.
absl::Status RunOnConnection(ConnectionPool& pool, Deadlines& deadlines, const ExecutionLimits& limits,
                             const CancellationToken& cancellation, SourceRun* sources,
                             absl::FunctionRef<bool(Connection&, absl::Status&)> run) {
  if (cancellation.IsCancelled()) return StoppedStatus(StopReason::kCancelled, limits.time_limit);
  if (limits.time_limit <= absl::ZeroDuration()) return StoppedStatus(StopReason::kDeadline, limits.time_limit);
  LOGQUERY_ASSIGN_OR_RETURN(ConnectionPool::Lease lease, pool.Acquire());
  const std::shared_ptr<Connection>& connection = lease.connection();
  const uint64_t generation = connection->Begin(sources);
  absl::Status status;
  bool keep = false;
  {
    const absl::StatusOr<Deadlines::Guard> deadline = deadlines.Add(
        limits.time_limit, [connection, generation] { connection->Stop(generation, StopReason::kDeadline); });
    if (!deadline.ok()) {
      connection->End();
      lease.Keep();
      return deadline.status();
    }
    const CancellationToken::Registration registration =
        cancellation.OnCancel([connection, generation] { connection->Stop(generation, StopReason::kCancelled); });
    keep = run(*connection, status);
  }
  connection->End();
  const StopReason reason = connection->stop_reason();
  if (keep && reason == StopReason::kNone) lease.Keep();
  // Stopping shows as one of several errors of the engine's; why it was stopped is the better answer.
  return !status.ok() && reason != StopReason::kNone ? StoppedStatus(reason, limits.time_limit) : status;
}

absl::Status PassRows(const PreparedQuery& query, SourceScan& scan, Connection& connection, int64_t left,
                      BatchSink& sink) {
  std::vector<TypeHandle> types;
  std::vector<duckdb_logical_type> raw_types;
  for (const Field& column : query.schema()) {
    types.push_back(LogicalType(column.type, /*named_json=*/true));
    raw_types.push_back(types.back().get());
  }
  const ChunkHandle chunk(duckdb_create_data_chunk(raw_types.data(), raw_types.size()));
  ResultView view = ResultView::OfChunks(query.schema(), raw_types);
  while (left > 0) {
    const EngineMemory memory;
    duckdb_data_chunk_reset(chunk.get());
    LOGQUERY_RETURN_IF_ERROR(scan.Fill(chunk.get(), connection.state()));
    const auto rows = static_cast<int64_t>(duckdb_data_chunk_get_size(chunk.get()));
    if (rows == 0) return absl::OkStatus();
    LOGQUERY_RETURN_IF_ERROR(sink.Append(view.Lay(chunk.get(), std::min(left, rows))));
    if (connection.stop_reason() != StopReason::kNone) return absl::CancelledError("the query was stopped");
    left -= std::min(left, rows);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Execute(ConnectionPool& pool, Deadlines& deadlines, const PreparedQuery& query, const Bindings& bindings,
                     NewestFirst* newest, MarkedTables* marked, const ExecutionLimits& limits,
                     const CancellationToken& cancellation, BatchSink& sink, SourceRun* sources) {
  return RunOnConnection(pool, deadlines, limits, cancellation, sources,
                         [&](Connection& connection, absl::Status& status) {
                           Execution execution(connection, pool.version(), marked, limits, sink);
                           status = execution.Run(query, bindings, newest);
                           return execution.finished();
                         });
}

absl::Status ExecutePassThrough(ConnectionPool& pool, Deadlines& deadlines, const PreparedQuery& query,
                                const std::shared_ptr<const SourceTableList>& tables, ScanBounds bounds,
                                const ExecutionLimits& limits, const CancellationToken& cancellation, BatchSink& sink) {
  return RunOnConnection(pool, deadlines, limits, cancellation, nullptr,
                         [&](Connection& connection, absl::Status& status) {
                           ScanRequest request;
                           request.columns = *query.pass_through();
                           SourceScan scan(tables, 0, std::move(request), bounds);
                           status = PassRows(query, scan, connection, limits.max_rows, sink);
                           return true;
                         });
}

}  // namespace logquery::duckdb
