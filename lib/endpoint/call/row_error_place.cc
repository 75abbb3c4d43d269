// Recognizes errors by how their messages begin, which identifies the expression kinds that raise them;
// lib/engines/duckdb/backend/error_words.cc and the functions write these messages. Errors that many functions raise, such as
// exceeded budgets, get no place.
#include "lib/endpoint/call/row_error_place.h"

#include <optional>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/sql/text_error.h"
#include "logquery/error.h"

namespace logquery::endpoint {
namespace {

using rewrite::As;
using rewrite::Cast;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::Scalar;
using rewrite::ScalarKind;

// Errors whose text begins, or goes on, like this are raised by these functions alone; names between spaces.
struct Kind {
  std::string_view text;
  std::string_view functions;
  bool anywhere = false;
};

constexpr Kind kKinds[] = {
    {"division by zero", " $divide DIV MOD "},
    {"INT64 overflow: ",
     " $add $subtract $multiply $unary_minus ABS $interval DATE_ADD DATE_SUB TIME_ADD TIME_SUB DATETIME_ADD "
     "DATETIME_SUB"
     " TIMESTAMP_ADD TIMESTAMP_SUB "},
    {"Array index ", " $at_offset $at_ordinal "},
    {"the square root of ", " SQRT "},
    {"the logarithm of ", " LN LOG LOG10 "},
    {"not JSON, at offset ", " PARSE_JSON "},
    {" does not match the format ", " PARSE_DATE PARSE_TIME PARSE_DATETIME PARSE_TIMESTAMP ", true},
};

// "SUBSTR: length is negative" is SUBSTR's; empty: the text names no function.
std::string_view FunctionNamed(std::string_view message) {
  const size_t end = message.find(": ");
  if (end == std::string_view::npos) return "";
  for (const char c : message.substr(0, end)) {
    if ((c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '.') return "";
  }
  return message.substr(0, end);
}

bool Raises(std::string_view functions, std::string_view name) {
  return functions.find(base::StrCat(" ", name, " ")) != std::string_view::npos;
}

// Which scalars may raise an error of this text.
class Suspects {
 public:
  explicit Suspects(std::string_view message) : named_(FunctionNamed(message)) {
    for (const Kind& kind : kKinds) {
      const size_t at = message.find(kind.text);
      if (at == 0 || (kind.anywhere && at != std::string_view::npos)) kind_ = &kind;
    }
    constexpr std::string_view kBad = "Bad ";
    const size_t value = message.find(" value: ");
    if (message.starts_with(kBad) && value != std::string_view::npos) {
      type_ = message.substr(kBad.size(), value - kBad.size());
    }
    is_subquery_ = message.starts_with("a scalar subquery gave more than one row");
  }

  bool known() const { return kind_ != nullptr || !named_.empty() || !type_.empty() || is_subquery_; }

  bool operator()(const Scalar& scalar) const {
    if (is_subquery_) {
      return scalar.kind == ScalarKind::kSubquery &&
             As<rewrite::SubqueryScalar>(scalar).form == rewrite::SubqueryScalar::Form::kScalar;
    }
    if (const auto* const cast = If<Cast>(&scalar)) {
      // A cast with a format reads text as PARSE_DATE does.
      if (cast->safe) return false;
      if (cast->format != nullptr) return named_ == "CAST" || (kind_ != nullptr && kind_->anywhere);
      return named_ == "CAST" || (!type_.empty() && cast->type.ToString() == type_);
    }
    const auto* const call = If<FunctionCall>(&scalar);
    if (call == nullptr || call->safe) return false;
    const std::string_view name = call->overload->row->name;
    // It says what it is told to.
    if (name == "ERROR") return true;
    return named_ == name || (kind_ != nullptr && Raises(kind_->functions, name)) ||
           // PARSE_NUMERIC, TIMESTAMP and the like read text of their type too.
           (!type_.empty() && call->type.ToString() == type_ && !call->arguments.empty() &&
            call->arguments[0]->type.is(TypeKind::kString) && name.find(type_) != std::string_view::npos);
  }

 private:
  const Kind* kind_ = nullptr;
  std::string_view named_;
  std::string_view type_;
  bool is_subquery_ = false;
};

}  // namespace

absl::Status PlaceRowError(const ResolvedQuery& resolved, absl::Status status) {
  const bool of_row = absl::IsInvalidArgument(status) || absl::IsOutOfRange(status);
  if (!of_row || resolved.text.empty() || GetErrorDetails(status).line > 0) return status;
  const std::string message(base::Message(status));
  const Suspects suspects(message);
  if (!suspects.known()) return status;
  std::optional<sql::Span> place;
  bool only_one = true;
  rewrite::VisitScalars(*resolved.plan.root, [&](const Scalar& scalar) {
    if (!suspects(scalar)) return;
    // The endpoint's own expressions have no place in the caller's text.
    const bool has_place = scalar.span.end > scalar.span.begin;
    only_one = only_one && has_place && (!place || place->begin == scalar.span.begin);
    place = scalar.span;
  });
  if (!place || !only_one) return status;
  return sql::TextErrorWithCode(status.code(), resolved.text, *place, message);
}

}  // namespace logquery::endpoint
