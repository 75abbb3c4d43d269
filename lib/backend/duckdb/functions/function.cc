// Runs one of our functions over the rows of a vector, within its budget of memory.
#include "lib/backend/duckdb/functions/function.h"

#include <exception>
#include <utility>

#include "lib/backend/duckdb/engine_memory.h"
#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/big_numeric.h"

namespace logquery::duckdb {
namespace {

bool IsValid(duckdb_vector vector, idx_t row) {
  uint64_t* const validity = duckdb_vector_get_validity(vector);
  return validity == nullptr || duckdb_validity_row_is_valid(validity, row);
}

void SetNull(duckdb_vector vector, idx_t row) {
  duckdb_vector_ensure_validity_writable(vector);
  duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
}

std::string_view View(duckdb_string_t* text) { return {duckdb_string_t_data(text), duckdb_string_t_length(*text)}; }

}  // namespace

bool Row::IsNull(size_t i) const { return !IsValid(duckdb_data_chunk_get_vector(chunk_, i), row_); }

template <typename T>
T Row::At(size_t i) const {
  return static_cast<T*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk_, i)))[row_];
}

bool Row::Bool(size_t i) const { return At<bool>(i); }
int64_t Row::Int(size_t i) const { return At<int64_t>(i); }
int32_t Row::Days(size_t i) const { return At<int32_t>(i); }
double Row::Float(size_t i) const { return At<double>(i); }

std::string_view Row::Text(size_t i) const {
  return View(static_cast<duckdb_string_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk_, i))) + row_);
}

base::BigInteger Row::Big(size_t i) const { return model::UnpackBigNumeric(Text(i)); }

logquery::Interval Row::IntervalAt(size_t i) const {
  const auto interval = At<duckdb_interval>(i);
  return {interval.months, interval.days, interval.micros};
}

TextList Row::Texts(size_t i) const {
  duckdb_vector list = duckdb_data_chunk_get_vector(chunk_, i);
  const auto entry = At<duckdb_list_entry>(i);
  duckdb_vector child = duckdb_list_vector_get_child(list);
  auto* const data = static_cast<duckdb_string_t*>(duckdb_vector_get_data(child));
  TextList texts;
  texts.reserve(entry.length);
  for (idx_t at = entry.offset; at < entry.offset + entry.length; ++at) {
    texts.push_back(IsValid(child, at) ? std::optional(View(data + at)) : std::nullopt);
  }
  return texts;
}

template <typename T>
absl::Status Output::Set(T value) {
  static_cast<T*>(duckdb_vector_get_data(vector_))[row_] = value;
  is_set_ = true;
  return absl::OkStatus();
}

absl::Status Output::CheckBytes(size_t bytes) const {
  if (bytes > static_cast<size_t>(base::kMaxGrownValueBytes)) {
    return absl::ResourceExhaustedError(
        base::StrCat("a value may have at most ", base::kMaxGrownValueBytes, " bytes, not ", bytes));
  }
  return CheckVector(bytes);
}

absl::Status Output::CheckVector(size_t bytes) const {
  if (bytes > static_cast<size_t>(base::kMaxGrownVectorBytes) - spent_) {
    return absl::ResourceExhaustedError(
        base::StrCat("the values of one expression need more than ", base::kMaxGrownVectorBytes, " bytes at once"));
  }
  return absl::OkStatus();
}

absl::Status Output::Charge(size_t bytes) {
  LOGQUERY_RETURN_IF_ERROR(CheckVector(bytes));
  spent_ += bytes;
  return absl::OkStatus();
}

absl::Status Output::Pass(std::string_view text) {
  LOGQUERY_RETURN_IF_ERROR(Charge(text.size()));
  return TextAsItIs(text);
}

absl::Status Output::Spend(size_t bytes) {
  LOGQUERY_RETURN_IF_ERROR(CheckBytes(bytes));
  return Charge(bytes);
}

idx_t Output::AddElements(idx_t count) {
  const idx_t begin = elements_;
  elements_ += count;
  duckdb_list_vector_reserve(vector_, elements_);
  duckdb_list_vector_set_size(vector_, elements_);
  Set(duckdb_list_entry{begin, count}).IgnoreError();
  return begin;
}

absl::Status Output::Text(std::string_view text) {
  LOGQUERY_RETURN_IF_ERROR(Spend(text.size()));
  return TextAsItIs(text);
}

absl::Status Output::TextAsItIs(std::string_view text) {
  duckdb_vector_assign_string_element_len(vector_, row_, text.data(), text.size());
  is_set_ = true;
  return absl::OkStatus();
}

absl::Status Output::Texts(const std::vector<std::optional<std::string>>& texts) {
  size_t bytes = texts.size() * sizeof(duckdb_string_t);
  for (const auto& text : texts) bytes += text.has_value() ? text->size() : 0;
  LOGQUERY_RETURN_IF_ERROR(Spend(bytes));
  return TextsAsTheyAre(texts);
}

absl::Status Output::TextsAsTheyAre(const std::vector<std::optional<std::string>>& texts) {
  idx_t at = AddElements(texts.size());
  duckdb_vector child = duckdb_list_vector_get_child(vector_);
  for (const auto& text : texts) {
    if (text.has_value()) {
      duckdb_vector_assign_string_element_len(child, at, text->data(), text->size());
    } else {
      SetNull(child, at);
    }
    ++at;
  }
  return absl::OkStatus();
}

absl::Status Output::Ints(const std::vector<int64_t>& values) {
  LOGQUERY_RETURN_IF_ERROR(Spend(values.size() * sizeof(int64_t)));
  idx_t at = AddElements(values.size());
  auto* const data = static_cast<int64_t*>(duckdb_vector_get_data(duckdb_list_vector_get_child(vector_)));
  for (const int64_t value : values) data[at++] = value;
  return absl::OkStatus();
}

absl::Status Output::Bool(bool value) { return Set(value); }
absl::Status Output::Int(int64_t value) { return Set(value); }
absl::Status Output::Days(int32_t value) { return Set(value); }
absl::Status Output::Float(double value) { return Set(value); }
absl::Status Output::Numeric(const base::BigInteger& scaled) {
  char bytes[sizeof(duckdb_hugeint)];
  scaled.WriteBytes(bytes, sizeof(bytes));
  unsigned __int128 number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  if (scaled.Sign() < 0) number = ~number + 1;
  return Set(duckdb_hugeint{static_cast<uint64_t>(number), static_cast<int64_t>(number >> 64)});
}

absl::Status Output::Big(const base::BigInteger& scaled) {
  const std::optional<std::string> bytes = model::PackBigNumeric(scaled);
  if (!bytes.has_value()) return absl::OutOfRangeError("BIGNUMERIC overflow");
  return TextAsItIs(*bytes);
}

absl::Status Output::Interval(const logquery::Interval& value) {
  return Set(duckdb_interval{static_cast<int32_t>(value.months), static_cast<int32_t>(value.days), value.micros});
}

// Works out the rows of one vector.
class RowLoop {
 public:
  RowLoop(const FunctionEntry& entry, bool or_null, const ConnectionState* connection, duckdb_data_chunk input,
          duckdb_vector output)
      : entry_(entry), or_null_(or_null), connection_(connection), input_(input), output_(output), out_(output) {}

  absl::Status Run() {
    const idx_t rows = duckdb_data_chunk_get_size(input_);
    for (idx_t row = 0; row < rows; ++row) {
      const Row in(input_, row, connection_);
      if (in.IsStopped()) return Stopped();
      out_.row_ = row;
      out_.is_set_ = false;
      if (entry_.nulls == Nulls::kAreTaken || !HasNull(in)) {
        const absl::Status status = entry_.function(in, out_);
        if (!status.ok() && (!or_null_ || absl::IsResourceExhausted(status) || absl::IsCancelled(status)))
          return status;
        out_.is_set_ = out_.is_set_ && status.ok();
      }
      if (!out_.is_set_) SetNull(output_, row);
    }
    return absl::OkStatus();
  }

 private:
  static bool HasNull(const Row& in) {
    for (size_t i = 0; i < in.size(); ++i) {
      if (in.IsNull(i)) return true;
    }
    return false;
  }

  const FunctionEntry& entry_;
  const bool or_null_;
  const ConnectionState* const connection_;
  duckdb_data_chunk input_;
  duckdb_vector output_;
  Output out_;
};

namespace {

void Run(duckdb_function_info info, bool or_null, duckdb_data_chunk input, duckdb_vector output) {
  const auto& registered = *static_cast<const RegisteredFunction*>(duckdb_scalar_function_get_extra_info(info));
  const auto* const connection = static_cast<const ConnectionState*>(duckdb_scalar_function_get_bind_data(info));
  const EngineMemory memory;
  try {
    const absl::Status status = RowLoop(*registered.entry, or_null, connection, input, output).Run();
    if (!status.ok()) duckdb_scalar_function_set_error(info, std::string(base::Message(status)).c_str());
  } catch (const std::exception& error) {  // std::bad_alloc, and what a library throws
    duckdb_scalar_function_set_error(info, error.what());
  }
}

// The state is nobody's to copy or delete: the connection has it.
void* SameState(void* state) { return state; }

}  // namespace

absl::Status Stopped() { return absl::CancelledError("the query was stopped"); }

void BindFunction(duckdb_bind_info info) {
  const auto& registered = *static_cast<const RegisteredFunction*>(duckdb_scalar_function_bind_get_extra_info(info));
  duckdb_client_context context = nullptr;
  duckdb_scalar_function_get_client_context(info, &context);
  const ConnectionState* const state = registered.states->Find(context);
  duckdb_destroy_client_context(&context);
  duckdb_scalar_function_set_bind_data(info, const_cast<ConnectionState*>(state), nullptr);
  duckdb_scalar_function_set_bind_data_copy(info, SameState);
}

void RunFunction(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  Run(info, /*or_null=*/false, input, output);
}

void RunFunctionOrNull(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  Run(info, /*or_null=*/true, input, output);
}

}  // namespace logquery::duckdb
