// Columns for fields that a schema declares before any row has brought them: the same that rows would make.
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
  Declaration(const TableLayout& layout, const std::vector<LearnedColumn>& learned)
      : layout_(layout), learned_(learned) {}

  // `path` is that of the record which has the fields; `is_new`: the log does not have it.
  absl::Status Add(const Schema& fields, model::FieldPath& path, bool is_new) {
    for (const Field& field : fields) {
      path.push_back(field.name);
      const Type* const type = is_new ? nullptr : model::FieldType(layout_.table.columns, path);
      if (type != nullptr && type->is_record() != field.type.is_record()) return Differs(path, *type, field.type);
      if (type == nullptr) LOGQUERY_RETURN_IF_ERROR(AddColumn(field, path));
      if (field.type.is_record()) LOGQUERY_RETURN_IF_ERROR(Add(field.type.fields(), path, type == nullptr));
      path.pop_back();
    }
    return absl::OkStatus();
  }

  LearnedChange Take() { return std::move(change_); }

 private:
  absl::Status AddColumn(const Field& field, const model::FieldPath& path) {
    if (!IsLearnableName(field.name, path.size() == 1)) {
      return absl::InvalidArgumentError(
          base::StrCat("the schema declares ", Named(path), ", which is no name that a field may have"));
    }
    if (learned_.size() + change_.added.size() == kMaxLearnedColumns) {
      return absl::FailedPreconditionError(base::StrCat("the schema declares ", Named(path),
                                                        ", for which there is no room: the log has ", learned_.size(),
                                                        " learned columns, and may have ", kMaxLearnedColumns));
    }
    const bool is_record = field.type.is_record();
    change_.added.push_back(
        {path, LearnedColumnName(path, is_record), is_record ? Type::Bool() : field.type, /*presence=*/is_record});
    return absl::OkStatus();
  }

  absl::Status Differs(const model::FieldPath& path, const Type& has, const Type& declared) const {
    return absl::FailedPreconditionError(
        base::StrCat("the schema declares ", Named(path), " as ",
                     declared.is_record() ? "a record" : declared.ToString(), ", which the folder has as ",
                     has.is_record() ? "a record" : has.ToString(), ": declare it so, or leave it out"));
  }

  std::string Named(const model::FieldPath& path) const {
    return base::StrCat(layout_.table.name, ".", base::Join(path, "."));
  }

  const TableLayout& layout_;
  const std::vector<LearnedColumn>& learned_;
  LearnedChange change_;
};

}  // namespace

absl::StatusOr<LearnedChange> DecideDeclared(const Schema& fields, const TableLayout& layout,
                                             const std::vector<LearnedColumn>& learned) {
  Declaration declaration(layout, learned);
  model::FieldPath path;
  LOGQUERY_RETURN_IF_ERROR(declaration.Add(fields, path, false));
  return declaration.Take();
}

}  // namespace logquery::store
