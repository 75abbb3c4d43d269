// Which types GoogleSQL turns into which by itself, and what several types have in common.
//
// Source: GoogleSQL's conversion rules (coercion, literal coercion, supertypes). What is not allowed here needs a CAST.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_COERCION_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_COERCION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "lib/rewrite/plan.h"
#include "logquery/type.h"

namespace logquery::rewrite {

// NULL or [] as written: no type of its own yet.
bool IsUntypedNull(const Scalar& scalar);
bool IsUntypedEmptyArray(const Scalar& scalar);
bool IsError(const Scalar& scalar);

// How far it is from the scalar to `to` without a CAST: 0 the same type, larger is farther; absent: not at all.
// Literals and parameters go farther than columns: a string literal becomes a TIMESTAMP.
std::optional<int> CoercionCost(const Scalar& from, const Type& to);

// The nearest type that all of them coerce to; absent when there is none.
std::optional<Type> CommonSupertype(absl::Span<const Scalar* const> scalars);

// The scalar as `to`; CoercionCost has said that it goes. A literal becomes a literal of that type. `zone` is the query's
// default time zone, by which dates, datetimes and texts become timestamps.
// InvalidArgument (without a place): a literal whose text is no value of the type.
absl::StatusOr<ScalarPtr> Coerce(ScalarPtr from, const Type& to, const std::string& zone);

// The zone of a cast that names none, as GoogleSQL has it: nullptr where no zone matters, or where it is UTC.
ScalarPtr DefaultZone(const Type& from, const Type& to, const std::string& zone);

// The value of a literal's text: DATE '2026-01-31', TIMESTAMP '2026-01-31 08:00:00+01' … `zone` where the text names none.
absl::StatusOr<Value> ParseLiteral(const Type& type, const std::string& text, const std::string& zone);

bool IsNumeric(const Type& type);
bool IsOrderable(const Type& type);
bool IsGroupable(const Type& type);
bool IsComparable(const Type& type);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_COERCION_H_
