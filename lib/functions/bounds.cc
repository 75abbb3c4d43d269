// The memory limit of one engine step, for results that the engine's own functions compute from long values.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

// The text as it is, while all of the vector's together stay within the budget.
absl::Status Bounded(const Row& in, Output& out) { return out.Pass(in.Text(0)); }

absl::Status BoundedValue(const Row& in, Output& out) {
  const auto most = static_cast<size_t>(in.Int(1));
  if (in.Text(0).size() > most) {
    return absl::ResourceExhaustedError(
        base::StrCat("a value that many rows share may have at most ", most, " bytes here, not ", in.Text(0).size()));
  }
  return out.Pass(in.Text(0));
}

absl::Status Fits(const Row& in, Output& out) {
  LOGQUERY_RETURN_IF_ERROR(out.Charge(static_cast<size_t>(in.Int(0))));
  return out.Bool(true);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_bounded", "(STRING) -> STRING", Bounded},
    {"lq_bytes_bounded", "(BYTES) -> BYTES", Bounded},
    // The additional argument's value does not matter. It only has to differ from row to row: the engine would evaluate
    // a constant once.
    {"lq_bounded_beside", "(STRING, BOOL) -> STRING", Bounded},
    {"lq_bytes_bounded_beside", "(BYTES, BOOL) -> BYTES", Bounded},
    {"lq_fits_beside", "(INT64, BOOL) -> BOOL", Fits},
    {"lq_bounded_value", "(STRING, INT64) -> STRING", BoundedValue, "$bounded_value"},
    {"lq_bytes_bounded_value", "(BYTES, INT64) -> BYTES", BoundedValue, "$bounded_value"},
    {"lq_fits", "(INT64) -> BOOL", Fits},
};

}  // namespace

FunctionEntries BoundsFunctions() { return kEntries; }

}  // namespace logquery::functions
