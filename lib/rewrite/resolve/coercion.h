// GoogleSQL's implicit conversions, and the common supertype of several types.
//
// Source: GoogleSQL's conversion rules (coercion, literal coercion, supertypes). Any other conversion needs a CAST.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_COERCION_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_COERCION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "lib/rewrite/plan.h"
#include "lib/rewrite/resolve/own_records.h"
#include "logquery/type.h"

namespace logquery::rewrite {

// Returns whether the scalar is a literal NULL or [] that has no type of its own yet.
bool IsUntypedNull(const Scalar& scalar);
bool IsUntypedEmptyArray(const Scalar& scalar);
bool IsError(const Scalar& scalar);

// Returns the cost of converting the scalar to `to` without a CAST: 0 for the same type, larger for a more distant
// type; absent: impossible. Literals and parameters convert to more types than columns: a string literal can become a
// TIMESTAMP.
std::optional<int> CoercionCost(const Scalar& from, const Type& to);

// Returns the nearest type to which all scalars can be coerced; absent: there is none. Beside NULL, a record becomes an array,
// unless it is one of `nullable`.
std::optional<Type> CommonSupertype(absl::Span<const Scalar* const> scalars, OwnRecords* nullable = nullptr);

// Converts the scalar to `to`; CoercionCost must be present. A literal becomes a literal of that type. `zone` is the
// query's default time zone, for conversions of dates, datetimes and texts to timestamps. InvalidArgument (without a
// place): a literal's text is not a value of the type.
absl::StatusOr<ScalarPtr> Coerce(ScalarPtr from, const Type& to, const std::string& zone);

// Returns the zone for a cast without one, by GoogleSQL's rules; nullptr if no zone is needed, or it is UTC.
ScalarPtr DefaultZone(const Type& from, const Type& to, const std::string& zone);

// Returns the value of a literal: DATE '2026-01-31', TIMESTAMP '2026-01-31 08:00:00+01' … `zone` applies if the text
// has none.
absl::StatusOr<Value> ParseLiteral(const Type& type, const std::string& text, const std::string& zone);

// Returns InvalidArgument if a text that the query writes has more than six fraction digits of a second, as GoogleSQL
// does. Texts from rows and parameters may have more: logs have nanoseconds, of which microseconds are kept.
absl::Status CheckFraction(const Type& type, std::string_view text);

bool IsNumeric(const Type& type);
bool IsOrderable(const Type& type);
bool IsGroupable(const Type& type);
bool IsComparable(const Type& type);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_COERCION_H_
