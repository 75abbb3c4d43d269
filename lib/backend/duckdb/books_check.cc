#include "lib/backend/duckdb/books_check.h"

#include <cstdint>
#include <map>
#include <utility>

#include "absl/strings/numbers.h"
#include "lib/backend/duckdb/engine_types.h"
#include "lib/backend/duckdb/learned_books.h"
#include "lib/backend/duckdb/retention.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/duckdb_types.h"

namespace logquery::duckdb {
namespace {

using Kind = FolderFinding::Kind;

constexpr char kFromBackup[] = "restore a backup into a new folder, and load what came after it again";

class BooksCheck {
 public:
  BooksCheck(duckdb_connection connection, std::vector<FolderFinding>* findings)
      : connection_(connection), findings_(findings) {}

  absl::Status CheckColumns() {
    LOGQUERY_ASSIGN_OR_RETURN(const auto learned, ReadLearned(connection_));
    std::string booked = "SELECT table_name, column_name, sql_type FROM logquery.columns";
    for (const auto& [table, table_columns] : learned) {
      for (const LearnedColumn& column : table_columns) {
        base::StrAppend(&booked, " UNION ALL VALUES (", QuoteText(table), ", ", QuoteText(column.column), ", ",
                        QuoteText(emit::DuckDbType(column.type)), ")");
      }
    }
    LOGQUERY_ASSIGN_OR_RETURN(
        const TextRows columns,
        Query(connection_,
              base::StrCat(
                  "SELECT coalesce(b.table_name, d.table_name), coalesce(b.column_name, d.column_name), b.sql_type,"
                  " d.data_type FROM (",
                  booked,
                  ") AS b FULL JOIN (SELECT * FROM duckdb_columns() WHERE database_name ="
                  " current_database() AND schema_name = 'main') AS d USING (table_name, column_name) ORDER BY ALL")));
    for (const std::vector<std::string>& column : columns) {
      const std::string name = base::StrCat(column[0], ".", column[1]);
      if (column[2].empty()) {
        Add(Kind::kWarning, base::StrCat("the table has a column ", name, " that the books do not know"),
            "another program has changed the database; nothing reads this column");
      } else if (column[3].empty()) {
        Add(Kind::kError, base::StrCat("the column ", name, " is not there"), kFromBackup);
      } else {
        // The books have the type as it is written, the engine as it names it.
        LOGQUERY_ASSIGN_OR_RETURN(const TextRows type,
                                  Query(connection_, base::StrCat("SELECT typeof(NULL::", column[2], ")")));
        if (type[0][0] == column[3]) continue;
        Add(Kind::kError, base::StrCat("the column ", name, " is ", column[3], ", its books have it as ", column[2]),
            kFromBackup);
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckSchema(const std::vector<TableLayout>& layouts) {
    LOGQUERY_ASSIGN_OR_RETURN(const TextRows rows,
                              Query(connection_, "SELECT table_name, column_name FROM logquery.columns"));
    std::map<std::string, base::StringSet> known;
    for (const std::vector<std::string>& row : rows) known[row[0]].insert(row[1]);
    std::vector<std::string> missing;
    for (const TableLayout& layout : layouts) {
      const auto table = known.find(layout.table.name);
      for (const StoredColumn& column : layout.columns) {
        if (table != known.end() && table->second.contains(column.name)) continue;
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
        const TextRows twice,
        Query(connection_,
              "SELECT table_name, any_value(file), count(*) FROM logquery.loads GROUP BY table_name, digest"
              " HAVING count(*) > 1 ORDER BY ALL"));
    for (const std::vector<std::string>& load : twice) {
      Add(Kind::kError, base::StrCat("the file ", load[1], " is in ", load[0], " ", load[2], " times"), kFromBackup);
    }
    LOGQUERY_ASSIGN_OR_RETURN(
        const TextRows tables,
        Query(connection_,
              "SELECT table_name, sum(row_count)::BIGINT FROM logquery.loads GROUP BY table_name ORDER BY ALL"));
    for (const std::vector<std::string>& table : tables) {
      const absl::StatusOr<int64_t> counted = Number(base::StrCat("SELECT count(*) FROM ", QuoteName(table[0])));
      if (absl::IsUnavailable(counted.status())) return counted.status();
      // A table that is not there has no rows.
      const int64_t rows = counted.ok() ? *counted : 0;
      int64_t booked = 0;
      if (!absl::SimpleAtoi(table[1], &booked)) return absl::DataLossError("the books of loads have no number of rows");
      // There may be more: rows that a program appends without a name are in no book.
      LOGQUERY_ASSIGN_OR_RETURN(const Removed removed, ReadRemoved(connection_, table[0]));
      if (rows + removed.rows >= booked) continue;
      const std::string gone = removed.rows > 0 ? absl::StrCat(" and ", removed.rows, " removed again") : "";
      Add(Kind::kError, base::StrCat(table[0], " has ", rows, " rows, but ", booked, " were loaded", gone),
          kFromBackup);
    }
    return absl::OkStatus();
  }

  absl::Status ReadRows() {
    LOGQUERY_ASSIGN_OR_RETURN(const TextRows tables,
                              Query(connection_, "SELECT DISTINCT table_name FROM logquery.columns ORDER BY ALL"));
    for (const std::vector<std::string>& table : tables) {
      // A hash of whole rows needs each of their values, and each block's checksum is compared when it is read.
      const absl::Status read =
          Query(connection_, base::StrCat("SELECT bit_xor(hash(r)) FROM ", QuoteName(table[0]), " AS r")).status();
      if (read.ok()) continue;
      if (absl::IsUnavailable(read) || absl::IsResourceExhausted(read) || absl::IsCancelled(read)) return read;
      Add(Kind::kError, base::StrCat(table[0], " can't be read to its end: ", base::Message(read)), kFromBackup);
    }
    return absl::OkStatus();
  }

 private:
  void Add(Kind kind, std::string what, std::string to_do) {
    findings_->push_back({kind, std::move(what), std::move(to_do)});
  }

  absl::StatusOr<int64_t> Number(const std::string& sql) {
    LOGQUERY_ASSIGN_OR_RETURN(const TextRows rows, Query(connection_, sql));
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
  LOGQUERY_ASSIGN_OR_RETURN(const Transaction one_moment, Transaction::Begin(connection));
  BooksCheck check(connection, findings);
  LOGQUERY_RETURN_IF_ERROR(check.CheckColumns());
  LOGQUERY_RETURN_IF_ERROR(check.CheckSchema(layouts));
  LOGQUERY_RETURN_IF_ERROR(check.CheckLoads());
  return read_rows ? check.ReadRows() : absl::OkStatus();
}

}  // namespace logquery::duckdb
