// Mathematical functions that return NULL where GoogleSQL's raise an error: outside of the domain, and if finite
// arguments give a result that is not finite. SAFE. calls use them.
#include <cmath>

#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

absl::Status Give(double result, bool finite_arguments, Output& out) {
  return finite_arguments && !std::isfinite(result) ? absl::OkStatus() : out.Float(result);
}

template <double (*kFunction)(double)>
absl::Status Unary(const Row& in, Output& out) {
  const double x = in.Float(0);
  return Give(kFunction(x), std::isfinite(x), out);
}

absl::Status Power(const Row& in, Output& out) {
  const double x = in.Float(0), y = in.Float(1);
  return Give(std::pow(x, y), std::isfinite(x) && std::isfinite(y), out);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_or_null_acos", "(FLOAT64) -> FLOAT64", Unary<std::acos>},
    {"lq_or_null_acosh", "(FLOAT64) -> FLOAT64", Unary<std::acosh>},
    {"lq_or_null_asin", "(FLOAT64) -> FLOAT64", Unary<std::asin>},
    {"lq_or_null_atanh", "(FLOAT64) -> FLOAT64", Unary<std::atanh>},
    {"lq_or_null_cos", "(FLOAT64) -> FLOAT64", Unary<std::cos>},
    {"lq_or_null_exp", "(FLOAT64) -> FLOAT64", Unary<std::exp>},
    {"lq_or_null_ln", "(FLOAT64) -> FLOAT64", Unary<std::log>},
    {"lq_or_null_log10", "(FLOAT64) -> FLOAT64", Unary<std::log10>},
    {"lq_or_null_pow", "(FLOAT64, FLOAT64) -> FLOAT64", Power},
    {"lq_or_null_sin", "(FLOAT64) -> FLOAT64", Unary<std::sin>},
    {"lq_or_null_sqrt", "(FLOAT64) -> FLOAT64", Unary<std::sqrt>},
    {"lq_or_null_tan", "(FLOAT64) -> FLOAT64", Unary<std::tan>},
};

}  // namespace

FunctionEntries SafeMathFunctions() { return kEntries; }

}  // namespace logquery::functions
