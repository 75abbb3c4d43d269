// Looks whether a dictionary is recorded, rather than remembering it: the transaction that did so may have been rolled back.
#include "lib/store/tables/dictionary_books.h"

#include <map>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "lib/backend/record_dictionary.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/store/tables/books.h"

namespace logquery::store {
namespace {

absl::Status Book(duckdb_connection connection, const std::string& table, const TrainedDictionary& trained) {
  const std::string id = absl::StrCat(trained.dictionary->id());
  LOGQUERY_RETURN_IF_ERROR(
      duckdb::Query(connection,
                    base::StrCat("INSERT INTO logquery.dictionaries VALUES ($1, $2::BIGINT, unhex($3), ",
                                 duckdb::TimeSql(absl::FromUnixMicros(trained.oldest)), ", ",
                                 duckdb::TimeSql(absl::FromUnixMicros(trained.trained_at)), ")"),
                    {table, id, absl::BytesToHexString(trained.dictionary->bytes())})
          .status());
  for (const std::string& project : trained.projects) {
    LOGQUERY_RETURN_IF_ERROR(duckdb::Query(connection,
                                           "INSERT INTO logquery.dictionary_projects VALUES ($1, $2::BIGINT, $3)",
                                           {table, id, project})
                                 .status());
  }
  // LogDictionary has let go of the oldest.
  for (const char* const books : {"logquery.dictionaries", "logquery.dictionary_projects"}) {
    LOGQUERY_RETURN_IF_ERROR(
        duckdb::Query(connection,
                      base::StrCat("DELETE FROM ", books,
                                   " WHERE table_name = $1 AND id NOT IN (SELECT id FROM"
                                   " logquery.dictionaries WHERE table_name = $1 ORDER BY trained_at DESC LIMIT ",
                                   LogDictionary::kMost, ")"),
                      {table})
            .status());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status BookDictionaries(duckdb_connection connection, const std::string& table, LogDictionary& dictionary) {
  for (const TrainedDictionary& trained : dictionary.unstored()) {
    const uint32_t id = trained.dictionary->id();
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows there,
                              duckdb::Query(connection,
                                            "SELECT 1 FROM logquery.dictionaries WHERE table_name = $1 AND id ="
                                            " $2::BIGINT",
                                            {table, absl::StrCat(id)}));
    if (there.empty()) {
      LOGQUERY_RETURN_IF_ERROR(Book(connection, table, trained));
    } else {
      dictionary.NoteStored(id);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<base::StringMap<std::vector<TrainedDictionary>>> ReadDictionaries(duckdb_connection connection) {
  base::StringMap<std::vector<TrainedDictionary>> dictionaries;
  LOGQUERY_ASSIGN_OR_RETURN(const bool has_books, HasBooks(connection, "dictionaries"));
  if (!has_books) return dictionaries;
  // Two queries, however many dictionaries there are: a server reads them when it starts.
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows owners,
      duckdb::Query(connection, "SELECT table_name, id, project FROM logquery.dictionary_projects"));
  std::map<std::pair<std::string, std::string>, base::StringSet> projects;
  for (const std::vector<std::string>& owner : owners) projects[{owner[0], owner[1]}].insert(owner[2]);
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows all,
                            duckdb::Query(connection,
                                          "SELECT table_name, id, hex(bytes), epoch_us(oldest), epoch_us(trained_at)"
                                          " FROM logquery.dictionaries"));
  for (const std::vector<std::string>& one : all) {
    auto dictionary = backend::RecordDictionary::FromBytes(absl::HexStringToBytes(one[2]));
    if (!dictionary.ok()) continue;
    TrainedDictionary trained = {*std::move(dictionary), std::move(projects[{one[0], one[1]}]), 0, 0};
    LOGQUERY_ASSIGN_OR_RETURN(trained.oldest, duckdb::NumberIn(one[3]));
    LOGQUERY_ASSIGN_OR_RETURN(trained.trained_at, duckdb::NumberIn(one[4]));
    dictionaries[one[0]].push_back(std::move(trained));
  }
  return dictionaries;
}

absl::Status RemoveDictionaries(duckdb_connection connection, const std::string& table,
                                const std::optional<std::string>& project, std::optional<absl::Time> before) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string name, emit::DuckDbString(table));
  const std::string of_table = base::StrCat("table_name = ", name);
  std::string condition = of_table;
  if (before.has_value()) base::StrAppend(&condition, " AND oldest < ", duckdb::TimeSql(*before));
  if (project.has_value()) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string owner, emit::DuckDbString(*project));
    base::StrAppend(&condition, " AND id IN (SELECT id FROM logquery.dictionary_projects WHERE ", of_table,
                    " AND project = ", owner, ")");
  }
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows ids,
      duckdb::Query(connection, base::StrCat("SELECT id FROM logquery.dictionaries WHERE ", condition)));
  for (const std::vector<std::string>& id : ids) {
    for (const char* const books : {"logquery.dictionaries", "logquery.dictionary_projects"}) {
      LOGQUERY_RETURN_IF_ERROR(
          duckdb::Query(connection, base::StrCat("DELETE FROM ", books, " WHERE ", of_table, " AND id = $1::BIGINT"),
                        id)
              .status());
    }
  }
  return absl::OkStatus();
}

}  // namespace logquery::store
