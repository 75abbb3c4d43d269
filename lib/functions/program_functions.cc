// Calls a registered function with checked arguments, and turns its errors and exceptions into errors with its name.
#include "lib/functions/program_functions.h"

#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/ascii.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/model/big_numeric.h"
#include "lib/model/calendar_range.h"
#include "lib/model/decimal_text.h"

namespace logquery::functions {
namespace {

using base::StrCat;

bool IsInt64Like(TypeKind kind) {
  return kind == TypeKind::kInt64 || kind == TypeKind::kDate || kind == TypeKind::kTime ||
         kind == TypeKind::kDatetime || kind == TypeKind::kTimestamp;
}

bool IsText(TypeKind kind) { return kind == TypeKind::kString || kind == TypeKind::kBytes; }

// The range of GoogleSQL's type; all of INT64 for INT64 itself.
bool IsInRange(TypeKind kind, int64_t value) {
  switch (kind) {
    case TypeKind::kDate:
      return model::IsDayInRange(value);
    case TypeKind::kTime:
      return value >= 0 && value < model::kDayMicros;
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return model::IsTimeInRange(value);
    default:
      return true;
  }
}

Value Int64LikeValue(TypeKind kind, int64_t value) {
  switch (kind) {
    case TypeKind::kDate:
      return Value::Date(value);
    case TypeKind::kTime:
      return Value::Time(value);
    case TypeKind::kDatetime:
      return Value::Datetime(value);
    case TypeKind::kTimestamp:
      return Value::TimestampMicros(value);
    default:
      return Value::Int64(value);
  }
}

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  base::AppendValidUtf8(text, valid);
  return valid;
}

class RowArguments final : public ScalarArguments {
 public:
  RowArguments(const Row* row, const std::vector<Type>* types) : row_(row), types_(types) {}

  size_t size() const override { return types_->size(); }
  bool IsNull(size_t i) const override { return i >= size() || row_->IsNull(i); }
  bool Bool(size_t i) const override {
    return IsRead(i, TypeKind::kBool, i < size() && kind(i) == TypeKind::kBool) && row_->Bool(i);
  }
  int64_t Int64(size_t i) const override {
    if (!IsRead(i, TypeKind::kInt64, i < size() && IsInt64Like(kind(i)))) return 0;
    return kind(i) == TypeKind::kDate ? row_->Days(i) : row_->Int(i);
  }
  double Float64(size_t i) const override {
    return IsRead(i, TypeKind::kFloat64, i < size() && kind(i) == TypeKind::kFloat64) ? row_->Float(i) : 0;
  }
  std::string_view Text(size_t i) const override {
    return IsRead(i, TypeKind::kString, i < size() && IsText(kind(i))) ? row_->Text(i) : std::string_view();
  }
  absl::Status Spend(uint64_t steps) const override { return row_->Spend(steps); }

  Value ValueAt(size_t i) const override {
    if (i >= size()) {
      IsRead(i, TypeKind::kString, false);
      return Value();
    }
    if (row_->IsNull(i)) return Value::Null((*types_)[i]);
    switch (kind(i)) {
      case TypeKind::kBool:
        return Value::Bool(row_->Bool(i));
      case TypeKind::kFloat64:
        return Value::Float64(row_->Float(i));
      case TypeKind::kNumeric: {
        std::string digits;
        model::AppendDecimal(row_->Numeric(i), model::kNumericScale, digits);
        return Value::Numeric(std::move(digits));
      }
      case TypeKind::kBigNumeric:
        return Value::BigNumeric(model::BigNumericText(row_->Text(i)));
      case TypeKind::kString:
        return Value::String(std::string(row_->Text(i)));
      case TypeKind::kBytes:
        return Value::Bytes(std::string(row_->Text(i)));
      case TypeKind::kInterval:
        return Value::IntervalOf(row_->IntervalAt(i));
      case TypeKind::kArray:
        return ListAt(i);
      default:
        return Int64LikeValue(kind(i), Int64(i));
    }
  }

  // How the function has read an argument that is of another type, NULL or not there; empty: it has not.
  const std::string& misread() const { return misread_; }

 private:
  TypeKind kind(size_t i) const { return (*types_)[i].kind(); }

  bool IsRead(size_t i, TypeKind as, bool fits) const {
    if (i >= size()) {
      misread_ = StrCat("it reads argument ", i, ", counted from 0, and has ", size());
    } else if (!fits) {
      misread_ = StrCat("its argument ", i, " is ", (*types_)[i].ToString(), ", and is read as ", TypeKindName(as));
    } else if (row_->IsNull(i)) {
      misread_ = StrCat("its argument ", i, " is NULL, and is read as ", TypeKindName(as));
    } else {
      return true;
    }
    return false;
  }

  Value ListAt(size_t i) const {
    const Type& element = (*types_)[i].element();
    std::vector<Value> elements;
    for (const std::optional<std::string_view>& text : row_->Texts(i)) {
      if (!text.has_value()) {
        elements.push_back(Value::Null(element));
      } else {
        std::string copy(*text);
        elements.push_back(element.is(TypeKind::kBytes) ? Value::Bytes(std::move(copy))
                                                        : Value::String(std::move(copy)));
      }
    }
    return Value::Array(element, std::move(elements));
  }

  const Row* const row_;
  const std::vector<Type>* const types_;
  mutable std::string misread_;
};

class RowResult final : public ScalarResult {
 public:
  RowResult(Output* out, const Type* type) : out_(out), type_(type) {}

  absl::Status SetBool(bool value) override {
    return type_->is(TypeKind::kBool) ? out_->Bool(value) : OtherType("BOOL");
  }
  absl::Status SetInt64(int64_t value) override {
    if (!IsInt64Like(type_->kind())) return OtherType("INT64");
    if (!IsInRange(type_->kind(), value)) {
      return absl::InvalidArgumentError(StrCat("its result ", value, " is out of the range of ", type_->ToString()));
    }
    return type_->is(TypeKind::kDate) ? out_->Days(static_cast<int32_t>(value)) : out_->Int(value);
  }
  absl::Status SetFloat64(double value) override {
    return type_->is(TypeKind::kFloat64) ? out_->Float(value) : OtherType("FLOAT64");
  }
  absl::Status SetText(std::string_view text) override {
    if (type_->is(TypeKind::kBytes)) return out_->Text(text);
    if (!type_->is(TypeKind::kString)) return OtherType("a text");
    LOGQUERY_RETURN_IF_ERROR(out_->CheckBytes(text.size()));
    return out_->Text(ValidUtf8(text));
  }

  absl::Status Set(const Value& value) override {
    if (value.is_null()) return absl::OkStatus();
    if (!(value.type() == *type_)) return OtherType(value.type().ToString());
    switch (type_->kind()) {
      case TypeKind::kBool:
        return SetBool(value.bool_value());
      case TypeKind::kFloat64:
        return SetFloat64(value.float64_value());
      case TypeKind::kNumeric:
        return SetNumeric(value.string_value());
      case TypeKind::kBigNumeric:
        return SetBigNumeric(value.string_value());
      case TypeKind::kString:
      case TypeKind::kBytes:
        return SetText(value.string_value());
      case TypeKind::kInterval:
        return SetInterval(value.interval_value());
      case TypeKind::kArray:
        return SetList(value.children());
      default:
        return SetInt64(value.int64_value());
    }
  }

 private:
  absl::Status OtherType(std::string_view given) const {
    return absl::InvalidArgumentError(StrCat("its result is ", type_->ToString(), ", and it gives ", given));
  }
  absl::Status NoNumber(const std::string& digits) const {
    return absl::InvalidArgumentError(StrCat("its result \"", digits, "\" is no ", type_->ToString()));
  }

  absl::Status SetNumeric(const std::string& digits) {
    const auto number = model::ParseDecimal(digits, model::kNumericScale);
    return number.has_value() ? out_->Numeric(*number) : NoNumber(digits);
  }
  absl::Status SetBigNumeric(const std::string& digits) {
    const auto packed = model::ParseBigNumeric(digits, model::ExtraDigits::kRefused);
    return packed.has_value() ? out_->Big(model::UnpackBigNumeric(*packed)) : NoNumber(digits);
  }
  absl::Status SetInterval(const Interval& value) {
    constexpr int64_t kMostMonths = 120'000, kMostDays = 3'660'000, kMostMicros = 316'224'000'000'000'000;
    const auto fits = [](int64_t part, int64_t most) { return part >= -most && part <= most; };
    if (fits(value.months, kMostMonths) && fits(value.days, kMostDays) && fits(value.micros, kMostMicros)) {
      return out_->Interval(value);
    }
    return absl::InvalidArgumentError("its result is out of the range of INTERVAL");
  }
  absl::Status SetList(const std::vector<Value>& elements) {
    if (type_->element().is(TypeKind::kInt64)) return SetInts(elements);
    std::vector<std::optional<std::string>> texts;
    texts.reserve(elements.size());
    for (const Value& element : elements) {
      if (element.is_null()) {
        texts.emplace_back();
      } else {
        const std::string& text = element.string_value();
        texts.emplace_back(type_->element().is(TypeKind::kString) ? ValidUtf8(text) : text);
      }
    }
    return out_->Texts(texts);
  }
  absl::Status SetInts(const std::vector<Value>& elements) {
    std::vector<int64_t> numbers;
    numbers.reserve(elements.size());
    for (const Value& element : elements) {
      if (element.is_null()) return absl::InvalidArgumentError("its result is an ARRAY<INT64> with a NULL");
      numbers.push_back(element.int64_value());
    }
    return out_->Ints(numbers);
  }

  Output* const out_;
  const Type* const type_;
};

class Evaluator final : public RowEvaluator {
 public:
  explicit Evaluator(const ScalarFunction* function) : function_(function) {}

  absl::Status Evaluate(const Row& in, Output& out) const override {
    const RowArguments arguments(&in, &function_->arguments);
    RowResult result(&out, &function_->result);
    const absl::Status status = Call(arguments, result);
    if (!arguments.misread().empty()) return Named(arguments.misread());
    // A query that must end has its own reason.
    if (status.ok() || absl::IsResourceExhausted(status) || !in.Spend(0).ok()) return status;
    return Named(base::Message(status));
  }

 private:
  absl::Status Call(const ScalarArguments& in, ScalarResult& out) const {
    try {
      return function_->evaluate(in, out);
    } catch (const std::exception& error) {
      return absl::InvalidArgumentError(StrCat("exception: ", error.what()));
    } catch (...) {
      return absl::InvalidArgumentError("exception of an unknown type");
    }
  }

  absl::Status Named(std::string_view message) const {
    return absl::InvalidArgumentError(StrCat(function_->name, ": ", message));
  }

  const ScalarFunction* const function_;
};

std::string SignatureOf(const ScalarFunction& function) {
  std::string text = "(";
  for (const Type& type : function.arguments) base::StrAppend(&text, text.size() > 1 ? ", " : "", type.ToString());
  return StrCat(text, ") -> ", function.result.ToString());
}

// A registered function with the texts and code that its rows point to.
struct Registered {
  explicit Registered(ScalarFunction given)
      : function(std::move(given)),
        engine_name(StrCat("lq_program_", absl::AsciiStrToLower(base::ToAbsl(function.name)))),
        signature(SignatureOf(function)),
        evaluator(&function) {}

  const ScalarFunction function;
  const std::string engine_name;
  const std::string signature;
  const Evaluator evaluator;
};

class Registry {
 public:
  absl::Status Add(ScalarFunction function) {
    absl::MutexLock lock(&mutex_);
    if (is_closed_) {
      return absl::FailedPreconditionError(
          StrCat("the function ", function.name,
                 " is registered too late: register functions before the first backend, service or query is created"));
    }
    for (const Registered& other : registered_) {
      if (other.function.name == function.name) {
        return absl::AlreadyExistsError(StrCat("a function ", function.name, " is registered already"));
      }
    }
    registered_.emplace_back(std::move(function));
    return absl::OkStatus();
  }

  void Close() {
    absl::MutexLock lock(&mutex_);
    if (std::exchange(is_closed_, true)) return;
    for (const Registered& each : registered_) {
      functions_.push_back({each.function.name, each.signature.c_str(), &each.function});
      entries_.push_back({each.engine_name.c_str(), each.signature.c_str(), nullptr, each.function.name.c_str(),
                          each.function.takes_nulls ? Nulls::kAreTaken : Nulls::kGiveNull, &each.evaluator,
                          !each.function.pure});
    }
  }

  // Do not change once the list is closed.
  const std::vector<ProgramFunction>& functions() const { return functions_; }
  FunctionEntries entries() const { return entries_; }

 private:
  absl::Mutex mutex_;
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Registered> registered_ ABSL_GUARDED_BY(mutex_);  // they never move
  std::vector<ProgramFunction> functions_;
  std::vector<FunctionEntry> entries_;
};

Registry& TheRegistry() {
  static Registry& registry = *new Registry;
  return registry;
}

}  // namespace

absl::Status AddProgramFunction(ScalarFunction function) { return TheRegistry().Add(std::move(function)); }

const std::vector<ProgramFunction>& ProgramFunctions() {
  TheRegistry().Close();
  return TheRegistry().functions();
}

FunctionEntries ProgramFunctionEntries() {
  TheRegistry().Close();
  return TheRegistry().entries();
}

}  // namespace logquery::functions
