// Each file is one COPY statement on a thread of its own, which reads the rows as they come. The engine has a single thread, so
// that rows keep their order, and writes into the file by its descriptor: no name is left behind, whatever happens.
#include "logquery/duckdb/parquet_writer.h"

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/errors.h"
#include "lib/engines/duckdb/backend/row_handover.h"

namespace logquery::duckdb {
namespace {

constexpr char kRowGroupBytes[] = "4MB";
// The only folder that the engine can reach. It resolves links before it compares, but no name leads to an unnamed file.
constexpr char kOwnFiles[] = "/proc/self/fd/";

// The order of members matters: the function must outlive the database.
struct FileEngine {
  explicit FileEngine(Database opened) : database(std::move(opened)) {}
  RowsFunction function;
  Database database;
  std::atomic<bool> may_have_stopped{false};  // so that the next file needs another engine
};

absl::StatusOr<std::shared_ptr<FileEngine>> OpenFileEngine(int64_t memory_limit_bytes) {
  DatabaseOptions options;
  options.memory_limit_bytes = memory_limit_bytes;
  options.threads = 1;
  options.files_folder = kOwnFiles;
  options.keeps_order = false;
  LOGQUERY_ASSIGN_OR_RETURN(Database database, Database::Open(options));
  auto engine = std::make_shared<FileEngine>(std::move(database));
  LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, engine->database.Connect());
  LOGQUERY_RETURN_IF_ERROR(engine->function.Register(connection.get()));
  return engine;
}

absl::Status CopyError(std::string_view message) {
  if (IsDiskFull(message)) return absl::UnavailableError("the answer's file can't be written: the disk is full");
  absl::Status status = ErrorFromDuckDb(message);
  if (!absl::IsResourceExhausted(status)) return status;
  return ResourcesExceeded(absl::ResourceExhaustedError(
      "the rows need more memory than the server has for writing Parquet; select fewer columns, or ask for another "
      "format"));
}

class File final : public ParquetFile {
 public:
  File(std::shared_ptr<FileEngine> engine, ConnectionHandle connection, const Schema& schema)
      : engine_(std::move(engine)),
        connection_(std::move(connection)),
        handover_(schema),
        id_(engine_->function.Add(&handover_)) {}
  ~File() override {
    handover_.Abandon();
    if (thread_.joinable()) {
      duckdb_interrupt(connection_.get());
      thread_.join();
    }
    engine_->function.Remove(id_);
  }

  absl::Status Start(const std::string& path) {
    std::string sql = base::StrCat("COPY (SELECT * FROM logquery_rows(", id_, ")) TO ", QuoteText(path),
                                   " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE_BYTES '",
                                   kRowGroupBytes, "')");
    absl::StatusOr<std::thread> thread = base::StartThread([this, sql = std::move(sql)] { Write(sql); });
    if (!thread.ok()) return absl::UnavailableError(thread.status().message());
    thread_ = *std::move(thread);
    return absl::OkStatus();
  }

  absl::Status Append(const Batch& batch) override { return handover_.Append(batch); }
  absl::Status Finish() override { return handover_.Close(); }

 private:
  void Write(const std::string& sql) {
    Result result;
    const bool written = duckdb_query(connection_.get(), sql.c_str(), result.out()) == DuckDBSuccess;
    absl::Status outcome = written ? absl::OkStatus() : CopyError(result.error());
    if (MayHaveStopped(outcome)) engine_->may_have_stopped = true;
    handover_.End(std::move(outcome));
  }

  const std::shared_ptr<FileEngine> engine_;
  const ConnectionHandle connection_;
  RowHandover handover_;
  const int64_t id_;
  std::thread thread_;
};

class Writer final : public ParquetWriter {
 public:
  explicit Writer(const DuckDbParquetOptions& options) : options_(options) {}

  absl::StatusOr<std::unique_ptr<ParquetFile>> Begin(const Schema& schema, const std::string& path) override {
    LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<FileEngine> engine, Use());
    LOGQUERY_ASSIGN_OR_RETURN(ConnectionHandle connection, engine->database.Connect());
    auto file = std::make_unique<File>(std::move(engine), std::move(connection), schema);
    LOGQUERY_RETURN_IF_ERROR(file->Start(path));
    return file;
  }

 private:
  absl::StatusOr<std::shared_ptr<FileEngine>> Use() {
    absl::MutexLock lock(&mutex_);
    if (engine_ == nullptr || engine_->may_have_stopped) {
      LOGQUERY_ASSIGN_OR_RETURN(engine_, OpenFileEngine(options_.memory_limit_bytes));
    }
    return engine_;
  }

  const DuckDbParquetOptions options_;
  absl::Mutex mutex_;
  std::shared_ptr<FileEngine> engine_ ABSL_GUARDED_BY(mutex_);  // nullptr: not open
};

}  // namespace
}  // namespace logquery::duckdb

namespace logquery {

std::unique_ptr<ParquetWriter> MakeDuckDbParquetWriter(const DuckDbParquetOptions& options) {
  return std::make_unique<duckdb::Writer>(options);
}

}  // namespace logquery
