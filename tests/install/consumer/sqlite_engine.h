// SQLite as an engine of logquery: somebody else's project, which uses the installed package and nothing more.
#ifndef SQLITE_ENGINE_H_
#define SQLITE_ENGINE_H_

#include <sqlite3.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "logquery/experimental/fragment_engine.h"

// Functions that SQLite computes as GoogleSQL does. Times are integers of microseconds, BOOL is 0 or 1, records are JSON text.
const logquery::EngineSpellings& SqliteSpellings();

// A connection for each statement. Thread-safe.
class SqliteEngine : public logquery::FragmentEngine {
 public:
  SqliteEngine(std::string file, std::vector<logquery::Table> tables)
      : file_(std::move(file)), tables_(std::move(tables)) {}

  absl::StatusOr<logquery::Catalog> ReadCatalog() override { return logquery::Catalog(tables_, 1); }
  absl::Status Run(const logquery::EngineStatement& statement, const logquery::CancellationToken& cancellation,
                   logquery::BatchSink& sink) override;
  absl::Status Probe(const logquery::CancellationToken& cancellation) override;

  // The texts that it has run since the last call.
  std::vector<std::string> TakeTexts();

 private:
  const std::string file_;
  const std::vector<logquery::Table> tables_;
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

// A connection to a file, with statements that return no rows. For filling it.
class SqliteFile {
 public:
  explicit SqliteFile(const std::string& file);
  ~SqliteFile();
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  // Creates the table, with a generated column for each hot column.
  absl::Status Create(const logquery::Table& table);
  // Adds a row of values, in the order of the table's columns.
  absl::Status Insert(const logquery::Table& table, const std::vector<logquery::Value>& row);
  // Adds a row of a log, from the JSON that a log store also takes. Its times are integers of microseconds.
  absl::Status InsertJson(const logquery::Table& table, const std::string& json);
  absl::Status Execute(const std::string& sql);

 private:
  absl::Status Insert(const std::string& sql, const std::vector<logquery::Value>& values);
  sqlite3* db_ = nullptr;
};

#endif  // SQLITE_ENGINE_H_
