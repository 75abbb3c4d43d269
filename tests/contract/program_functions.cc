// Registers the functions while this program's static objects are made.
#include "tests/contract/program_functions.h"

#include <atomic>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "logquery/scalar_function.h"
#include "logquery/testing/backend_contract.h"

namespace logquery::testing {
namespace {

class Calls {
 public:
  void Add() {
    absl::MutexLock lock(&mutex_);
    ++count_;
  }
  // Waits for a call that was not awaited before.
  void Await() {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(this, &Calls::HasCall));
    count_ = 0;
  }

 private:
  bool HasCall() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return count_ > 0; }
  absl::Mutex mutex_;
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

Calls& WaitCalls() {
  static Calls& calls = *new Calls;
  return calls;
}

absl::Status OpenCount(const ScalarArguments&, ScalarResult& out) {
  static std::atomic<int64_t> calls = 0;
  return out.SetInt64(++calls);
}

absl::Status WaitForEnd(const ScalarArguments& in, ScalarResult&) {
  WaitCalls().Add();
  while (true) {
    if (absl::Status status = in.Spend(1); !status.ok()) return status;
  }
}

absl::Status Misread(const ScalarArguments& in, ScalarResult& out) {
  return out.SetInt64(static_cast<int64_t>(in.Text(0).size()));
}
absl::Status BadDate(const ScalarArguments& in, ScalarResult& out) { return out.SetInt64(in.Int64(0)); }
absl::Status OtherType(const ScalarArguments&, ScalarResult& out) { return out.SetText("x"); }
absl::Status NoNumber(const ScalarArguments& in, ScalarResult& out) {
  return out.Set(Value::Numeric(std::string(in.Text(0))));
}
absl::Status LongText(const ScalarArguments& in, ScalarResult& out) {
  return out.SetText(std::string(static_cast<size_t>(in.Int64(0)), 'x'));
}
absl::Status ThrowInt(const ScalarArguments& in, ScalarResult&) { throw static_cast<int>(in.Int64(0)); }
absl::Status BadText(const ScalarArguments&, ScalarResult& out) { return out.SetText("a\xff"); }

absl::Status Register() {
  absl::Status status = RegisterContractFunctions();
  const auto add = [&](ScalarFunction function) { status.Update(RegisterScalarFunction(std::move(function))); };
  ScalarFunction count = {"open_count", {}, Type::Int64(), OpenCount};
  count.pure = false;
  count.in_sandbox = true;
  add(count);
  add({"wait_for_end", {Type::Int64()}, Type::Int64(), WaitForEnd});
  add({"misread", {Type::Int64()}, Type::Int64(), Misread});
  add({"bad_date", {Type::Int64()}, Type::Date(), BadDate});
  add({"other_type", {}, Type::Int64(), OtherType});
  add({"no_number", {Type::String()}, Type::Numeric(), NoNumber});
  add({"long_text", {Type::Int64()}, Type::String(), LongText});
  add({"throw_int", {Type::Int64()}, Type::Int64(), ThrowInt});
  add({"bad_text", {Type::Int64()}, Type::String(), BadText});
  return status;
}

const absl::Status& kStatus = *new absl::Status(Register());

}  // namespace

absl::Status ProgramFunctionsStatus() { return kStatus; }

void AwaitCall() { WaitCalls().Await(); }

}  // namespace logquery::testing
