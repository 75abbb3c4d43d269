// The log store of an open folder: loads, appends and maintenance, one writer at a time.
#include "lib/store/log_store_impl.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/model/own_logs.h"
#include "lib/store/folder/disk_room.h"
#include "lib/store/learn/learned_books.h"
#include "lib/store/load/file_group.h"
#include "lib/store/load/input_loader.h"
#include "lib/store/load/project_rows.h"
#include "lib/store/load/rejected_rows.h"
#include "lib/store/log_store_loading.h"
#include "lib/store/rows/input_files.h"
#include "lib/store/rows/row_plan.h"
#include "lib/store/tables/change_books.h"
#include "lib/store/tables/clock_books.h"
#include "lib/store/tables/dictionary_books.h"
#include "lib/store/tables/load_books.h"
#include "lib/store/tables/source_books.h"
#include "lib/store/tables/store_schema.h"
#include "logquery/clock.h"

namespace logquery::store {
namespace {

// Checks the files before anything is loaded.
absl::Status CheckFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (file != "-" && access(file.c_str(), R_OK) != 0) return ErrnoStatus(errno, file);
  }
  return absl::OkStatus();
}

absl::Status CheckRows(const std::vector<std::string_view>& rows) {
  for (const std::string_view& row : rows) {
    if (row.size() <= kMaxLineBytes) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("row ", &row - rows.data() + 1, " is longer than ", kMaxLineBytes >> 20, " MiB"));
  }
  return absl::OkStatus();
}

// Returns the identity of the batch of that name. A batch without a name differs from every other.
absl::StatusOr<LoadInput> BatchInput(const std::string& name) {
  constexpr size_t kIdDigits = 16;
  if (!name.empty()) {
    const std::string digest = base::Sha256Hex(base::StrCat("batch ", name));
    return LoadInput{name, base::StrCat("batch ", digest), digest.substr(0, kIdDigits)};
  }
  uint64_t random = 0;
  if (getrandom(&random, sizeof(random), 0) != sizeof(random)) return ErrnoStatus(errno, "random bytes");
  const std::string id = absl::StrCat(absl::Hex(random, absl::kZeroPad16));
  return LoadInput{"append", absl::StrCat("append ", id), id, /*once=*/false};
}

}  // namespace

absl::StatusOr<std::unique_ptr<LogStoreImpl>> LogStoreImpl::Open(const DataFolder* folder, duckdb::Engine* engine,
                                                                 RollbackJournal* journal, duckdb_connection connection,
                                                                 LiveSchema* schema, LiveTables* tables,
                                                                 backend::RecordDictionaries* dictionaries,
                                                                 PackedRecords packed) {
  {
    LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<duckdb::Engine::State> state, engine->Use());
    // A full disk must not keep the folder from being opened. Then nothing is changed until there is room for the journal.
    const absl::Status saved = journal->Save(state->database);
    if (!absl::IsResourceExhausted(saved)) LOGQUERY_RETURN_IF_ERROR(saved);
  }
  LOGQUERY_RETURN_IF_ERROR(
      EnsureTables(connection, *schema->Read(), [](duckdb::Transaction& all) { return all.Commit(); }));
  if (CheckRoom(folder->path()).ok()) LOGQUERY_RETURN_IF_ERROR(FollowClock(connection));
  LOGQUERY_ASSIGN_OR_RETURN(auto learned, ReadLearned(connection));
  LOGQUERY_ASSIGN_OR_RETURN(auto trained, ReadDictionaries(connection));
  std::unique_ptr<LogStoreImpl> store(new LogStoreImpl(folder, engine, journal, schema, tables, dictionaries, packed));
  {
    absl::MutexLock lock(&store->load_mutex_);
    for (auto& [table, columns] : learned) store->learned_[table].learned = std::move(columns);
    for (auto& [table, of_table] : trained) {
      for (TrainedDictionary& one : of_table) store->DictionaryOf(table).Restore(std::move(one));
    }
  }
  LOGQUERY_RETURN_IF_ERROR(store->SettleRejected(connection));
  LOGQUERY_RETURN_IF_ERROR(store->event_rejects_.Settle(connection));
  return store;
}

LogDictionary& LogStoreImpl::DictionaryOf(const std::string& table) {
  std::unique_ptr<LogDictionary>& dictionary = log_dictionaries_[table];
  if (dictionary == nullptr) dictionary = std::make_unique<LogDictionary>(dictionaries_);
  return *dictionary;
}

absl::Status LogStoreImpl::ForgetDictionaries(duckdb_connection connection, const std::string& table,
                                              const std::optional<std::string>& project,
                                              std::optional<absl::Time> before) {
  DictionaryOf(table).Forget(project,
                             before.has_value() ? std::optional<int64_t>(absl::ToUnixMicros(*before)) : std::nullopt);
  return RemoveDictionaries(connection, table, project, before);
}

absl::Status LogStoreImpl::SettleRejected(duckdb_connection connection) const {
  LOGQUERY_RETURN_IF_ERROR(SettleErased(folder_->rejected_folder()));
  LOGQUERY_ASSIGN_OR_RETURN(const base::StringSet names, ReadRejectedNames(connection));
  return RejectedRows::Settle(folder_->rejected_folder(),
                              [&](const std::string& name) { return names.contains(name); });
}

absl::Status LogStoreImpl::Alone(absl::FunctionRef<absl::Status(duckdb::Engine::State& state)> work) {
  absl::MutexLock lock(&load_mutex_);
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<duckdb::Engine::State> state, engine_->Use());
  absl::Status status = journal_->Save(state->database);
  if (status.ok()) {
    status = work(*state);
    // For the checkpoint with which the engine closes the database. The next change meets and reports an error.
    journal_->Save(state->database).IgnoreError();
  }
  if (!status.ok()) engine_->Recover(std::move(state));
  return status;
}

absl::StatusOr<LoadReport> LogStoreImpl::Exclusively(
    absl::FunctionRef<absl::Status(duckdb::Engine::State& state, LoadReport* report)> load) {
  absl::Duration start;
  LoadReport report;
  LOGQUERY_RETURN_IF_ERROR(Alone([&](duckdb::Engine::State& state) {
    start = Clock::Real()->Monotonic();
    return load(state, &report);
  }));
  std::vector<std::string>& fields = report.undeclared_fields;
  std::sort(fields.begin(), fields.end());
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  report.time = Clock::Real()->Monotonic() - start;
  CheckpointIfQuiet();
  return report;
}

void LogStoreImpl::CheckpointIfQuiet(int64_t worth) {
  const absl::Status status = Alone([&](duckdb::Engine::State& state) -> absl::Status {
    std::error_code none;  // there is no such file when nothing was written since the last one
    const uintmax_t bytes = std::filesystem::file_size(folder_->log_file(), none);
    if (none || bytes < static_cast<uintmax_t>(worth) || state.pool.IsInUse()) return absl::OkStatus();
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    return RunCheckpoint(state, connection.get());
  });
  // The rows are stored durably all the same. The next load will meet and report the cause, such as a full disk.
  status.IgnoreError();
}

absl::StatusOr<LoadReport> LogStoreImpl::Load(const LoadRequest& request,
                                              const std::function<void(const LoadProgress&)>& progress) {
  LOGQUERY_RETURN_IF_ERROR(FindTable(request.table).status());
  LOGQUERY_RETURN_IF_ERROR(CheckFiles(request.files));
  return Exclusively([&](duckdb::Engine::State& state, LoadReport* report) -> absl::Status {
    load_mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<const TableLayout> layout, FindTable(request.table));
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    std::vector<std::vector<std::string>> groups(request.together ? 1 : 0, request.files);
    if (!request.together) {
      for (const std::string& file : request.files) groups.push_back({file});
    }
    for (const std::vector<std::string>& group : groups) {
      LOGQUERY_RETURN_IF_ERROR(journal_->Save(state.database));
      Loading loading(*this, state, connection.get(), *layout, request);
      LOGQUERY_RETURN_IF_ERROR(LoadGroup(loading, group, progress, report));
    }
    return absl::OkStatus();
  });
}

// Files without new fields are read once. At the first new field everything is rolled back and every row is surveyed,
// so that one change covers all new fields, and the rows are stored with it.
absl::Status LogStoreImpl::LoadGroup(Loading& loading, const std::vector<std::string>& files,
                                     const std::function<void(const LoadProgress&)>& progress, LoadReport* report) {
  InputFiles inputs(folder_->temporary_folder(), /*keeps_all=*/files.size() == 1);
  InputLoader::Survey first;
  {
    FileGroup group(loading.Share(&first), &inputs, &loading.learner, progress);
    for (const std::string& file : files) {
      LOGQUERY_RETURN_IF_ERROR(group.Take(file));
      if (first.found.has_news()) break;
    }
    if (!first.found.has_news()) return group.Commit(loading.version, loading.marks, report);
  }
  InputLoader::Survey all;
  const InputLoader::Shared shared = loading.Share(&all);
  for (const std::string& name : files) {
    LOGQUERY_ASSIGN_OR_RETURN(InputFile* const file, inputs.Open(name));
    LOGQUERY_ASSIGN_OR_RETURN(const std::optional<LoadEntry> before, InputLoader::FindFile(shared, file->digest()));
    if (before.has_value()) continue;
    LineReader reader(file, name);
    LOGQUERY_RETURN_IF_ERROR(InputLoader::Look(shared, reader));
  }
  loading.learner.Decide(all.found);
  FileGroup group(loading.Share(nullptr), &inputs, &loading.learner, progress);
  for (const std::string& file : files) LOGQUERY_RETURN_IF_ERROR(group.Take(file));
  return group.Commit(loading.version, loading.marks, report);
}

absl::StatusOr<LoadReport> LogStoreImpl::Append(const AppendRequest& request) {
  LOGQUERY_RETURN_IF_ERROR(FindTable(request.table).status());
  LOGQUERY_RETURN_IF_ERROR(CheckRows(request.rows));
  return Exclusively([&](duckdb::Engine::State& state, LoadReport* report) -> absl::Status {
    load_mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<const TableLayout> layout, FindTable(request.table));
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(const LoadInput input, BatchInput(request.batch));
    Loading loading(*this, state, connection.get(), *layout, request);
    InputLoader::Survey first;
    LOGQUERY_ASSIGN_OR_RETURN(bool has_news, AppendRows(loading, &first, input, request, report));
    if (!has_news) return absl::OkStatus();
    InputLoader::Survey all;
    MemoryReader reader(&request.rows);
    LOGQUERY_RETURN_IF_ERROR(InputLoader::Look(loading.Share(&all), reader));
    loading.learner.Decide(all.found);
    return AppendRows(loading, nullptr, input, request, report).status();
  });
}

absl::StatusOr<bool> LogStoreImpl::HasBatch(const std::string& table, const std::string& batch) {
  bool has = false;
  const absl::Status looked = Alone([&](duckdb::Engine::State& state) -> absl::Status {
    load_mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<const TableLayout> layout, FindTable(table));
    LOGQUERY_ASSIGN_OR_RETURN(const LoadInput input, BatchInput(batch));
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_RETURN_IF_ERROR(loaded_.Fill(connection.get()));
    if (!loaded_.MayHave(layout->table.name, input.key)) return absl::OkStatus();
    LOGQUERY_ASSIGN_OR_RETURN(const std::optional<LoadEntry> before,
                              FindLoad(connection.get(), layout->table.name, input.key));
    has = before.has_value();
    return absl::OkStatus();
  });
  if (!looked.ok()) return looked;
  return has;
}

absl::StatusOr<bool> LogStoreImpl::AppendRows(Loading& loading, InputLoader::Survey* survey, const LoadInput& input,
                                              const AppendRequest& request, LoadReport* report) {
  InputLoader::Shared shared = loading.Share(survey);
  shared.keeps_rows = loading.marks->IsAskedFor(shared.plan->layout().table.name);
  LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(shared.connection));
  if (input.once) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::optional<LoadEntry> before, InputLoader::Find(shared, input.key));
    if (before.has_value()) {
      report->files_skipped.push_back(request.batch);
      return false;
    }
  }
  LOGQUERY_RETURN_IF_ERROR(loading.learner.Apply());
  InputLoader loader(shared, input);
  MemoryReader reader(&request.rows);
  LOGQUERY_RETURN_IF_ERROR(loader.Take(reader, nullptr));
  if (survey != nullptr && survey->found.has_news()) return true;
  LOGQUERY_ASSIGN_OR_RETURN(BookedChange booked,
                            BookChange(shared.connection, shared.plan->layout().table.name, loader.changed()));
  booked.added = loader.added();
  booked.may_move = MayCheckpoint(*shared.folder, loader.rows(), loader.bytes());
  LOGQUERY_RETURN_IF_ERROR(loading.learner.Commit(transaction, booked, loading.version, loading.marks));
  loading.learner.Report(report);
  LOGQUERY_RETURN_IF_ERROR(loader.Publish(report));
  return false;
}

absl::StatusOr<std::shared_ptr<const TableLayout>> LogStoreImpl::FindTable(const std::string& name) const {
  const std::shared_ptr<const FolderSchema> schema = schema_->Read();
  if (const TableLayout* const layout = schema->Find(name); layout != nullptr) {
    return std::shared_ptr<const TableLayout>(schema, layout);
  }
  std::string known;
  for (const TableLayout& layout : schema->layouts) {
    base::StrAppend(&known, known.empty() ? "" : ", ", layout.table.log.empty() ? layout.table.name : layout.table.log);
  }
  return absl::NotFoundError(base::StrCat("there is no table ", name, "; there are ", known));
}

absl::Status LogStoreImpl::Declare(const model::SchemaFile& declared) {
  return Alone([&](duckdb::Engine::State& state) -> absl::Status {
    load_mutex_.AssertHeld();
    const std::shared_ptr<const FolderSchema> before = schema_->Read();
    LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<const FolderSchema> now,
                              MakeFolderSchema(before->base, before->own, declared));
    if (model::SameOwnLogs(before->own, now->own)) return absl::OkStatus();
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    const auto commit = [&](duckdb::Transaction& transaction) -> absl::Status {
      for (const Table& table : declared.tables) {
        // One that is declared again is an operator's, also if a source made it.
        if (before->Find(table.name) == nullptr) continue;
        LOGQUERY_RETURN_IF_ERROR(ForgetSource(connection.get(), table.name));
      }
      LOGQUERY_ASSIGN_OR_RETURN(std::vector<LiveTable> tables, ReadTables(connection.get(), now->layouts));
      return tables_->PutWith(std::move(tables), [&] {
        const duckdb::DataVersion::Change changing(&state.database.version(), duckdb::DataVersion::Kind::kMoves);
        return transaction.Commit();
      });
    };
    LOGQUERY_RETURN_IF_ERROR(EnsureTables(connection.get(), *now, commit));
    schema_->Set(now);
    // Rows are parsed against the new columns from now on.
    for (const Table& table : declared.tables) learned_[table.name].plan = nullptr;
    if (declared.further.empty()) return absl::OkStatus();
    LOGQUERY_ASSIGN_OR_RETURN(auto learned, ReadLearned(connection.get()));
    for (const model::FurtherFields& further : declared.further) {
      LearnedState& state_of = learned_[further.table];
      state_of.learned = std::move(learned[further.table]);
      state_of.plan = nullptr;
    }
    return absl::OkStatus();
  });
}

absl::Status LogStoreImpl::BookSource(const std::string& table, const std::optional<std::string>& project) {
  return Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection.get()));
    LOGQUERY_RETURN_IF_ERROR(store::BookSource(connection.get(), table, project));
    return transaction.Commit();
  });
}

absl::Status LogStoreImpl::Hold(absl::FunctionRef<absl::Status()> read) {
  absl::MutexLock lock(&load_mutex_);
  return read();
}

namespace {

// Returns whether places of the table's rows are free, because rows were deleted; also if that can't be found out.
bool HasFreePlaces(duckdb_connection connection, const Table& table) {
  const absl::StatusOr<duckdb::TextRows> free =
      duckdb::Query(connection, base::StrCat("SELECT count(*) < max(rowid) + 1 FROM ", duckdb::QuoteName(table.name)));
  return !free.ok() || free->size() != 1 || (*free)[0][0] == "true";
}

}  // namespace

absl::Status LogStoreImpl::RunCheckpoint(duckdb::Engine::State& state, duckdb_connection connection) {
  const std::shared_ptr<const FolderSchema> schema = schema_->Read();
  if (std::none_of(schema->layouts.begin(), schema->layouts.end(),
                   [&](const TableLayout& layout) { return HasFreePlaces(connection, layout.table); })) {
    return duckdb::Run(connection, "CHECKPOINT");
  }
  const duckdb::DataVersion::Change change(&state.database.version(), duckdb::DataVersion::Kind::kMoves);
  return duckdb::Run(connection, "CHECKPOINT");
}

absl::Status LogStoreImpl::Checkpoint() {
  return Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    return RunCheckpoint(state, connection.get());
  });
}

}  // namespace logquery::store
