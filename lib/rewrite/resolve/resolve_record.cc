// Resolves records of absent rows.
//
// A record is stored as a STRUCT, and queries see an ARRAY that is empty if the STRUCT is NULL. But if the record
// belongs to a row that an outer join did not find, or to a STRUCT that is NULL, the ARRAY itself is NULL. Such a
// record is resolved to
//
//     CASE WHEN PRESENT(row) THEN CAST(row.record AS ARRAY<…>) ELSE NULL END
// so that a scalar whose type is a record is never a NULL array. UNNEST treats both alike, and reads the record itself.
//
// A record of a log of one's own (own_records.h) is a nullable STRUCT to paths, IS NULL and COUNT, which read the record itself,
// too: it is NULL where it or anything on the way to it is absent. Such a record may also be a function's result, as NULL may.
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

ScalarPtr AsArray(ScalarPtr record) {
  const sql::Span span = record->span;
  const Type array = Type::Array(record->type.element());
  auto cast = std::make_unique<Cast>(std::move(record), array);
  cast->span = span;
  return cast;
}

// The scalar under a cast from a record to the array that it is to queries; nullptr: it is no such cast.
ScalarPtr* RecordUnderCast(Scalar& scalar) {
  Cast* cast = If<Cast>(&scalar);
  return cast != nullptr && cast->operand->type.is_record() && cast->type.is_array() ? &cast->operand : nullptr;
}

bool IsEmptyArray(const Scalar& scalar) {
  if (IsUntypedEmptyArray(scalar)) return true;
  const Cast* cast = If<Cast>(&scalar);
  return cast != nullptr && IsUntypedEmptyArray(*cast->operand);
}

// Returns the record that a scalar reads from a row that may be missing; nullptr: it reads none.
ScalarPtr* RecordOfRow(Scalar& scalar) {
  if (scalar.type.is_record()) return nullptr;
  if (ScalarPtr* record = RecordUnderCast(scalar)) return record;
  const bool or_empty = IsCallOf(scalar, "COALESCE") || IsCallOf(scalar, "IFNULL");
  if (or_empty) {
    auto& arguments = As<FunctionCall>(scalar).arguments;
    return arguments.size() == 2 && IsEmptyArray(*arguments[1]) ? RecordOfRow(*arguments[0]) : nullptr;
  }
  Case* choice = If<Case>(&scalar);
  const bool by_row = choice != nullptr && choice->whens.size() == 1 && IsUntypedNull(*choice->otherwise) &&
                      IsCallOf(*choice->whens[0].condition, "$present");
  return by_row ? RecordUnderCast(*choice->whens[0].result) : nullptr;
}

bool HoldsRecord(const Scope& scope) {
  const auto is_record = [](const VisibleName& name) { return name.field < 0 && name.type().is_record(); };
  for (const VisibleName& name : scope.columns) {
    if (is_record(name)) return true;
  }
  for (const RangeVariable& range : scope.ranges) {
    for (const VisibleName& name : range.columns) {
      if (is_record(name)) return true;
    }
  }
  return false;
}

}  // namespace

ScalarPtr MakeRecordOfRow(ScalarPtr record, ScalarPtr row) {
  const sql::Span span = record->span;
  ScalarPtr array = AsArray(std::move(record));
  auto choice = std::make_unique<Case>(array->type);
  choice->span = span;
  choice->otherwise = MakeLiteral(Value::Null(array->type), span);
  choice->whens.push_back({MakePresent(std::move(row)), std::move(array)});
  return choice;
}

ScalarPtr ReadAsRecord(ScalarPtr array) {
  ScalarPtr* record = RecordOfRow(*array);
  if (record == nullptr) return array;
  // Taken out first: assigning frees what holds it.
  ScalarPtr value = std::move(*record);
  value->span = array->span;
  return value;
}

ScalarPtr Resolver::ReadField(ScalarPtr base, int field, sql::Span span) {
  const ColumnRef* column = If<ColumnRef>(base.get());
  const bool is_there = base->kind == ScalarKind::kStruct || (column != nullptr && never_null_.contains(column->id));
  ScalarPtr row = is_there || !base->type.fields()[field].type.is_record() ? nullptr : Clone(*base);
  ScalarPtr read = std::make_unique<FieldRef>(std::move(base), field);
  read->span = span;
  return row == nullptr ? std::move(read) : MakeRecordOfRow(std::move(read), std::move(row));
}

bool Resolver::IsOwnRecord(const Type& type) {
  // An array of several such records, such as ARRAY_AGG makes it, is no record.
  return type.is_record() && own_records_.Has(type.element());
}

ScalarPtr Resolver::ReadOwnRecord(ScalarPtr value) {
  const bool may_be_record = value->type.is_array() && own_records_.Has(value->type.element());
  return may_be_record ? ReadAsRecord(std::move(value)) : std::move(value);
}

ScalarPtr Resolver::ElementOfOwnRecord(ScalarPtr value) {
  value = ReadOwnRecord(std::move(value));
  if (!IsOwnRecord(value->type)) return value;
  const sql::Span span = value->span;
  ScalarPtr element = MakeElement(std::move(value));
  element->span = span;
  return element;
}

// A column of the side that is TRUE where its row is there, if the side has records to read by it.
Resolver::AbsentSide Resolver::MarkRows(FromResult& side) {
  AbsentSide absent;
  for (const PlanColumn& column : side.plan->columns) absent.columns.insert(column.id);
  if (!HoldsRecord(side.scope)) return absent;
  absent.present = NewColumn("present", Type::Bool());
  auto project = std::make_unique<Project>(std::move(side.plan));
  project->columns = project->input->columns;
  project->columns.push_back(*absent.present);
  project->computed.push_back({*absent.present, MakeBool(true)});
  side.plan = std::move(project);
  return absent;
}

std::vector<Resolver::AbsentSide> Resolver::MarkAbsentSides(sql::JoinItem::Type type, FromResult& left,
                                                            FromResult& right) {
  using Type = sql::JoinItem::Type;
  std::vector<AbsentSide> absent;
  if (type == Type::kRight || type == Type::kFull) absent.push_back(MarkRows(left));
  if (type == Type::kLeft || type == Type::kFull) absent.push_back(MarkRows(right));
  return absent;
}

void Resolver::ReadWithRow(const AbsentSide& side, Scope& scope) {
  const auto settle = [&](VisibleName& name) {
    if (name.row || name.value != nullptr || !side.columns.contains(name.column.id) || !name.type().is_record()) return;
    if (name.field >= 0) {
      name.row = name.column;
    } else {
      name.row = side.present;
    }
  };
  for (VisibleName& name : scope.columns) settle(name);
  for (RangeVariable& range : scope.ranges) {
    for (VisibleName& name : range.columns) settle(name);
  }
  for (const ColumnId id : side.columns) never_null_.erase(id);
}

}  // namespace logquery::rewrite
