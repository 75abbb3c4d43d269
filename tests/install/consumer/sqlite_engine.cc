// Opens the file, binds values, and steps through rows; SQLite asks every few thousand steps whether it is to end.
#include "sqlite_engine.h"

#include <cstdlib>

namespace {

using logquery::EngineSpellings;
using logquery::Type;
using logquery::TypeKind;
using logquery::Value;

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close_v2)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

// The error of a connection. Run's comment says what becomes of each status.
absl::Status ErrorOf(sqlite3* db) {
  const std::string message = db == nullptr ? "out of memory" : sqlite3_errmsg(db);
  switch (db == nullptr ? SQLITE_NOMEM : sqlite3_errcode(db)) {
    case SQLITE_INTERRUPT:
      return absl::CancelledError("the query was cancelled, or its time is over");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_CANTOPEN:
      return absl::UnavailableError("SQLite can't open the logs' file now");
    case SQLITE_NOMEM:
      return absl::ResourceExhaustedError("SQLite has no memory left for this query");
    default:
      return absl::InternalError(message);
  }
}

absl::StatusOr<Database> Open(const std::string& file, int flags) {
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &db, flags, nullptr);
  Database opened(db, sqlite3_close_v2);
  if (code != SQLITE_OK) return ErrorOf(db);
  return opened;
}

absl::StatusOr<Statement> Prepare(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr);
  Statement prepared(statement, sqlite3_finalize);
  if (code != SQLITE_OK) return ErrorOf(db);
  return prepared;
}

void AppendJson(const Value& value, std::string& out);

void AppendText(const std::string& text, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += '"';
}

// Records, arrays, and the STRING and INT64 in them.
void AppendJson(const Value& value, std::string& out) {
  if (value.is_null()) {
    out += "null";
  } else if (value.type().is(TypeKind::kString)) {
    AppendText(value.string_value(), out);
  } else if (value.type().is(TypeKind::kInt64)) {
    out += std::to_string(value.int64_value());
  } else {
    const bool is_object = value.type().is_record() || value.type().is_struct();
    out += is_object ? '{' : '[';
    for (size_t i = 0; i < value.children().size(); ++i) {
      if (i > 0) out += ',';
      if (is_object) AppendText(value.type().fields()[i].name, out), out += ':';
      AppendJson(value.children()[i], out);
    }
    out += is_object ? '}' : ']';
  }
}

int Bind(sqlite3_stmt* statement, int number, const Value& value) {
  if (value.is_null()) return sqlite3_bind_null(statement, number);
  std::string text;
  switch (value.type().kind()) {
    case TypeKind::kBool:
      return sqlite3_bind_int64(statement, number, value.bool_value() ? 1 : 0);
    case TypeKind::kInt64:
    case TypeKind::kDate:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return sqlite3_bind_int64(statement, number, value.int64_value());
    case TypeKind::kString:
      text = value.string_value();
      break;
    default:
      AppendJson(value, text);
  }
  return sqlite3_bind_text(statement, number, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

absl::Status BindAll(sqlite3* db, sqlite3_stmt* statement, const std::vector<Value>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (Bind(statement, static_cast<int>(i) + 1, values[i]) != SQLITE_OK) return ErrorOf(db);
  }
  return absl::OkStatus();
}

void AddCell(sqlite3_stmt* statement, int column, logquery::EngineRows& rows) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      return rows.AddNull();
    case SQLITE_INTEGER:
      return rows.AddInt64(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
      return rows.AddFloat64(sqlite3_column_double(statement, column));
    default: {
      const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      return rows.AddText({text, static_cast<size_t>(sqlite3_column_bytes(statement, column))});
    }
  }
}

std::string Quoted(const std::string& name, char quote) {
  std::string out(1, quote);
  for (const char c : name) out += c == quote ? std::string(2, quote) : std::string(1, c);
  return out + quote;
}

const std::string& NameOf(const logquery::Table& table) {
  return table.storage_name.empty() ? table.name : table.storage_name;
}

// The conditions by which a running statement is to end.
struct Watch {
  const logquery::CancellationToken* cancellation;
  absl::Time deadline;
};

int IsToEnd(void* data) {
  const auto* const watch = static_cast<const Watch*>(data);
  return watch->cancellation->IsCancelled() || absl::Now() > watch->deadline ? 1 : 0;
}

// An SQL expression for the start of a part of a time, for times before 1970, too.
std::string StartOf(const std::string& micros) {
  return "($1 - (($1 % " + micros + ") + " + micros + ") % " + micros + ")";
}

}  // namespace

const EngineSpellings& SqliteSpellings() {
  static const auto& made = *[] {
    auto* const s = new EngineSpellings;
    s->engine = std::string("SQLite ") + sqlite3_libversion();
    s->parameter = "?$1";
    s->types = {{TypeKind::kBool, "INTEGER", "$number"},
                {TypeKind::kInt64, "INTEGER", "$number"},
                {TypeKind::kString, "TEXT", "$text"},
                {TypeKind::kDate, "INTEGER", "$number"},
                {TypeKind::kDatetime, "INTEGER", "$number"},
                {TypeKind::kTimestamp, "INTEGER", "$number"},
                {TypeKind::kFloat64, "REAL", ""},
                {TypeKind::kStruct, "TEXT", ""},
                {TypeKind::kArray, "TEXT", ""},
                {TypeKind::kJson, "TEXT", ""}};
    s->functions = {
        {"$equal", "($1 = $2)"},
        {"$not_equal", "($1 <> $2)"},
        {"$less", "($1 < $2)"},
        {"$less_or_equal", "($1 <= $2)"},
        {"$greater", "($1 > $2)"},
        {"$greater_or_equal", "($1 >= $2)"},
        {"$between(ORD1, ORD1, ORD1)", "($1 BETWEEN $2 AND $3)"},
        {"$in(ORD1, ORD1...)", "($1 IN ($2*))"},
        {"$is_distinct", "($1 IS NOT $2)"},
        {"$is_not_distinct", "($1 IS $2)"},
        {"$is_null", "($1 IS NULL)"},
        {"$is_true", "($1 IS TRUE)"},
        {"$is_false", "($1 IS FALSE)"},
        {"$and", "($1 AND $2)"},
        {"$or", "($1 OR $2)"},
        {"$not", "(NOT $1)"},
        {"IF", "(CASE WHEN $1 THEN $2 ELSE $3 END)"},
        {"IFNULL", "ifnull($1, $2)"},
        {"NULLIF(T1, T1)", "nullif($1, $2)"},
        {"STRPOS(STRING, STRING)", "instr($1, $2)"},
        {"STARTS_WITH(STRING, STRING)", "(instr($1, $2) = 1)"},
        {"$ascii_lower", "lower(replace(replace($1, char(304), 'i'), char(8490), 'k'))"},
        {"CAST(INT64 AS STRING)", "CAST($1 AS TEXT)"},
        {"TIMESTAMP_TRUNC(TIMESTAMP, PART, [STRING])", StartOf("60000000"), {{2, "MINUTE"}}},
        {"TIMESTAMP_TRUNC(TIMESTAMP, PART, [STRING])", StartOf("3600000000"), {{2, "HOUR"}}},
        {"TIMESTAMP_TRUNC(TIMESTAMP, PART, [STRING])", StartOf("86400000000"), {{2, "DAY"}}},
        {"DATETIME(TIMESTAMP, [STRING])", "$1", {{2, "UTC"}}},
        {"DATETIME(TIMESTAMP, [STRING])", "$1"},
        // SQLite has no regular expressions, but those of usage.api-counts are plain text.
        {"REGEXP_CONTAINS(STRING, STRING)", "(instr($1, '/rest') > 0)", {{2, "/rest"}}},
        {"REGEXP_CONTAINS(STRING, STRING)", "(instr($1, '/storage') > 0)", {{2, "/storage"}}},
        {"REGEXP_CONTAINS(STRING, STRING)", "(instr($1, '/auth') > 0)", {{2, "/auth"}}},
        {"REGEXP_CONTAINS(STRING, STRING)", "(instr($1, '/realtime') > 0)", {{2, "/realtime"}}},
        {"COUNT()", "count(*)"},
        {"COUNT(T1)", "count($1)", {}, "count(DISTINCT $1)"},
        {"COUNTIF", "count(nullif($1, 0))"},
        {"MIN(ORD1)", "min($1)"},
        {"MAX(ORD1)", "max($1)"},
        {"$exact_sum", "CAST(sum($1) AS TEXT)", {}, "CAST(sum(DISTINCT $1) AS TEXT)"},
        {"ROW_NUMBER", "row_number()"},
        {"RANK", "rank()"},
        {"DENSE_RANK", "dense_rank()"},
    };
    s->computes = s->groups = s->sorts = s->limits = s->offsets = s->joins = s->has_case = s->numbers_rows = true;
    return s;
  }();
  return made;
}

absl::Status SqliteEngine::Run(const logquery::EngineStatement& statement,
                               const logquery::CancellationToken& cancellation, logquery::BatchSink& sink) {
  {
    const std::lock_guard lock(mutex_);
    texts_.push_back(statement.text);
  }
  absl::StatusOr<Database> db = Open(file_, SQLITE_OPEN_READONLY);
  if (!db.ok()) return db.status();
  const Watch watch{&cancellation, statement.deadline};
  sqlite3_progress_handler(db->get(), 5'000, IsToEnd, const_cast<Watch*>(&watch));
  absl::StatusOr<Statement> prepared = Prepare(db->get(), statement.text);
  if (!prepared.ok()) return prepared.status();
  if (absl::Status status = BindAll(db->get(), prepared->get(), statement.bindings); !status.ok()) return status;
  logquery::EngineRows rows(statement.schema, sink);
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(prepared->get())) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(prepared->get()); ++i) AddCell(prepared->get(), i, rows);
    if (absl::Status status = rows.EndRow(); !status.ok()) return status;
  }
  if (code != SQLITE_DONE) return ErrorOf(db->get());
  return rows.Finish();
}

absl::Status SqliteEngine::Probe(const logquery::CancellationToken&) {
  absl::StatusOr<Database> db = Open(file_, SQLITE_OPEN_READONLY);
  return db.ok() ? Prepare(db->get(), "SELECT 1").status() : db.status();
}

std::vector<std::string> SqliteEngine::TakeTexts() {
  const std::lock_guard lock(mutex_);
  return std::exchange(texts_, {});
}

SqliteFile::SqliteFile(const std::string& file) {
  absl::StatusOr<Database> db = Open(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!db.ok()) std::abort();
  db_ = db->release();
}

SqliteFile::~SqliteFile() { sqlite3_close_v2(db_); }

absl::Status SqliteFile::Execute(const std::string& sql) {
  return sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK ? absl::OkStatus() : ErrorOf(db_);
}

absl::Status SqliteFile::Create(const logquery::Table& table) {
  std::string columns;
  for (const logquery::Field& column : table.columns) {
    std::string type = "TEXT";
    for (const logquery::EngineType& each : SqliteSpellings().types) {
      if (each.kind == column.type.kind()) type = each.name;
    }
    columns += (columns.empty() ? "" : ", ") + Quoted(column.name, '"') + " " + type;
  }
  for (const logquery::HotColumn& hot : table.hot_columns) {
    std::string path = "$";
    for (size_t i = 1; i < hot.path.size(); ++i) path += "." + hot.path[i];
    const std::string arguments = "(" + Quoted(hot.path[0], '"') + ", " + Quoted(path, '\'') + ")";
    const bool is_presence = hot.holds == logquery::HotColumn::Holds::kPresence;
    columns += ", " + Quoted(hot.column, '"') + " AS (" +
               (is_presence ? "json_type" + arguments + " IS 'object'" : "json_extract" + arguments) + ")";
  }
  return Execute("CREATE TABLE " + Quoted(NameOf(table), '"') + " (" + columns + ")");
}

absl::Status SqliteFile::Insert(const logquery::Table& table, const std::vector<Value>& row) {
  std::string marks;
  for (size_t i = 0; i < row.size(); ++i) marks += (i > 0 ? ", ?" : "?") + std::to_string(i + 1);
  return Insert("INSERT INTO " + Quoted(NameOf(table), '"') + " VALUES (" + marks + ")", row);
}

absl::Status SqliteFile::InsertJson(const logquery::Table& table, const std::string& json) {
  std::string values;
  for (const logquery::Field& column : table.columns) {
    values += (values.empty() ? "" : ", ") + ("json_extract(?1, " + Quoted("$." + column.name, '\'')) + ")";
  }
  return Insert("INSERT INTO " + Quoted(NameOf(table), '"') + " SELECT " + values, {Value::String(json)});
}

absl::Status SqliteFile::Insert(const std::string& sql, const std::vector<Value>& values) {
  absl::StatusOr<Statement> prepared = Prepare(db_, sql);
  if (!prepared.ok()) return prepared.status();
  if (absl::Status status = BindAll(db_, prepared->get(), values); !status.ok()) return status;
  return sqlite3_step(prepared->get()) == SQLITE_DONE ? absl::OkStatus() : ErrorOf(db_);
}
