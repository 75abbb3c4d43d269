// Our own scalar functions, for what GoogleSQL has but an engine's SQL can't express, or only without a memory limit.
// They are independent of engines: arguments are columns in the layout of batch.h, and results go to a ResultColumn. An
// engine registers the table (lib/engines/duckdb/backend/functions); evaluate.h calls a function on values.
//
// Each function is a row of a table: its name, its signature in the form of lib/rewrite's function table, and code that
// evaluates one row. The emitter calls it by name; all names begin with `lq_`. JSON is passed as STRING.
//
//     absl::Status Repeat(const Row& in, Output& out) {
//       return out.Text(Repeated(in.Text(0), in.Int(1)));
//     }
//     constexpr FunctionEntry kEntries[] = {{"lq_repeat", "(STRING, INT64) -> STRING", Repeat, "REPEAT"}};
//
// The last text says which GoogleSQL function it is: REPEAT(STRING, INT64). An engine that has it registered is then asked for
// it by this name, and calls on constants and parameters are evaluated without an engine.
//
// If an argument is NULL, the result is NULL, unless the entry accepts NULLs. The code runs on many threads at once and
// must not throw. An error status becomes the query's error.
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

// The work of one evaluation, which ends when the query must end. A step takes some nanoseconds. Code whose time for one
// row may exceed what copying its arguments takes must count it, because engines look for interrupts between rows only.
class Work {
 public:
  // `stop` is set when the query must end; nullptr: never. Tests end it after `limit` steps instead.
  explicit Work(const std::atomic<bool>* stop, uint64_t limit = UINT64_MAX) : stop_(stop), limit_(limit) {}

  // Counts steps that are about to be taken. False: the query must end.
  bool Spend(uint64_t steps) {
    spent_ += steps;
    return !IsStopped();
  }
  bool IsStopped() const { return spent_ > limit_ || (stop_ != nullptr && stop_->load(std::memory_order_relaxed)); }
  uint64_t spent() const { return spent_; }

 private:
  const std::atomic<bool>* const stop_;
  const uint64_t limit_;
  uint64_t spent_ = 0;
};

// The elements of one row's array of texts, where they are. Borrows the column.
class TextElements {
 public:
  TextElements(const ColumnView& elements, ListSlice slice) : elements_(elements), slice_(slice) {}
  size_t size() const { return slice_.length; }
  // nullopt: NULL.
  std::optional<std::string_view> operator[](size_t i) const {
    const auto at = static_cast<int64_t>(slice_.offset + i);
    return elements_.IsNull(at) ? std::nullopt : std::optional(elements_.StringAt(at));
  }

 private:
  const ColumnView& elements_;
  const ListSlice slice_;
};

// One row of the arguments. Indexes are those of arguments; NULLs must not be read. Returned views are borrowed.
class Row {
 public:
  // `arguments` have the layout of batch.h; their types are not checked. `work` is borrowed.
  Row(absl::Span<const ColumnView> arguments, int64_t row, Work& work)
      : arguments_(arguments), row_(row), work_(work) {}

  size_t size() const { return arguments_.size(); }
  bool IsNull(size_t i) const { return arguments_[i].IsNull(row_); }
  bool Bool(size_t i) const { return arguments_[i].BoolAt(row_); }
  int64_t Int(size_t i) const { return arguments_[i].Int64At(row_); }   // INT64, TIMESTAMP, DATETIME, TIME
  int32_t Days(size_t i) const { return arguments_[i].Int32At(row_); }  // DATE
  double Float(size_t i) const { return arguments_[i].Float64At(row_); }
  std::string_view Text(size_t i) const { return arguments_[i].StringAt(row_); }  // STRING, BYTES
  Int128 Numeric(size_t i) const { return arguments_[i].Int128At(row_); }         // NUMERIC, times 10^9
  base::BigInteger Big(size_t i) const;                                           // BIGNUMERIC, times 10^38
  logquery::Interval IntervalAt(size_t i) const;
  TextList Texts(size_t i) const;  // ARRAY<STRING>, ARRAY<BYTES>, ARRAY<BIGNUMERIC>
  // The same without a copy of where each text is, for arrays that may have millions.
  TextElements Elements(size_t i) const { return {arguments_[i].child(0), arguments_[i].ListAt(row_)}; }

  // Counts steps that are about to be taken. Returns Stopped() once the query must end.
  absl::Status Spend(uint64_t steps) const;

 private:
  absl::Span<const ColumnView> arguments_;
  int64_t row_;
  Work& work_;
};

// The status of a row that is no longer needed. Nobody sees it, because the code that stopped the query reports the
// reason.
absl::Status Stopped();

// The destination of results: values of fixed size are written to memory in the layout of batch.h, others to the owner
// of the memory of texts and lists. Each row is set at most once, in ascending order.
class ResultColumn {
 public:
  // `values` must have room for all rows if the result has a fixed size.
  explicit ResultColumn(void* values) : values_(values) {}
  virtual ~ResultColumn() = default;
  ResultColumn(const ResultColumn&) = delete;
  ResultColumn& operator=(const ResultColumn&) = delete;

  virtual void SetNull(int64_t row) = 0;
  // Copies the text of a STRING, BYTES or BIGNUMERIC.
  virtual void SetText(int64_t row, std::string_view text) = 0;
  // Copies the elements of an ARRAY of these, or of an ARRAY<INT64>.
  virtual void SetTexts(int64_t row, const TextList& texts) = 0;
  virtual void SetInts(int64_t row, const std::vector<int64_t>& values) = 0;

  template <typename T>
  void SetFixed(int64_t row, T value) {
    static_cast<T*>(values_)[row] = value;
  }

 private:
  void* const values_;
};

// The destination of one row's value; NULL if it is not set. The setters return ResourceExhausted if a value, or all
// values that are evaluated together, exceed their limit.
class Output {
 public:
  explicit Output(ResultColumn* column) : column_(column) {}

  absl::Status Text(std::string_view text);
  // The same without the limit: for a text no longer than an argument, which the engine already holds.
  absl::Status TextAsItIs(std::string_view text);
  absl::Status Texts(const TextList& texts);
  absl::Status Texts(const std::vector<std::optional<std::string>>& texts);
  absl::Status TextsAsTheyAre(const TextList& texts);
  absl::Status Bool(bool value) { return Set(value); }
  absl::Status Int(int64_t value) { return Set(value); }
  absl::Status Days(int32_t value) { return Set(value); }
  absl::Status Float(double value) { return Set(value); }
  absl::Status Numeric(Int128 scaled) { return Set(scaled); }  // times 10^9
  absl::Status Numeric(const base::BigInteger& scaled);        // the same; of at most 127 bits
  // The value times 10^38. OutOfRange: it exceeds BIGNUMERIC.
  absl::Status Big(const base::BigInteger& scaled);
  absl::Status Interval(const logquery::Interval& value);
  absl::Status Ints(const std::vector<int64_t>& values);
  // The parts of an argument, whose length is not limited; only that of all rows' arguments together is.
  absl::Status PartsOf(std::string_view argument, const TextList& parts);
  absl::Status NumbersOf(std::string_view argument, const std::vector<int64_t>& numbers);

  // Sets the text of an argument. Its length is not limited; only that of all rows together is.
  absl::Status Pass(std::string_view text);
  // Counts bytes that other code is about to allocate for this row.
  absl::Status Charge(size_t bytes);

  // Checks whether a value of this size is allowed; call it before building the value.
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

// The code of a function that is made when the program runs (program_functions.h).
class RowEvaluator {
 public:
  virtual ~RowEvaluator() = default;
  virtual absl::Status Evaluate(const Row& in, Output& out) const = 0;
};

enum class Nulls { kGiveNull, kAreTaken };

struct FunctionEntry {
  const char* name;
  const char* signature;  // "(STRING, INT64) -> STRING": exact types; a final "STRING..." means any number
  RowFunction function;
  // The GoogleSQL functions and operators (`$shift_left`) that this one evaluates for arguments of these types, by their
  // names in lib/rewrite's function table, separated by spaces; empty: it is only a part of what the emitter writes.
  const char* evaluates = "";
  Nulls nulls = Nulls::kGiveNull;
  const RowEvaluator* evaluator = nullptr;  // called instead of `function`
  bool is_volatile = false;                 // has another result for each row, whatever its arguments

  absl::Status Evaluate(const Row& in, Output& out) const {
    return evaluator != nullptr ? evaluator->Evaluate(in, out) : function(in, out);
  }
};

using FunctionEntries = absl::Span<const FunctionEntry>;

// The treatment of a row on which the function fails.
enum class OnError {
  kFail,      // its status ends the evaluation
  kGiveNull,  // the result is NULL; ResourceExhausted and Cancelled still end the evaluation
};

// Evaluates `entry` for the rows 0 to `rows` - 1, within one memory limit. Returns the first status that ends the
// evaluation; Internal for a library's exception (including std::bad_alloc); Stopped() once `stop` is set.
absl::Status EvaluateRows(const FunctionEntry& entry, OnError on_error, absl::Span<const ColumnView> arguments,
                          int64_t rows, const std::atomic<bool>* stop, ResultColumn& result);
// The same, which counts the work.
absl::Status EvaluateRows(const FunctionEntry& entry, OnError on_error, absl::Span<const ColumnView> arguments,
                          int64_t rows, Work& work, ResultColumn& result);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_FUNCTION_H_
