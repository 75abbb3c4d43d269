// Compares the store's books with its tables: columns, files loaded, counts.
#include "lib/store/folder/books_check.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/store/learn/learned_books.h"
#include "lib/store/tables/books.h"
#include "lib/store/tables/retention.h"

namespace logquery::store {
namespace {

using Kind = FolderFinding::Kind;

constexpr char kForgetFields[] = "further fields are kept as JSON; logquery forget-field gives back what nobody needs";
constexpr char kFromBackup[] = "restore a backup into a new folder, and load what came after it again";

class BooksCheck {
 public:
  BooksCheck(duckdb_connection connection, std::vector<FolderFinding>* findings)
      : connection_(connection), findings_(findings) {}

  absl::Status CheckColumns() {
    LOGQUERY_ASSIGN_OR_RETURN(const Columns columns, ReadColumns());
    base::StringMap<std::string> names;  // the engine's, of the types as the books write them
    for (const auto& [place, types] : columns) {
      const std::string name = base::StrCat(place.first, ".", place.second);
      if (types.booked.empty()) {
        Add(Kind::kWarning, base::StrCat("the table has a column ", name, " that the books do not know"),
            "another program has changed the database; nothing reads this column");
        continue;
      }
      if (types.stored.empty()) {
        Add(Kind::kError, base::StrCat("the column ", name, " is not there"), kFromBackup);
        continue;
      }
      std::string& wanted = names[types.booked];
      if (wanted.empty()) {
        LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows type,
                                  duckdb::Query(connection_, base::StrCat("SELECT typeof(NULL::", types.booked, ")")));
        wanted = type[0][0];
      }
      if (wanted == types.stored) continue;
      Add(Kind::kError,
          base::StrCat("the column ", name, " is ", types.stored, ", its books have it as ", types.booked),
          kFromBackup);
    }
    return absl::OkStatus();
  }

  absl::Status CheckSchema(const std::vector<TableLayout>& layouts) {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows,
                              duckdb::Query(connection_, "SELECT table_name, column_name FROM logquery.columns"));
    std::map<std::string, base::StringSet> known;
    for (const std::vector<std::string>& row : rows) known[row[0]].insert(row[1]);
    std::vector<std::string> missing;
    for (const TableLayout& layout : layouts) {
      const auto table = known.find(layout.table.name);
      for (const StoredColumn& column : layout.columns) {
        // No schema declares a packed record, and no answer needs one.
        if (column.is_packed() || (table != known.end() && table->second.contains(column.name))) continue;
        missing.push_back(base::StrCat(layout.table.name, ".", column.name));
        if (table == known.end()) break;  // the first column stands for the table
      }
    }
    if (missing.empty()) return absl::OkStatus();
    Add(Kind::kWarning,
        base::StrCat("the schema declares what the folder does not have yet: ", base::Join(missing, ", ")),
        "serve the folder, load into it or say --repair: it is made when the folder is opened for writing");
    return absl::OkStatus();
  }

  absl::Status CheckLoads() {
    LOGQUERY_ASSIGN_OR_RETURN(
        const duckdb::TextRows twice,
        duckdb::Query(connection_,
                      "SELECT table_name, any_value(file), count(*) FROM logquery.loads GROUP BY table_name, digest"
                      " HAVING count(*) > 1 ORDER BY ALL"));
    for (const std::vector<std::string>& load : twice) {
      Add(Kind::kError, base::StrCat("the file ", load[1], " is in ", load[0], " ", load[2], " times"), kFromBackup);
    }
    LOGQUERY_ASSIGN_OR_RETURN(
        const duckdb::TextRows tables,
        duckdb::Query(
            connection_,
            "SELECT table_name, sum(row_count)::BIGINT FROM logquery.loads GROUP BY table_name ORDER BY ALL"));
    for (const std::vector<std::string>& table : tables) {
      const absl::StatusOr<int64_t> counted =
          Number(base::StrCat("SELECT count(*) FROM ", duckdb::QuoteName(table[0])));
      if (absl::IsUnavailable(counted.status())) return counted.status();
      // A table that is not there has no rows.
      const int64_t rows = counted.ok() ? *counted : 0;
      int64_t booked = 0;
      if (!absl::SimpleAtoi(table[1], &booked)) return absl::DataLossError("the books of loads have no number of rows");
      // The table may have more rows: rows that a program appends without a name are in no book.
      LOGQUERY_ASSIGN_OR_RETURN(const Removed removed, ReadRemoved(connection_, table[0]));
      if (rows + removed.rows >= booked) continue;
      const std::string gone = removed.rows > 0 ? absl::StrCat(" and ", removed.rows, " removed again") : "";
      Add(Kind::kError,
          base::StrCat(table[0], " has ", base::Counted(rows, "row"), ", but ", booked, booked == 1 ? " was" : " were",
                       " loaded", gone),
          kFromBackup);
    }
    return absl::OkStatus();
  }

  // Also accepts folders without these books, which have no receipts.
  absl::Status CheckChanges() {
    LOGQUERY_ASSIGN_OR_RETURN(const bool books, HasBooks(connection_, "changes"));
    if (!books) return absl::OkStatus();
    LOGQUERY_ASSIGN_OR_RETURN(
        const duckdb::TextRows twice,
        duckdb::Query(
            connection_,
            "SELECT table_name, count(*) FROM (SELECT table_name FROM logquery.changes GROUP BY table_name, kind,"
            " project HAVING count(*) > 1) GROUP BY table_name ORDER BY ALL"));
    for (const std::vector<std::string>& table : twice) {
      Add(Kind::kError,
          base::StrCat("the last change of ", table[1], table[1] == "1" ? " project of " : " projects of ", table[0],
                       " is recorded twice"),
          kFromBackup);
    }
    LOGQUERY_ASSIGN_OR_RETURN(
        const duckdb::TextRows behind,
        duckdb::Query(connection_,
                      "SELECT table_name FROM logquery.changes GROUP BY table_name HAVING max(number) IS DISTINCT FROM"
                      " max(number) FILTER (kind = 'table') ORDER BY ALL"));
    for (const std::vector<std::string>& table : behind) {
      Add(Kind::kError, base::StrCat("a project of ", table[0], " has a later change than the table itself"),
          kFromBackup);
    }
    return absl::OkStatus();
  }

  // A project or token that has used up its share of learned columns: further fields are kept, but not queryable.
  absl::Status CheckBudgets() {
    LOGQUERY_ASSIGN_OR_RETURN(const auto learned, ReadLearned(connection_));
    for (const auto& [table, columns] : std::map<std::string, LearnedTable>(learned.begin(), learned.end())) {
      for (const auto& [project, taught] : columns.taught) {
        if (project.empty() || taught.size() < kMaxLearnedOfProject) continue;
        Add(Kind::kNote,
            base::StrCat("the rows of project ", project, " have taught ", table, " ", taught.size(),
                         " fields and records, which is all that a project may"),
            kForgetFields);
      }
      for (const auto& [token, lessons] : columns.lessons) NoteLessons(table, token, lessons);
    }
    return absl::OkStatus();
  }

  void NoteLessons(const std::string& table, const std::string& token,
                   const std::vector<LearnedTable::Lesson>& lessons) {
    std::set<size_t> columns;
    std::map<std::string, size_t> by_project;
    for (const LearnedTable::Lesson& lesson : lessons) {
      columns.insert(lesson.column);
      ++by_project[lesson.project];
    }
    const std::string what = base::StrCat("the rows of token ", token, " have taught ", table, " ");
    if (columns.size() >= kMaxLearnedOfToken) {
      Add(Kind::kNote, base::StrCat(what, columns.size(), " fields and records, which is all that a token may"),
          kForgetFields);
      return;
    }
    for (const auto& [project, taught] : by_project) {
      if (project.empty() || taught < kMaxLearnedOfTokenInProject) continue;
      Add(Kind::kNote,
          base::StrCat(what, taught, " fields and records of project ", project, ", which is all that a token may"),
          kForgetFields);
    }
  }

  absl::Status ReadRows() {
    LOGQUERY_ASSIGN_OR_RETURN(
        const duckdb::TextRows tables,
        duckdb::Query(connection_, "SELECT DISTINCT table_name FROM logquery.columns ORDER BY ALL"));
    for (const std::vector<std::string>& table : tables) {
      // A hash of whole rows needs each of their values, and each block's checksum is compared when it is read.
      const absl::Status read = duckdb::Query(connection_, base::StrCat("SELECT bit_xor(hash(r)) FROM ",
                                                                        duckdb::QuoteName(table[0]), " AS r"))
                                    .status();
      if (read.ok()) continue;
      if (absl::IsUnavailable(read) || absl::IsResourceExhausted(read) || absl::IsCancelled(read)) return read;
      Add(Kind::kError, base::StrCat(table[0], " can't be read to its end: ", base::Message(read)), kFromBackup);
    }
    return absl::OkStatus();
  }

 private:
  // The type of a column as the books write it, and as the engine has it; empty where one has no such column.
  struct Types {
    std::string booked;
    std::string stored;
  };
  using Columns = std::map<std::pair<std::string, std::string>, Types>;  // by table and column

  absl::StatusOr<Columns> ReadColumns() {
    Columns columns;
    LOGQUERY_ASSIGN_OR_RETURN(const auto learned, ReadLearned(connection_));
    for (const auto& [table, table_columns] : learned) {
      for (const LearnedColumn& column : table_columns.columns) {
        columns[{table, column.column}].booked = emit::DuckDbType(column.type);
      }
    }
    LOGQUERY_ASSIGN_OR_RETURN(
        const duckdb::TextRows booked,
        duckdb::Query(connection_, "SELECT table_name, column_name, sql_type FROM logquery.columns"));
    for (const std::vector<std::string>& row : booked) columns[{row[0], row[1]}].booked = row[2];
    LOGQUERY_ASSIGN_OR_RETURN(
        const duckdb::TextRows stored,
        duckdb::Query(connection_,
                      "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE database_name ="
                      " current_database() AND schema_name = 'main'"));
    for (const std::vector<std::string>& row : stored) columns[{row[0], row[1]}].stored = row[2];
    return columns;
  }

  void Add(Kind kind, std::string what, std::string to_do) {
    findings_->push_back({kind, std::move(what), std::move(to_do)});
  }

  absl::StatusOr<int64_t> Number(const std::string& sql) {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows, duckdb::Query(connection_, sql));
    int64_t number = 0;
    if (rows.empty() || !absl::SimpleAtoi(rows[0][0], &number)) return absl::InternalError("a count is no number");
    return number;
  }

  duckdb_connection connection_;
  std::vector<FolderFinding>* const findings_;
};

}  // namespace

absl::Status CheckBooks(duckdb_connection connection, const std::vector<TableLayout>& layouts, bool read_rows,
                        std::vector<FolderFinding>* findings) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::Transaction one_moment, duckdb::Transaction::Begin(connection));
  BooksCheck check(connection, findings);
  LOGQUERY_RETURN_IF_ERROR(check.CheckColumns());
  LOGQUERY_RETURN_IF_ERROR(check.CheckSchema(layouts));
  LOGQUERY_RETURN_IF_ERROR(check.CheckLoads());
  LOGQUERY_RETURN_IF_ERROR(check.CheckChanges());
  LOGQUERY_RETURN_IF_ERROR(check.CheckBudgets());
  return read_rows ? check.ReadRows() : absl::OkStatus();
}

}  // namespace logquery::store
