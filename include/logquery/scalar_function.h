// Scalar functions of the embedding program, which queries call like those of GoogleSQL.
//
//     absl::Status registered = RegisterScalarFunction(
//         {.name = "region_of",
//          .arguments = {Type::String()},
//          .result = Type::String(),
//          .evaluate = [](const ScalarArguments& in, ScalarResult& out) { return out.SetText(RegionOf(in.Text(0))); }});
//     …                                                        // then open backends and services
//     SELECT region_of(ip) AS region, COUNT(*) AS calls FROM …  -- in a definition, and in callers' SQL if in_sandbox
//
// Functions belong to the process: they are registered before its first backend, service or query is created, and stay.
// They are evaluated in this process, by DuckDB inside, row by row. A query over an engine elsewhere gets the function's
// arguments from there, and the function's name is never sent.
//
// A function is called by many threads at once. Between two rows a query looks whether its deadline has passed or it was
// cancelled; a function that may take longer than some milliseconds for one row calls ScalarArguments::Spend.
#ifndef LOGQUERY_SCALAR_FUNCTION_H_
#define LOGQUERY_SCALAR_FUNCTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery {

// The arguments of one row. An accessor that does not fit the argument's type, or reads a NULL, returns zero or an empty
// text, and the call then fails with an error that says so.
class ScalarArguments {
 public:
  virtual size_t size() const = 0;
  virtual bool IsNull(size_t i) const = 0;
  virtual bool Bool(size_t i) const = 0;
  // INT64; DATE in days, TIME in microseconds since midnight, DATETIME and TIMESTAMP in microseconds, since 1970.
  virtual int64_t Int64(size_t i) const = 0;
  virtual double Float64(size_t i) const = 0;
  // STRING (any bytes: rows may hold invalid UTF-8), BYTES. Valid during the call.
  virtual std::string_view Text(size_t i) const = 0;
  // A copy of an argument of any type, or NULL.
  virtual Value ValueAt(size_t i) const = 0;
  // Counts steps of some nanoseconds each that are about to be taken. Cancelled once the query must end; return it.
  virtual absl::Status Spend(uint64_t steps) const = 0;

 protected:
  ~ScalarArguments() = default;
};

// The result of one row; NULL if nothing sets it. Each returns InvalidArgument if the value does not fit the function's
// result type, and ResourceExhausted if it is too long; return that.
class ScalarResult {
 public:
  virtual absl::Status SetBool(bool value) = 0;
  virtual absl::Status SetInt64(int64_t value) = 0;  // the types of ScalarArguments::Int64
  virtual absl::Status SetFloat64(double value) = 0;
  virtual absl::Status SetText(std::string_view text) = 0;  // STRING (invalid UTF-8 is replaced by U+FFFD), BYTES
  virtual absl::Status Set(const Value& value) = 0;         // any type; NULL

 protected:
  ~ScalarResult() = default;
};

struct ScalarFunction {
  // Letters, digits and underscores, at most 64. Queries may write it in any case.
  std::string name;
  // BOOL, INT64, FLOAT64, NUMERIC, BIGNUMERIC, STRING, BYTES, DATE, TIME, DATETIME, TIMESTAMP, INTERVAL, ARRAY<STRING>
  // and ARRAY<BYTES>. Arguments of queries are converted to these as GoogleSQL does it.
  std::vector<Type> arguments = {};
  Type result = {};  // one of these types, or ARRAY<INT64>
  // An error, and an exception, end the query with InvalidArgument; the message begins with the function's name.
  // SAFE.name(…) is NULL instead.
  std::function<absl::Status(const ScalarArguments& in, ScalarResult& out)> evaluate = nullptr;
  // The result depends on the arguments alone: it may be computed once for equal arguments, and before the query runs.
  // False: it is computed for each row.
  bool pure = true;
  // False: no argument raises an error, so that a query may evaluate the function for rows that it drops later.
  bool may_raise = true;
  // False: if an argument is NULL, so is the result, without a call.
  bool takes_nulls = false;
  // Callers' SQL may use it, too. Then hostile callers choose its arguments.
  bool in_sandbox = false;
};

// Registers the function for all queries of the process. Thread-safe.
//   InvalidArgument      the name, a type or the lack of `evaluate`
//   AlreadyExists        GoogleSQL has such a function or a reserved word, or another registered function has the name
//   FailedPrecondition   functions are in use already: a backend, service or query was created before
absl::Status RegisterScalarFunction(ScalarFunction function);

}  // namespace logquery

#endif  // LOGQUERY_SCALAR_FUNCTION_H_
