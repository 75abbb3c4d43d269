// Columns for fields that a schema declares of a built-in log: the same that rows would make, but every project's. They come
// before what rows have taught.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/schema_file.h"
#include "lib/store/learn/learned_change.h"

namespace logquery::store {
namespace {

class Declaration {
 public:
  Declaration(const TableLayout& declared, const LearnedTable& learned)
      : declared_(declared),
        learned_(learned),
        stands_(learned.columns.size(), true),
        count_(learned.declared.size()),
        names_(declared, learned) {
    for (const size_t i : learned.superseded) stands_[i] = false;
  }

  // `path` is that of the record which has the fields.
  absl::Status Add(const Schema& fields, model::FieldPath& path) {
    for (const Field& field : fields) {
      path.push_back(field.name);
      const Type* const type = model::FieldType(declared_.table.columns, path);
      if (type != nullptr && type->is_record() != field.type.is_record()) return Differs(path, *type, field.type);
      if (type == nullptr) LOGQUERY_RETURN_IF_ERROR(Declare(field, path));
      if (field.type.is_record()) LOGQUERY_RETURN_IF_ERROR(Add(field.type.fields(), path));
      path.pop_back();
    }
    return absl::OkStatus();
  }

  LearnedChange Take() { return std::move(change_); }

 private:
  absl::Status Declare(const Field& field, const model::FieldPath& path) {
    if (!IsLearnableName(field.name, path.size() == 1)) {
      return absl::InvalidArgumentError(
          base::StrCat("the schema declares ", Named(path), ", which is no name that a field may have"));
    }
    const bool is_record = field.type.is_record();
    LearnedColumn wanted{path, "", is_record ? Type::Bool() : field.type, /*presence=*/is_record};
    const std::optional<size_t> same = FindSame(wanted);
    if (!same.has_value() || !Is(learned_.declared, *same)) {
      if (count_ == kMaxLearnedColumns) return NoRoom(path);
      ++count_;
    }
    const size_t column = same.has_value() ? *same : AddColumn(wanted);
    if (!Is(learned_.declared, column)) change_.declared.push_back(column);
    for (size_t i = 0; i < learned_.columns.size(); ++i) {
      if (i != column && stands_[i] && Collides(learned_.columns[i], wanted)) Supersede(i, column, wanted);
    }
    return absl::OkStatus();
  }

  static bool Is(const std::vector<size_t>& columns, size_t column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  }

  // A column of the path in any case, unless it is the same record or a record where this is one.
  static bool Collides(const LearnedColumn& column, const LearnedColumn& wanted) {
    const size_t size = wanted.path.size();
    if (column.path.size() < size || (column.path.size() > size && wanted.presence)) return false;
    return std::equal(wanted.path.begin(), wanted.path.end(), column.path.begin(), base::EqualsIgnoreCase) &&
           (!wanted.presence || !column.presence || column.path != wanted.path);
  }

  std::optional<size_t> FindSame(const LearnedColumn& wanted) const {
    for (size_t i = 0; i < learned_.columns.size(); ++i) {
      const LearnedColumn& column = learned_.columns[i];
      const bool is_same =
          column.presence == wanted.presence && column.path == wanted.path && column.type == wanted.type;
      if (is_same && stands_[i]) return i;
    }
    return std::nullopt;
  }

  size_t AddColumn(LearnedColumn column) {
    names_.Name(&column);
    change_.added.push_back(std::move(column));
    return learned_.columns.size() + change_.added.size() - 1;
  }

  void Supersede(size_t from, size_t to, const LearnedColumn& wanted) {
    stands_[from] = false;
    change_.superseded.push_back(from);
    const LearnedColumn& column = learned_.columns[from];
    const bool are_values = !wanted.presence && !column.presence && column.path.size() == wanted.path.size();
    if (are_values && column.type.is_array() == wanted.type.is_array()) change_.moved.push_back({from, to});
  }

  absl::Status NoRoom(const model::FieldPath& path) const {
    return absl::FailedPreconditionError(base::StrCat("the schema declares ", Named(path),
                                                      ", for which there is no room: a log may have ",
                                                      kMaxLearnedColumns, " further fields and records"));
  }

  absl::Status Differs(const model::FieldPath& path, const Type& has, const Type& declared) const {
    return absl::FailedPreconditionError(base::StrCat(
        "the schema declares ", Named(path), " as ", declared.is_record() ? "a record" : declared.ToString(),
        ", which the log has as ", has.is_record() ? "a record" : has.ToString(), ": declare it so, or leave it out"));
  }

  std::string Named(const model::FieldPath& path) const {
    return base::StrCat(declared_.table.name, ".", base::Join(path, "."));
  }

  const TableLayout& declared_;
  const LearnedTable& learned_;
  std::vector<bool> stands_;  // by column: it is not superseded
  size_t count_;              // columns that are declared
  ColumnNames names_;
  LearnedChange change_;
};

}  // namespace

absl::StatusOr<LearnedChange> DecideDeclared(const Schema& fields, const TableLayout& declared,
                                             const LearnedTable& learned) {
  Declaration declaration(declared, learned);
  model::FieldPath path;
  LOGQUERY_RETURN_IF_ERROR(declaration.Add(fields, path));
  return declaration.Take();
}

}  // namespace logquery::store
