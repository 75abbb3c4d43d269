// Scalar functions of ours in DuckDB: what GoogleSQL has and DuckDB's SQL can't say, or not within a budget of memory.
//
// A function is a row of a table: its name, its signature as in the function table of lib/rewrite, and code that works out
// one row. The emitter calls it by name; every name begins with `lq_`. JSON goes in and out as STRING.
//
//     absl::Status Repeat(const Row& in, Output& out) {
//       return out.Text(Repeated(in.Text(0), in.Int(1)));
//     }
//     constexpr FunctionEntry kEntries[] = {{"lq_repeat", "(STRING, INT64) -> STRING", Repeat}};
//
// A NULL argument makes the result NULL, unless the entry takes NULLs. Code runs on DuckDB's threads, many at once, and
// throws nothing. A status that is not OK becomes the query's error.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_FUNCTIONS_FUNCTION_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_FUNCTIONS_FUNCTION_H_

#include <duckdb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "lib/backend/duckdb/connection_state.h"
#include "lib/base/big_integer.h"
#include "logquery/value.h"

namespace logquery::duckdb {

using TextList = std::vector<std::optional<std::string_view>>;

// One row of the arguments. Indexes are of arguments; NULLs are not to be read. What is returned is borrowed.
class Row {
 public:
  // `connection` may be nullptr.
  Row(duckdb_data_chunk chunk, idx_t row, const ConnectionState* connection)
      : chunk_(chunk), row_(row), connection_(connection) {}

  size_t size() const { return duckdb_data_chunk_get_column_count(chunk_); }
  bool IsNull(size_t i) const;
  bool Bool(size_t i) const;
  int64_t Int(size_t i) const;   // INT64, TIMESTAMP, DATETIME, TIME
  int32_t Days(size_t i) const;  // DATE
  double Float(size_t i) const;
  std::string_view Text(size_t i) const;  // STRING, BYTES
  base::BigInteger Big(size_t i) const;   // BIGNUMERIC, times 10^38
  logquery::Interval IntervalAt(size_t i) const;
  TextList Texts(size_t i) const;  // ARRAY<STRING>, ARRAY<BYTES>, ARRAY<BIGNUMERIC>

  // Whether the query is to end. What may work on one row for long looks at it, and returns Stopped().
  bool IsStopped() const { return connection_ != nullptr && connection_->IsStopped(); }

 private:
  template <typename T>
  T At(size_t i) const;

  duckdb_data_chunk chunk_;
  idx_t row_;
  const ConnectionState* connection_;
};

// What a function returns of a row that is not needed any more. Nobody sees it: whoever stops the query says why.
absl::Status Stopped();

// Where a row's value goes; what is not set is NULL. ResourceExhausted of the setters: a value is larger than may be, or all
// of the vector together.
class Output {
 public:
  explicit Output(duckdb_vector vector) : vector_(vector) {}

  absl::Status Text(std::string_view text);
  // The same without a budget: for a text of an argument's size, which the engine holds already.
  absl::Status TextAsItIs(std::string_view text);
  absl::Status Texts(const std::vector<std::optional<std::string>>& texts);
  absl::Status TextsAsTheyAre(const std::vector<std::optional<std::string>>& texts);
  absl::Status Bool(bool value);
  absl::Status Int(int64_t value);
  absl::Status Days(int32_t value);
  absl::Status Float(double value);
  absl::Status Numeric(const base::BigInteger& scaled);  // times 10^9; of at most 127 bits
  // Times 10^38. OutOfRange: it is no BIGNUMERIC.
  absl::Status Big(const base::BigInteger& scaled);
  absl::Status Interval(const logquery::Interval& value);
  absl::Status Ints(const std::vector<int64_t>& values);

  // The text of an argument, which may be as long as it likes: only all of the vector together have a bound.
  absl::Status Pass(std::string_view text);
  // Counts bytes that something else is about to make for this row.
  absl::Status Charge(size_t bytes);

  // Whether a value of so many bytes may be made: to be asked before it is.
  absl::Status CheckBytes(size_t bytes) const;

 private:
  friend class RowLoop;
  template <typename T>
  absl::Status Set(T value);
  absl::Status Spend(size_t bytes);
  absl::Status CheckVector(size_t bytes) const;
  // Makes room for so many elements of this row's list, and says where they begin.
  idx_t AddElements(idx_t count);

  duckdb_vector vector_;
  idx_t row_ = 0;
  idx_t elements_ = 0;
  size_t spent_ = 0;
  bool is_set_ = false;
};

using RowFunction = absl::Status (*)(const Row& in, Output& out);

enum class Nulls { kGiveNull, kAreTaken };

struct FunctionEntry {
  const char* name;
  const char* signature;  // "(STRING, INT64) -> STRING": exact types; "STRING..." at the end: any number of them
  RowFunction function;
  Nulls nulls = Nulls::kGiveNull;
};

using FunctionEntries = absl::Span<const FunctionEntry>;

// One list for each file of this folder.
FunctionEntries TextFunctions();
FunctionEntries BytesFunctions();
FunctionEntries LikeFunctions();
FunctionEntries BigNumericFunctions();
FunctionEntries BigNumericCasts();
FunctionEntries BigNumericAggregates();
FunctionEntries NumericAggregates();
FunctionEntries BigNumericRanges();
FunctionEntries BigNumericPowers();
FunctionEntries RegexpFunctions();
FunctionEntries SearchFunctions();
FunctionEntries CodecFunctions();
FunctionEntries FormatFunctions();
FunctionEntries JsonQueryFunctions();
FunctionEntries JsonExtractFunctions();
FunctionEntries JsonEditFunctions();
FunctionEntries EditDistanceFunctions();
FunctionEntries IntervalFunctions();
FunctionEntries NetFunctions();
FunctionEntries RedactFunctions();
FunctionEntries BoundsFunctions();
FunctionEntries HashFunctions();
FunctionEntries CastTimeFunctions();
FunctionEntries ReadTimeFunctions();
FunctionEntries TimeRangeFunctions();
FunctionEntries TopSumFunctions();
FunctionEntries MakeTimeFunctions();
FunctionEntries SafeMathFunctions();
FunctionEntries ZoneFunctions();

// What a function of DuckDB's is made of: its extra info.
struct RegisteredFunction {
  const FunctionEntry* entry = nullptr;
  const ConnectionStates* states = nullptr;
};

// What DuckDB calls when a statement is planned, and then for each vector of rows.
void BindFunction(duckdb_bind_info info);
void RunFunction(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// The same with NULL in place of an error, but for ResourceExhausted.
void RunFunctionOrNull(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);

// The name of the form that gives NULL in place of an error: lq_from_hex has lq_or_null_from_hex.
inline constexpr std::string_view kOrNull = "lq_or_null_";

// lq_pin(x), one function for each type of a single value: see pin.cc.
absl::Status RegisterPin(duckdb_connection connection);

// Has the functions of zones know the names that the engine knows.
absl::Status LoadZoneNames(duckdb_connection connection);

// Registers all of them with the database that the connection is to. `states`, of that database, is borrowed while it is open.
// Internal: DuckDB does not take one.
absl::Status RegisterFunctions(duckdb_connection connection, const ConnectionStates* states);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_FUNCTIONS_FUNCTION_H_
