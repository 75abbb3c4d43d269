// The expressions of plans. Include plan.h, which has the one that holds a plan.
#ifndef LOGQUERY_LIB_REWRITE_SCALAR_H_
#define LOGQUERY_LIB_REWRITE_SCALAR_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/rewrite/column_set.h"
#include "lib/rewrite/functions/functions.h"
#include "lib/sql/ast.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::rewrite {

struct PlanColumn {
  ColumnId id = 0;
  std::string name;  // its name in the query, for display; not unique, may be empty
  Type type;
};

struct Scalar;
struct Plan;
using ScalarPtr = std::unique_ptr<Scalar>;
using PlanPtr = std::unique_ptr<Plan>;

enum class ScalarKind {
  kConstant,
  kColumn,
  kParameter,
  kField,
  kCall,
  kCast,
  kCase,
  kStruct,
  kArray,
  kSubquery,
  kLambda,
};

struct Scalar {
  const ScalarKind kind;
  Type type;
  sql::Span span;  // the source text, for errors
  virtual ~Scalar() = default;

 protected:
  Scalar(ScalarKind k, Type t) : kind(k), type(std::move(t)) {}
};

struct Constant : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kConstant;
  explicit Constant(Value v) : Scalar(kKind, v.type()), value(std::move(v)) {}
  Value value;
};

// A column of the node's input, or, in a subquery, of any enclosing node.
struct ColumnRef : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kColumn;
  explicit ColumnRef(const PlanColumn& column) : Scalar(kKind, column.type), id(column.id), name(column.name) {}
  ColumnId id;
  std::string name;
};

// A query parameter by its declared name, or an internal one whose name begins with `@`: the call's now, derived
// parameters.
struct ParameterRef : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kParameter;
  ParameterRef(std::string n, Type t) : Scalar(kKind, std::move(t)), name(std::move(n)) {}
  std::string name;
};

// A field of a STRUCT. A record must first be converted by `$element`.
struct FieldRef : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kField;
  FieldRef(ScalarPtr b, int i);  // takes its type from the base's field
  ScalarPtr base;
  int index;
};

struct FunctionCall : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kCall;
  FunctionCall(const Overload* o, Type t, std::vector<ScalarPtr> a)
      : Scalar(kKind, std::move(t)), overload(o), arguments(std::move(a)) {}
  const Overload* overload;  // of a scalar function; borrowed from the function table
  // A date part is a STRING constant in upper case: "DAY", "WEEK(MONDAY)".
  std::vector<ScalarPtr> arguments;
  bool safe = false;  // SAFE.f(): returns NULL instead of an error
};

// A conversion to `type`, explicit or implied by GoogleSQL. Also converts a record to the ARRAY that queries see, and a
// constant array of length 0 to a record.
struct Cast : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kCast;
  Cast(ScalarPtr o, Type t) : Scalar(kKind, std::move(t)), operand(std::move(o)) {}
  ScalarPtr operand;
  bool safe = false;
  ScalarPtr format;
  ScalarPtr time_zone;
};

struct Case : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kCase;
  struct When {
    ScalarPtr condition;
    ScalarPtr result;
  };
  explicit Case(Type t) : Scalar(kKind, std::move(t)) {}
  ScalarPtr operand;  // nullptr: conditions are BOOL; otherwise they are compared with it
  std::vector<When> whens;
  ScalarPtr otherwise;  // never nullptr
};

// Makes a struct from one value for each field of its type.
struct StructMake : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kStruct;
  StructMake(Type t, std::vector<ScalarPtr> f) : Scalar(kKind, std::move(t)), fields(std::move(f)) {}
  std::vector<ScalarPtr> fields;
};

// Makes an array from elements of its type's element type.
struct ArrayMake : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kArray;
  ArrayMake(Type t, std::vector<ScalarPtr> e) : Scalar(kKind, std::move(t)), elements(std::move(e)) {}
  std::vector<ScalarPtr> elements;
};

struct LambdaScalar : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kLambda;
  LambdaScalar(std::vector<PlanColumn> p, ScalarPtr b)
      : Scalar(kKind, b->type), parameters(std::move(p)), body(std::move(b)) {}
  std::vector<PlanColumn> parameters;
  ScalarPtr body;
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_SCALAR_H_
