// Scalar functions of our own: what GoogleSQL has and an engine's SQL can't say, or not within a budget of memory. No engine
// is in them: arguments are columns as batch.h lays them out, results go where a ResultColumn puts them. An engine registers the
// table (lib/backend/duckdb/functions); evaluate.h calls one on values, without an engine.
//
// A function is a row of a table: its name, its signature as in the function table of lib/rewrite, and code that evaluates
// one row. The emitter calls it by name; every name begins with `lq_`. JSON goes in and out as STRING.
//
//     absl::Status Repeat(const Row& in, Output& out) {
//       return out.Text(Repeated(in.Text(0), in.Int(1)));
//     }
//     constexpr FunctionEntry kEntries[] = {{"lq_repeat", "(STRING, INT64) -> STRING", Repeat}};
//
// A NULL argument makes the result NULL, unless the entry takes NULLs. Code runs on many threads at once and throws nothing of
// its own. A status that is not OK becomes the query's error.
#ifndef LOGQUERY_LIB_FUNCTIONS_FUNCTION_H_
#define LOGQUERY_LIB_FUNCTIONS_FUNCTION_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "lib/base/big_integer.h"
#include "logquery/batch.h"
#include "logquery/value.h"

namespace logquery::functions {

using TextList = std::vector<std::optional<std::string_view>>;

// One row of the arguments. Indexes are of arguments; NULLs are not to be read. What is returned is borrowed.
class Row {
 public:
  // `arguments` lie as batch.h says; their types are not looked at. `stop` is set when the query is to end; nullptr: it never is.
  Row(absl::Span<const ColumnView> arguments, int64_t row, const std::atomic<bool>* stop)
      : arguments_(arguments), row_(row), stop_(stop) {}

  size_t size() const { return arguments_.size(); }
  bool IsNull(size_t i) const { return arguments_[i].IsNull(row_); }
  bool Bool(size_t i) const { return arguments_[i].BoolAt(row_); }
  int64_t Int(size_t i) const { return arguments_[i].Int64At(row_); }   // INT64, TIMESTAMP, DATETIME, TIME
  int32_t Days(size_t i) const { return arguments_[i].Int32At(row_); }  // DATE
  double Float(size_t i) const { return arguments_[i].Float64At(row_); }
  std::string_view Text(size_t i) const { return arguments_[i].StringAt(row_); }  // STRING, BYTES
  base::BigInteger Big(size_t i) const;                                           // BIGNUMERIC, times 10^38
  logquery::Interval IntervalAt(size_t i) const;
  TextList Texts(size_t i) const;  // ARRAY<STRING>, ARRAY<BYTES>, ARRAY<BIGNUMERIC>

  // Whether the query is to end. What may work on one row for long looks at it, and returns Stopped().
  bool IsStopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

 private:
  absl::Span<const ColumnView> arguments_;
  int64_t row_;
  const std::atomic<bool>* stop_;
};

// What a function returns of a row that is not needed any more. Nobody sees it: whoever stops the query says why.
absl::Status Stopped();

// Where the results of some rows go: values of a fixed size into memory that lies as batch.h says, the others to whoever owns
// the memory of texts and lists. Each row is set at most once, in ascending order.
class ResultColumn {
 public:
  // `values`, for a result of a fixed size, has room for all rows.
  explicit ResultColumn(void* values) : values_(values) {}
  virtual ~ResultColumn() = default;
  ResultColumn(const ResultColumn&) = delete;
  ResultColumn& operator=(const ResultColumn&) = delete;

  virtual void SetNull(int64_t row) = 0;
  // Copies the text: STRING, BYTES, BIGNUMERIC.
  virtual void SetText(int64_t row, std::string_view text) = 0;
  // Copies the elements: an ARRAY of these, and an ARRAY<INT64>.
  virtual void SetTexts(int64_t row, const std::vector<std::optional<std::string>>& texts) = 0;
  virtual void SetInts(int64_t row, const std::vector<int64_t>& values) = 0;

  template <typename T>
  void SetFixed(int64_t row, T value) {
    static_cast<T*>(values_)[row] = value;
  }

 private:
  void* const values_;
};

// Where a row's value goes; what is not set is NULL. ResourceExhausted of the setters: a value is larger than may be, or all
// of the rows that are evaluated together.
class Output {
 public:
  explicit Output(ResultColumn* column) : column_(column) {}

  absl::Status Text(std::string_view text);
  // The same without a budget: for a text of an argument's size, which the engine holds already.
  absl::Status TextAsItIs(std::string_view text);
  absl::Status Texts(const std::vector<std::optional<std::string>>& texts);
  absl::Status TextsAsTheyAre(const std::vector<std::optional<std::string>>& texts);
  absl::Status Bool(bool value) { return Set(value); }
  absl::Status Int(int64_t value) { return Set(value); }
  absl::Status Days(int32_t value) { return Set(value); }
  absl::Status Float(double value) { return Set(value); }
  absl::Status Numeric(const base::BigInteger& scaled);  // times 10^9; of at most 127 bits
  // Times 10^38. OutOfRange: it is no BIGNUMERIC.
  absl::Status Big(const base::BigInteger& scaled);
  absl::Status Interval(const logquery::Interval& value);
  absl::Status Ints(const std::vector<int64_t>& values);

  // The text of an argument, which may be as long as it likes: only all rows together have a bound.
  absl::Status Pass(std::string_view text);
  // Counts bytes that something else is about to make for this row.
  absl::Status Charge(size_t bytes);

  // Whether a value of so many bytes may be made: to be asked before it is.
  absl::Status CheckBytes(size_t bytes) const;

 private:
  friend class RowLoop;
  template <typename T>
  absl::Status Set(T value) {
    column_->SetFixed(row_, value);
    is_set_ = true;
    return absl::OkStatus();
  }
  absl::Status Spend(size_t bytes);
  absl::Status CheckTogether(size_t bytes) const;

  ResultColumn* const column_;
  int64_t row_ = 0;
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

// What becomes of a row whose function fails.
enum class OnError {
  kFail,      // its status ends the evaluation
  kGiveNull,  // it is NULL; ResourceExhausted and Cancelled still end the evaluation
};

// Evaluates `entry` for rows 0 to `rows` - 1 of its arguments, all within one budget of memory. Returns the first status that
// ends the evaluation, Internal for an exception of a library (std::bad_alloc too), Stopped() once `stop` is set.
absl::Status EvaluateRows(const FunctionEntry& entry, OnError on_error, absl::Span<const ColumnView> arguments,
                          int64_t rows, const std::atomic<bool>* stop, ResultColumn& result);

// The names of time zones that lq_zone_name takes, which are those that the engine knows. Until an engine has told them, the
// names are those of Abseil's zone database. The first call counts; thread-safe.
void SetZoneNames(const std::vector<std::string>& names);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_FUNCTION_H_
