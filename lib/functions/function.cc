// Evaluates one of our functions on several rows, within their memory limit.
#include "lib/functions/function.h"

#include <exception>
#include <utility>

#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/big_numeric.h"

namespace logquery::functions {

base::BigInteger Row::Big(size_t i) const { return model::UnpackBigNumeric(Text(i)); }

logquery::Interval Row::IntervalAt(size_t i) const {
  const PackedInterval interval = arguments_[i].IntervalAt(row_);
  return {interval.months, interval.days, interval.micros};
}

TextList Row::Texts(size_t i) const {
  const TextElements elements = Elements(i);
  TextList texts;
  texts.reserve(elements.size());
  for (size_t at = 0; at < elements.size(); ++at) texts.push_back(elements[at]);
  return texts;
}

absl::Status Output::CheckBytes(size_t bytes) const {
  if (bytes > static_cast<size_t>(base::kMaxGrownValueBytes)) {
    return absl::ResourceExhaustedError(
        base::StrCat("a value may have at most ", base::kMaxGrownValueBytes, " bytes, not ", bytes));
  }
  return CheckTogether(bytes);
}

absl::Status Output::CheckTogether(size_t bytes) const {
  if (bytes > static_cast<size_t>(base::kMaxGrownVectorBytes) - spent_) {
    return absl::ResourceExhaustedError(
        base::StrCat("the values of one expression need more than ", base::kMaxGrownVectorBytes, " bytes at once"));
  }
  return absl::OkStatus();
}

absl::Status Output::Charge(size_t bytes) {
  LOGQUERY_RETURN_IF_ERROR(CheckTogether(bytes));
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

absl::Status Output::Text(std::string_view text) {
  LOGQUERY_RETURN_IF_ERROR(Spend(text.size()));
  return TextAsItIs(text);
}

absl::Status Output::TextAsItIs(std::string_view text) {
  column_->SetText(row_, text);
  is_set_ = true;
  return absl::OkStatus();
}

absl::Status Output::Texts(const std::vector<std::optional<std::string>>& texts) {
  return Texts(TextList(texts.begin(), texts.end()));
}

absl::Status Output::Texts(const TextList& texts) {
  size_t bytes = texts.size() * sizeof(StringRef);
  for (const auto& text : texts) bytes += text.has_value() ? text->size() : 0;
  LOGQUERY_RETURN_IF_ERROR(Spend(bytes));
  return TextsAsTheyAre(texts);
}

absl::Status Output::TextsAsTheyAre(const TextList& texts) {
  column_->SetTexts(row_, texts);
  is_set_ = true;
  return absl::OkStatus();
}

absl::Status Output::PartsOf(std::string_view argument, const TextList& parts) {
  LOGQUERY_RETURN_IF_ERROR(Charge(argument.size()));
  return TextsAsTheyAre(parts);
}

absl::Status Output::Ints(const std::vector<int64_t>& values) {
  LOGQUERY_RETURN_IF_ERROR(Spend(values.size() * sizeof(int64_t)));
  column_->SetInts(row_, values);
  is_set_ = true;
  return absl::OkStatus();
}

absl::Status Output::NumbersOf(std::string_view argument, const std::vector<int64_t>& numbers) {
  LOGQUERY_RETURN_IF_ERROR(Charge(argument.size()));
  column_->SetInts(row_, numbers);
  is_set_ = true;
  return absl::OkStatus();
}

absl::Status Output::Numeric(const base::BigInteger& scaled) {
  char bytes[sizeof(Int128)];
  scaled.WriteBytes(bytes, sizeof(bytes));
  unsigned __int128 number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  if (scaled.Sign() < 0) number = ~number + 1;
  return Set(Int128{static_cast<uint64_t>(number), static_cast<int64_t>(number >> 64)});
}

absl::Status Output::Big(const base::BigInteger& scaled) {
  const std::optional<std::string> bytes = model::PackBigNumeric(scaled);
  if (!bytes.has_value()) return absl::OutOfRangeError("BIGNUMERIC overflow");
  return TextAsItIs(*bytes);
}

absl::Status Output::Interval(const logquery::Interval& value) {
  return Set(PackedInterval{static_cast<int32_t>(value.months), static_cast<int32_t>(value.days), value.micros});
}

// Evaluates the rows of one column of results.
class RowLoop {
 public:
  RowLoop(const FunctionEntry& entry, OnError on_error, absl::Span<const ColumnView> arguments, Work& work,
          ResultColumn& result)
      : entry_(entry), on_error_(on_error), arguments_(arguments), work_(work), result_(result), out_(&result) {}

  absl::Status Run(int64_t rows) {
    for (int64_t row = 0; row < rows; ++row) {
      if (!work_.Spend(1)) return Stopped();
      const Row in(arguments_, row, work_);
      out_.row_ = row;
      out_.is_set_ = false;
      if (entry_.nulls == Nulls::kAreTaken || !HasNull(in)) {
        const absl::Status status = entry_.Evaluate(in, out_);
        if (!status.ok() && Ends(status)) return status;
        out_.is_set_ = out_.is_set_ && status.ok();
      }
      if (!out_.is_set_) result_.SetNull(row);
    }
    return absl::OkStatus();
  }

 private:
  bool Ends(const absl::Status& status) const {
    return on_error_ == OnError::kFail || absl::IsResourceExhausted(status) || absl::IsCancelled(status);
  }

  static bool HasNull(const Row& in) {
    for (size_t i = 0; i < in.size(); ++i) {
      if (in.IsNull(i)) return true;
    }
    return false;
  }

  const FunctionEntry& entry_;
  const OnError on_error_;
  const absl::Span<const ColumnView> arguments_;
  Work& work_;
  ResultColumn& result_;
  Output out_;
};

absl::Status EvaluateRows(const FunctionEntry& entry, OnError on_error, absl::Span<const ColumnView> arguments,
                          int64_t rows, const std::atomic<bool>* stop, ResultColumn& result) {
  Work work(stop);
  return EvaluateRows(entry, on_error, arguments, rows, work, result);
}

absl::Status EvaluateRows(const FunctionEntry& entry, OnError on_error, absl::Span<const ColumnView> arguments,
                          int64_t rows, Work& work, ResultColumn& result) {
  try {
    return RowLoop(entry, on_error, arguments, work, result).Run(rows);
  } catch (const std::exception& error) {  // std::bad_alloc, and what a library throws
    return absl::InternalError(error.what());
  }
}

absl::Status Row::Spend(uint64_t steps) const { return work_.Spend(steps) ? absl::OkStatus() : Stopped(); }

absl::Status Stopped() { return absl::CancelledError("the query was stopped"); }

}  // namespace logquery::functions
