// Maps DuckDB's vectors to the arguments of our functions, and stores their results in vectors.
#include "lib/engines/duckdb/backend/functions/function.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_memory.h"
#include "logquery/batch.h"

namespace logquery::duckdb {
namespace {

// The arguments' vectors as columns; result_view.cc asserts that DuckDB's vectors lie as batch.h says.
class Arguments {
 public:
  // Bit i of `lists` is set where argument i is an ARRAY.
  Arguments(duckdb_data_chunk chunk, uint64_t lists) {
    const idx_t count = duckdb_data_chunk_get_column_count(chunk);
    elements_.resize(count);
    for (idx_t i = 0; i < count; ++i) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, i);
      if (i < kMaxLists && (lists >> i & 1) != 0) elements_[i] = Lay(duckdb_list_vector_get_child(vector), nullptr);
      columns_.push_back(Lay(vector, &elements_[i]));
    }
  }

  absl::Span<const ColumnView> columns() const { return columns_; }

 private:
  static constexpr idx_t kMaxLists = 64;

  static ColumnView Lay(duckdb_vector vector, const ColumnView* children) {
    return ColumnView(nullptr, duckdb_vector_get_validity(vector), duckdb_vector_get_data(vector), children);
  }

  absl::InlinedVector<ColumnView, 4> elements_;  // of the arguments that are lists
  absl::InlinedVector<ColumnView, 4> columns_;
};

class ResultVector : public functions::ResultColumn {
 public:
  explicit ResultVector(duckdb_vector vector) : ResultColumn(duckdb_vector_get_data(vector)), vector_(vector) {}

  void SetNull(int64_t row) override { SetInvalid(vector_, static_cast<idx_t>(row)); }

  void SetText(int64_t row, std::string_view text) override {
    bytes_ += static_cast<int64_t>(text.size());
    duckdb_vector_assign_string_element_len(vector_, static_cast<idx_t>(row), text.data(), text.size());
  }

  void SetTexts(int64_t row, const functions::TextList& texts) override {
    idx_t at = AddElements(row, texts.size());
    duckdb_vector child = duckdb_list_vector_get_child(vector_);
    for (const auto& text : texts) {
      if (text.has_value()) {
        bytes_ += static_cast<int64_t>(text->size());
        duckdb_vector_assign_string_element_len(child, at, text->data(), text->size());
      } else {
        SetInvalid(child, at);
      }
      ++at;
    }
  }

  void SetInts(int64_t row, const std::vector<int64_t>& values) override {
    idx_t at = AddElements(row, values.size());
    auto* const data = static_cast<int64_t*>(duckdb_vector_get_data(duckdb_list_vector_get_child(vector_)));
    for (const int64_t value : values) data[at++] = value;
  }

  // Returns the bytes of texts and elements.
  int64_t bytes() const { return bytes_; }

 private:
  static void SetInvalid(duckdb_vector vector, idx_t row) {
    duckdb_vector_ensure_validity_writable(vector);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
  }

  // Makes room for so many elements of the row's list, and says where they begin.
  idx_t AddElements(int64_t row, idx_t count) {
    const idx_t begin = elements_;
    elements_ += count;
    bytes_ += static_cast<int64_t>(count * sizeof(int64_t));
    duckdb_list_vector_reserve(vector_, elements_);
    duckdb_list_vector_set_size(vector_, elements_);
    SetFixed(row, ListSlice{begin, count});
    return begin;
  }

  const duckdb_vector vector_;
  int64_t bytes_ = 0;
  idx_t elements_ = 0;
};

// The limit on the results of all our functions in one run of a query, which may be held at once.
constexpr int64_t kMaxMadeBytes = int64_t{128} << 20;

// One place in a query that calls a function, in one copy of the engine's expressions.
struct CallPlace {
  explicit CallPlace(const ConnectionState* s) : state(s) {}
  const ConnectionState* const state;  // nullptr: the connection runs no callers' queries
  std::atomic<uint64_t> execution{0};
  std::atomic<int64_t> most_bytes{0};  // for one vector, in this execution
};

// Counts what a call has made for one vector. All arguments of a call, and all calls of a query, share one budget.
absl::Status Count(CallPlace& place, int64_t bytes) {
  const uint64_t execution = place.state->execution.load(std::memory_order_relaxed);
  if (place.execution.exchange(execution, std::memory_order_relaxed) != execution) place.most_bytes = 0;
  int64_t most = place.most_bytes.load(std::memory_order_relaxed);
  while (bytes > most && !place.most_bytes.compare_exchange_weak(most, bytes)) {
  }
  if (bytes <= most) return absl::OkStatus();
  const int64_t more = bytes - most;
  if (place.state->made_bytes.fetch_add(more) + more <= kMaxMadeBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      base::StrCat("the values that the query's functions make need more than ", kMaxMadeBytes, " bytes at once"));
}

// Returns the bytes that will be made besides the function's own result, which is the argument of lq_fits.
int64_t BytesAsked(const functions::FunctionEntry& entry, absl::Span<const ColumnView> arguments, int64_t rows) {
  if (!std::string_view(entry.name).starts_with("lq_fits")) return 0;
  int64_t bytes = 0;
  for (int64_t row = 0; row < rows; ++row) {
    if (!arguments[0].IsNull(row)) bytes += arguments[0].Int64At(row);
  }
  return bytes;
}

void Run(duckdb_function_info info, functions::OnError on_error, duckdb_data_chunk input, duckdb_vector output) {
  const auto& registered = *static_cast<const RegisteredFunction*>(duckdb_scalar_function_get_extra_info(info));
  auto& place = *static_cast<CallPlace*>(duckdb_scalar_function_get_bind_data(info));
  const EngineMemory memory;
  try {
    const Arguments arguments(input, registered.lists);
    ResultVector result(output);
    const auto rows = static_cast<int64_t>(duckdb_data_chunk_get_size(input));
    absl::Status status = functions::EvaluateRows(*registered.entry, on_error, arguments.columns(), rows,
                                                  place.state == nullptr ? nullptr : &place.state->stop, result);
    if (status.ok() && place.state != nullptr) {
      status = Count(place, result.bytes() + BytesAsked(*registered.entry, arguments.columns(), rows));
    }
    if (!status.ok()) duckdb_scalar_function_set_error(info, std::string(base::Message(status)).c_str());
  } catch (const std::exception& error) {  // std::bad_alloc
    duckdb_scalar_function_set_error(info, error.what());
  }
}

void* CopyPlace(void* place) { return new CallPlace(static_cast<CallPlace*>(place)->state); }
void DeletePlace(void* place) { delete static_cast<CallPlace*>(place); }

}  // namespace

void BindFunction(duckdb_bind_info info) {
  const auto& registered = *static_cast<const RegisteredFunction*>(duckdb_scalar_function_bind_get_extra_info(info));
  duckdb_client_context context = nullptr;
  duckdb_scalar_function_get_client_context(info, &context);
  const ConnectionState* const state = registered.states->Find(context);
  duckdb_destroy_client_context(&context);
  duckdb_scalar_function_set_bind_data(info, new CallPlace(state), DeletePlace);
  duckdb_scalar_function_set_bind_data_copy(info, CopyPlace);
}

void RunFunction(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  Run(info, functions::OnError::kFail, input, output);
}

void RunFunctionOrNull(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  Run(info, functions::OnError::kGiveNull, input, output);
}

}  // namespace logquery::duckdb
