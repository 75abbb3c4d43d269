// The journal is a file beside the database:
//
//   magic | size of a block | number of blocks | the database's headers | positions of the blocks | the blocks
//
// with numbers as 8 bytes, lowest first. It appears under its name complete and on disk, or not at all.
#include "lib/store/folder/rollback_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/folder/durable_file.h"

namespace logquery::store {
namespace {

constexpr std::string_view kMagic = "logquery rollback journal 1\n";
constexpr char kEnd[] = ".rollback";
// DuckDB's file begins with three headers of 4 KiB. The first has the database's random name; the other two are written in turn, by
// one checkpoint each, and count them. Blocks follow.
constexpr size_t kHeaderBytes = 3 * 4096;
constexpr size_t kNumberBytes = 8;

std::string Number(uint64_t number) {
  std::string bytes;
  for (size_t i = 0; i < kNumberBytes; ++i) bytes += static_cast<char>(number >> (8 * i));
  return bytes;
}

// Reads `size` bytes at `position`. DataLoss: the file ends before.
absl::StatusOr<std::string> ReadAt(const File& file, uint64_t position, size_t size, const std::string& name) {
  std::string bytes(size, '\0');
  for (size_t done = 0; done < size;) {
    const ssize_t got = pread(file.fd(), &bytes[done], size - done, static_cast<off_t>(position + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoStatus(errno, name);
    if (got == 0) return absl::DataLossError(base::StrCat(name, " ends at byte ", position + done));
    done += static_cast<size_t>(got);
  }
  return bytes;
}

absl::Status WriteAt(const File& file, uint64_t position, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t put = pwrite(file.fd(), bytes.data(), bytes.size(), static_cast<off_t>(position));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return ErrnoStatus(errno, name);
    bytes.remove_prefix(static_cast<size_t>(put));
    position += static_cast<uint64_t>(put);
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> NumberAt(const File& file, uint64_t position, const std::string& name) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string bytes, ReadAt(file, position, kNumberBytes, name));
  uint64_t number = 0;
  for (size_t i = 0; i < kNumberBytes; ++i) number |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return number;
}

// A journal that is being read.
struct Journal {
  File file;
  std::string name;
  uint64_t block_bytes = 0;
  uint64_t blocks = 0;

  static constexpr uint64_t kHeadersAt = kMagic.size() + 2 * kNumberBytes;
  static constexpr uint64_t kPositionsAt = kHeadersAt + kHeaderBytes;
  uint64_t BlockAt(uint64_t i) const { return kPositionsAt + blocks * kNumberBytes + i * block_bytes; }
};

// nullopt: there is none, or another program's.
absl::StatusOr<std::optional<Journal>> OpenJournal(const std::string& name) {
  Journal journal{File(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)), name};
  if (!journal.file.is_open()) {
    if (errno == ENOENT) return std::nullopt;
    return ErrnoStatus(errno, name);
  }
  struct stat info;
  if (fstat(journal.file.fd(), &info) != 0) return ErrnoStatus(errno, name);
  if (static_cast<uint64_t>(info.st_size) < Journal::kPositionsAt) return std::nullopt;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string magic, ReadAt(journal.file, 0, kMagic.size(), name));
  if (magic != kMagic) return std::nullopt;
  LOGQUERY_ASSIGN_OR_RETURN(journal.block_bytes, NumberAt(journal.file, kMagic.size(), name));
  LOGQUERY_ASSIGN_OR_RETURN(journal.blocks, NumberAt(journal.file, kMagic.size() + kNumberBytes, name));
  const uint64_t rest = static_cast<uint64_t>(info.st_size) - Journal::kPositionsAt;
  if (journal.block_bytes == 0 || journal.blocks > rest / (kNumberBytes + journal.block_bytes)) return std::nullopt;
  return journal;
}

File OpenDatabase(const std::string& name, bool can_write) {
  return File(open(name.c_str(), (can_write ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW));
}

// Writes the journal's blocks to `database`, those that differ; returns their number. Without `writes` they are only counted.
absl::StatusOr<int> PutBlocksBack(const Journal& journal, const File& database, const std::string& name, bool writes) {
  int differ = 0;
  for (uint64_t i = 0; i < journal.blocks; ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(const uint64_t position,
                              NumberAt(journal.file, Journal::kPositionsAt + i * kNumberBytes, journal.name));
    LOGQUERY_ASSIGN_OR_RETURN(const std::string block,
                              ReadAt(journal.file, journal.BlockAt(i), journal.block_bytes, journal.name));
    LOGQUERY_ASSIGN_OR_RETURN(const std::string now, ReadAt(database, position, journal.block_bytes, name));
    if (now == block) continue;
    ++differ;
    if (writes) LOGQUERY_RETURN_IF_ERROR(WriteAt(database, position, block, name));
  }
  return differ;
}

// Returns the positions in the file of the blocks that have free places for metadata, and the size of a block first.
absl::StatusOr<std::vector<uint64_t>> BlocksWithFreePlaces(const duckdb::Database& database) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, database.Connect());
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection.get(),
                    "SELECT s.block_size, m.block_id FROM pragma_database_size() AS s LEFT JOIN (SELECT block_id FROM "
                    "pragma_metadata_info('logs') WHERE free_blocks > 0) AS m ON true WHERE s.database_name = 'logs'"));
  std::vector<uint64_t> found;
  for (const std::vector<std::string>& row : rows) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t bytes, duckdb::NumberIn(row[0]));
    if (found.empty()) found.push_back(static_cast<uint64_t>(bytes));
    if (row[1].empty()) continue;
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t block, duckdb::NumberIn(row[1]));
    found.push_back(kHeaderBytes + static_cast<uint64_t>(block) * static_cast<uint64_t>(bytes));
  }
  if (found.empty()) return absl::InternalError("DuckDB does not tell the size of its blocks");
  return found;
}

}  // namespace

absl::Status RollbackJournal::PutBack(const std::string& database_file, bool can_write) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<Journal> journal, OpenJournal(database_file + kEnd));
  if (!journal.has_value()) return absl::OkStatus();
  // Processes that open the folder for reading may come at the same time.
  while (flock(journal->file.fd(), LOCK_EX) != 0) {
    if (errno != EINTR) return ErrnoStatus(errno, journal->name);
  }
  File database = OpenDatabase(database_file, can_write);
  if (!database.is_open() && can_write && (errno == EACCES || errno == EPERM || errno == EROFS)) {
    can_write = false;
    database = OpenDatabase(database_file, can_write);
  }
  if (!database.is_open()) return errno == ENOENT ? absl::OkStatus() : ErrnoStatus(errno, database_file);
  const absl::StatusOr<std::string> headers = ReadAt(database, 0, kHeaderBytes, database_file);
  if (!headers.ok()) return absl::OkStatus();  // the engine says what is wrong with the file
  LOGQUERY_ASSIGN_OR_RETURN(const std::string saved,
                            ReadAt(journal->file, Journal::kHeadersAt, kHeaderBytes, journal->name));
  if (*headers != saved) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const int put, PutBlocksBack(*journal, database, database_file, can_write));
  if (put == 0) return absl::OkStatus();
  if (!can_write) {
    return absl::FailedPreconditionError(
        base::StrCat("a crash has interrupted a checkpoint of ", database_file,
                     "; open the folder once with the right to write, which puts its blocks back"));
  }
  return fsync(database.fd()) == 0 ? absl::OkStatus() : ErrnoStatus(errno, database_file);
}

absl::Status RollbackJournal::Save(const duckdb::Database& database) {
  if (!file_.is_open()) {
    file_ = File(open(database_file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file_.is_open()) return ErrnoStatus(errno, database_file_);
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::string headers, ReadAt(file_, 0, kHeaderBytes, database_file_));
  if (headers == state_) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<uint64_t> blocks, BlocksWithFreePlaces(database));
  const uint64_t block_bytes = blocks.front();
  std::string start = base::StrCat(kMagic, Number(block_bytes), Number(blocks.size() - 1), headers);
  for (size_t i = 1; i < blocks.size(); ++i) start += Number(blocks[i]);
  const std::string name = database_file_ + kEnd;
  const auto write = [&](const File& journal) -> absl::Status {
    LOGQUERY_RETURN_IF_ERROR(WriteAll(journal.fd(), start, name));
    for (size_t i = 1; i < blocks.size(); ++i) {
      LOGQUERY_ASSIGN_OR_RETURN(const std::string block, ReadAt(file_, blocks[i], block_bytes, database_file_));
      LOGQUERY_RETURN_IF_ERROR(WriteAll(journal.fd(), block, name));
    }
    return absl::OkStatus();
  };
  LOGQUERY_RETURN_IF_ERROR(WriteDurably(name, write));
  state_ = std::move(headers);
  return absl::OkStatus();
}

}  // namespace logquery::store
