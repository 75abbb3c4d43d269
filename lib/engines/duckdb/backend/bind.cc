// Converts values recursively to the C API's value objects, after checks whose failure would throw through that API.
#include "lib/engines/duckdb/backend/bind.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/model/big_numeric.h"
#include "lib/model/decimal_text.h"

namespace logquery::duckdb {
namespace {

// DuckDB's own check throws through the C API.
absl::StatusOr<ValueHandle> Text(const Value& value) {
  const std::string& text = value.string_value();
  if (!base::IsValidUtf8(text)) return absl::InvalidArgumentError("text is not valid UTF-8");
  return ValueHandle(duckdb_create_varchar_length(text.data(), text.size()));
}

absl::Status NoDecimal(const Value& value) {
  return absl::InvalidArgumentError(base::StrCat(value.string_value(), " is no ", value.type().ToString()));
}

absl::StatusOr<ValueHandle> Blob(const std::string& bytes) {
  return ValueHandle(duckdb_create_blob(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
}

absl::StatusOr<ValueHandle> BigNumericValue(const Value& value) {
  const auto bytes = model::ParseBigNumeric(value.string_value(), model::ExtraDigits::kRefused);
  return bytes.has_value() ? Blob(*bytes) : NoDecimal(value);
}

absl::StatusOr<ValueHandle> Decimal(const Value& value) {
  const std::optional<Int128> number = model::ParseDecimal(value.string_value(), model::kNumericScale);
  if (!number.has_value()) return NoDecimal(value);
  duckdb_decimal decimal;
  decimal.width = 38;
  decimal.scale = model::kNumericScale;
  decimal.value.lower = number->lower;
  decimal.value.upper = number->upper;
  return ValueHandle(duckdb_create_decimal(decimal));
}

absl::StatusOr<ValueHandle> IntervalValue(const Interval& interval) {
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  if (interval.months > kMax || interval.months < -kMax || interval.days > kMax || interval.days < -kMax) {
    return absl::InvalidArgumentError("the INTERVAL is longer than the engine can hold");
  }
  duckdb_interval out;
  out.months = static_cast<int32_t>(interval.months);
  out.days = static_cast<int32_t>(interval.days);
  out.micros = interval.micros;
  return ValueHandle(duckdb_create_interval(out));
}

absl::StatusOr<ValueHandle> Nested(const Value& value) {
  std::vector<ValueHandle> owned;
  std::vector<duckdb_value> children;
  for (const Value& child : value.children()) {
    LOGQUERY_ASSIGN_OR_RETURN(ValueHandle handle, ToDuckDb(child));
    owned.push_back(std::move(handle));
    children.push_back(owned.back().get());
  }
  // Neither function accepts a null pointer, even for no children.
  children.reserve(1);
  const bool is_list = value.type().is_array() && !value.type().is_record();
  const TypeHandle type = LogicalType(is_list ? value.type().element() : value.type());
  ValueHandle nested(is_list ? duckdb_create_list_value(type.get(), children.data(), children.size())
                             : duckdb_create_struct_value(type.get(), children.data()));
  if (!nested) return absl::InternalError(base::StrCat("the engine takes no ", value.type().ToString()));
  return nested;
}

// The API makes NULLs of no type only, but an element of a list has the list's.
absl::StatusOr<ValueHandle> NullOf(const Type& type) {
  const ValueHandle null(duckdb_create_null_value());
  duckdb_value elements[] = {null.get()};
  const ValueHandle list(duckdb_create_list_value(LogicalType(type).get(), elements, 1));
  ValueHandle typed(list ? duckdb_get_list_child(list.get(), 0) : nullptr);
  if (!typed) return absl::InternalError(base::StrCat("the engine takes no NULL of ", type.ToString()));
  return typed;
}

}  // namespace

absl::StatusOr<ValueHandle> ToDuckDb(const Value& value) {
  if (value.is_null()) return NullOf(value.type());
  switch (value.type().kind()) {
    case TypeKind::kBool:
      return ValueHandle(duckdb_create_bool(value.bool_value()));
    case TypeKind::kInt64:
      return ValueHandle(duckdb_create_int64(value.int64_value()));
    case TypeKind::kFloat64:
      return ValueHandle(duckdb_create_double(value.float64_value()));
    case TypeKind::kNumeric:
      return Decimal(value);
    case TypeKind::kBigNumeric:
      return BigNumericValue(value);
    case TypeKind::kString:
    case TypeKind::kJson:
      return Text(value);
    case TypeKind::kBytes:
      return Blob(value.string_value());
    case TypeKind::kDate:
      return ValueHandle(duckdb_create_date({static_cast<int32_t>(value.int64_value())}));
    case TypeKind::kTime:
      return ValueHandle(duckdb_create_time({value.int64_value()}));
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return ValueHandle(duckdb_create_timestamp({value.int64_value()}));
    case TypeKind::kInterval:
      return IntervalValue(value.interval_value());
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return Nested(value);
  }
  return absl::InternalError("a value of no known type");
}

absl::Status BindAll(duckdb_prepared_statement statement, const PreparedQuery& query, const Bindings& bindings) {
  const size_t wanted = duckdb_nparams(statement);
  // The bindings of fragments alone come last.
  const bool enough = query.fragments().empty() ? bindings.size() == wanted : bindings.size() >= wanted;
  if (bindings.size() != query.slots().size() || !enough) {
    return absl::InternalError(base::StrCat("the query has ", base::Counted(query.slots().size(), "slot"),
                                            ", its text ", wanted, ", and was given ",
                                            base::Counted(bindings.size(), "value")));
  }
  for (size_t i = 0; i < wanted; ++i) {
    absl::StatusOr<ValueHandle> value = ToDuckDb(bindings[i]);
    if (!value.ok()) {
      return absl::Status(value.status().code(),
                          base::StrCat("parameter ", query.slots()[i].name, ": ", value.status().message()));
    }
    if (duckdb_bind_value(statement, i + 1, value->get()) != DuckDBSuccess) {
      return absl::InternalError(base::StrCat("DuckDB takes no value for $", i + 1));
    }
  }
  return absl::OkStatus();
}

}  // namespace logquery::duckdb
