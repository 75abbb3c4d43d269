// Compares the names of rows with the declared fields, record by record.
#include "shim/cli/query/case_names.h"

#include <algorithm>
#include <vector>

#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "re2/re2.h"

namespace logquery::shim {
namespace {

using base::Json;
using base::StrCat;

bool HasMember(const Json& object, std::string_view name) {
  return std::any_of(object.items().begin(), object.items().end(),
                     [name](const auto& member) { return base::EqualsIgnoreCase(member.first, name); });
}

const Field* FindField(const Schema& fields, std::string_view name) {
  for (const Field& field : fields) {
    if (base::EqualsIgnoreCase(field.name, name)) return &field;
  }
  return nullptr;
}

// The fields of a record, also of one in an array.
const Schema* FieldsOf(const Type& type) {
  if (type.is_array()) return FieldsOf(type.element());
  return type.is_struct() || type.is_record() ? &type.fields() : nullptr;
}

class RowNames {
 public:
  explicit RowNames(std::string_view sql) : sql_(sql) {}

  absl::Status Check(const Json& value, const Schema& fields, const std::string& path) const {
    if (value.is_array()) {
      for (const Json& element : value) LOGQUERY_RETURN_IF_ERROR(Check(element, fields, path));
    }
    if (!value.is_object()) return absl::OkStatus();
    for (const auto& [name, member] : value.items()) {
      const Field* const field = FindField(fields, name);
      if (field == nullptr) {
        LOGQUERY_RETURN_IF_ERROR(CheckUnknown(value, fields, path, name));
      } else if (const Schema* inner = FieldsOf(field->type); inner != nullptr) {
        LOGQUERY_RETURN_IF_ERROR(Check(member, *inner, StrCat(path, name, ".")));
      }
    }
    return absl::OkStatus();
  }

 private:
  absl::Status CheckUnknown(const Json& object, const Schema& fields, const std::string& path,
                            const std::string& name) const {
    std::vector<std::string> missing;
    for (const Field& field : fields) {
      if (!HasMember(object, field.name)) missing.push_back(field.name);
    }
    const std::vector<std::string> near = base::NearestNames(name, missing);
    if (near.empty() || IsRead(name)) return absl::OkStatus();
    return absl::InvalidArgumentError(StrCat("there is no field ", base::QuotedText(path + name),
                                             base::DidYouMean(near),
                                             " To have rows bring a new field, declare it in schema.json"));
  }

  bool IsRead(const std::string& name) const {
    const RE2 word(StrCat("(?i)\\b", RE2::QuoteMeta(name), "\\b"));
    return RE2::PartialMatch(re2::StringPiece(sql_.data(), sql_.size()), word);
  }

  const std::string_view sql_;
};

}  // namespace

absl::Status CheckParameterNames(const Endpoint& endpoint, const ParameterTexts& parameters) {
  std::vector<std::string> known;
  if (endpoint.query_sandboxing) known.emplace_back("sql");
  for (const Parameter& parameter : endpoint.parameters) {
    if (!parameter.computed) known.push_back(parameter.name);
  }
  for (const auto& [name, text] : parameters) {
    if (name == "cursor" || std::find(known.begin(), known.end(), name) != known.end()) continue;
    return absl::InvalidArgumentError(
        StrCat("there is no parameter ", base::QuotedText(name), base::DidYouMean(base::NearestNames(name, known))));
  }
  return absl::OkStatus();
}

absl::Status CheckRowNames(const Table& table, std::string_view lines, std::string_view sql) {
  const RowNames names(sql);
  for (int row = 1; !lines.empty(); ++row) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const Json json = base::TryReadJson(line).value_or(nullptr);
    if (const absl::Status status = names.Check(json, table.columns, ""); !status.ok()) {
      return absl::InvalidArgumentError(
          StrCat("row ", row, " of ", table.log.empty() ? table.name : table.log, ": ", base::Message(status)));
    }
  }
  return absl::OkStatus();
}

}  // namespace logquery::shim
