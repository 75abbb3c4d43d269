// The sum of squared deviations from the mean, of NUMERIC and BIGNUMERIC. DuckDB reckons in floating point from the start,
// which finds no difference between numbers of 30 digits that differ in the last; here the differences from the first number
// are exact, and only these become floating point.
#include "lib/backend/duckdb/functions/numeric_deviations.h"

#include <cstdint>

#include "lib/backend/duckdb/handles.h"
#include "lib/base/strings.h"

namespace logquery::duckdb {
namespace {

using Int128 = __int128;

Int128 NumberOf(const duckdb_hugeint& value) { return static_cast<Int128>(value.upper) << 64 | value.lower; }

// Welford's way, with means that count from the first number; groups join as Chan, Golub and LeVeque have it.
struct Deviations {
  duckdb_hugeint first;  // in the last place of the type; DuckDB aligns states for no more than that
  int64_t count;
  double mean;
  double squares;
};

double Difference(Int128 a, Int128 b) {
  Int128 difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) return static_cast<double>(a) - static_cast<double>(b);
  return static_cast<double>(difference);
}

void Add(Deviations& state, const duckdb_hugeint& number) {
  if (state.count == 0) state.first = number;
  ++state.count;
  const double value = Difference(NumberOf(number), NumberOf(state.first));
  const double before = value - state.mean;
  state.mean += before / static_cast<double>(state.count);
  state.squares += before * (value - state.mean);
}

void Join(const Deviations& other, Deviations& state) {
  if (other.count == 0) return;
  if (state.count == 0) {
    state = other;
    return;
  }
  const auto a = static_cast<double>(state.count), b = static_cast<double>(other.count);
  const double apart = Difference(NumberOf(other.first), NumberOf(state.first)) + other.mean - state.mean;
  state.mean += apart * b / (a + b);
  state.squares += other.squares + apart * apart * a * b / (a + b);
  state.count += other.count;
}

Deviations& StateOf(duckdb_aggregate_state state) { return *reinterpret_cast<Deviations*>(state); }

idx_t StateSize(duckdb_function_info) { return sizeof(Deviations); }

void Begin(duckdb_function_info, duckdb_aggregate_state state) { StateOf(state) = Deviations{}; }

void Update(duckdb_function_info, duckdb_data_chunk input, duckdb_aggregate_state* states) {
  const idx_t rows = duckdb_data_chunk_get_size(input);
  const duckdb_vector column = duckdb_data_chunk_get_vector(input, 0);
  const auto* numbers = static_cast<const duckdb_hugeint*>(duckdb_vector_get_data(column));
  uint64_t* valid = duckdb_vector_get_validity(column);
  for (idx_t row = 0; row < rows; ++row) {
    if (valid != nullptr && !duckdb_validity_row_is_valid(valid, row)) continue;
    Add(StateOf(states[row]), numbers[row]);
  }
}

void Combine(duckdb_function_info, duckdb_aggregate_state* source, duckdb_aggregate_state* target, idx_t count) {
  for (idx_t i = 0; i < count; ++i) Join(StateOf(source[i]), StateOf(target[i]));
}

// Of no numbers 0: who calls it looks at their count. `Scale` is how many places stand after the point.
template <int Scale>
void Finish(duckdb_function_info, duckdb_aggregate_state* source, duckdb_vector result, idx_t count, idx_t offset) {
  double unit = 1;
  for (int i = 0; i < Scale; ++i) unit *= 10;
  auto* values = static_cast<double*>(duckdb_vector_get_data(result));
  for (idx_t i = 0; i < count; ++i) values[offset + i] = StateOf(source[i]).squares / unit / unit;
}

using AggregateHandle = Handle<duckdb_aggregate_function, duckdb_destroy_aggregate_function>;

absl::Status Register(duckdb_connection connection, const char* name, uint8_t scale,
                      duckdb_aggregate_finalize_t finish) {
  const AggregateHandle function(duckdb_create_aggregate_function());
  duckdb_aggregate_function_set_name(function.get(), name);
  duckdb_aggregate_function_add_parameter(function.get(), TypeHandle(duckdb_create_decimal_type(38, scale)).get());
  duckdb_aggregate_function_set_return_type(function.get(),
                                            TypeHandle(duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE)).get());
  duckdb_aggregate_function_set_functions(function.get(), StateSize, Begin, Update, Combine, finish);
  if (duckdb_register_aggregate_function(connection, function.get()) != DuckDBSuccess) {
    return absl::InternalError(base::StrCat("DuckDB does not take the function ", std::string_view(name)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RegisterNumericDeviations(duckdb_connection connection) {
  absl::Status status = Register(connection, "lq_numeric_deviations", 9, Finish<9>);
  status.Update(Register(connection, "lq_bignumeric_deviations", 18, Finish<18>));
  return status;
}

}  // namespace logquery::duckdb
