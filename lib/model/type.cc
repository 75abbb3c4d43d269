// Types with parts share these parts by pointer, so that copying a type is cheap.
#include "logquery/type.h"

#include <utility>

#include "lib/base/back_quoted.h"
#include "lib/base/strings.h"
#include "lib/model/reserved_words.h"

namespace logquery {

// The data that a type with parts shares with its copies. A record keeps its struct as the element; its fields are the
// struct's.
struct Type::Parts {
  Type element;
  std::vector<Field> fields;
};

namespace {

bool IsPlainName(std::string_view name) {
  if (name.empty() || absl::ascii_isdigit(name.front())) return false;
  for (const unsigned char c : name) {
    if (!absl::ascii_isalnum(c) && c != '_') return false;
  }
  return true;
}

std::string QuoteName(std::string_view name) {
  if (IsPlainName(name) && !model::IsReservedWord(name)) return std::string(name);
  return base::BackQuoted(name);
}

bool SameNames(const std::vector<Field>& a, const std::vector<Field>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!base::EqualsIgnoreCase(a[i].name, b[i].name)) return false;
  }
  return true;
}

}  // namespace

std::string_view TypeKindName(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBool:
      return "BOOL";
    case TypeKind::kInt64:
      return "INT64";
    case TypeKind::kFloat64:
      return "FLOAT64";
    case TypeKind::kNumeric:
      return "NUMERIC";
    case TypeKind::kBigNumeric:
      return "BIGNUMERIC";
    case TypeKind::kString:
      return "STRING";
    case TypeKind::kBytes:
      return "BYTES";
    case TypeKind::kDate:
      return "DATE";
    case TypeKind::kTime:
      return "TIME";
    case TypeKind::kDatetime:
      return "DATETIME";
    case TypeKind::kTimestamp:
      return "TIMESTAMP";
    case TypeKind::kInterval:
      return "INTERVAL";
    case TypeKind::kJson:
      return "JSON";
    case TypeKind::kArray:
      return "ARRAY";
    case TypeKind::kStruct:
      return "STRUCT";
  }
  return "?";
}

Type Type::Array(Type element) {
  auto parts = std::make_shared<Parts>();
  parts->element = std::move(element);
  Type type(TypeKind::kArray);
  type.parts_ = std::move(parts);
  return type;
}

Type Type::Struct(std::vector<Field> fields) {
  auto parts = std::make_shared<Parts>();
  parts->fields = std::move(fields);
  Type type(TypeKind::kStruct);
  type.parts_ = std::move(parts);
  return type;
}

Type Type::Record(std::vector<Field> fields) {
  Type type = Array(Struct(std::move(fields)));
  type.record_ = true;
  return type;
}

const Type& Type::element() const {
  static const Type* const none = new Type;
  return parts_ == nullptr ? *none : parts_->element;
}

const std::vector<Field>& Type::fields() const {
  static const std::vector<Field>* const none = new std::vector<Field>;
  if (parts_ == nullptr) return *none;
  return is_record() ? parts_->element.fields() : parts_->fields;
}

int Type::FindField(std::string_view name) const {
  const std::vector<Field>& all = fields();
  for (size_t i = 0; i < all.size(); ++i) {
    if (base::EqualsIgnoreCase(all[i].name, name)) return static_cast<int>(i);
  }
  return -1;
}

std::string Type::ToString() const {
  if (is_array()) return base::StrCat("ARRAY<", element().ToString(), ">");
  if (!is_struct()) return std::string(TypeKindName(kind_));
  std::string text = "STRUCT<";
  std::string_view separator;
  for (const Field& field : fields()) {
    base::StrAppend(&text, separator, field.name.empty() ? "" : QuoteName(field.name) + " ", field.type.ToString());
    separator = ", ";
  }
  return text + ">";
}

bool operator==(const Type& a, const Type& b) {
  if (a.kind_ != b.kind_) return false;
  if (a.parts_ == b.parts_) return true;
  if (a.is_array()) return a.element() == b.element();
  if (!SameNames(a.fields(), b.fields())) return false;
  for (size_t i = 0; i < a.fields().size(); ++i) {
    if (a.fields()[i].type != b.fields()[i].type) return false;
  }
  return true;
}

bool Type::SameLayout(const Type& a, const Type& b) {
  if (a.kind_ != b.kind_ || a.record_ != b.record_) return false;
  if (a.parts_ == b.parts_) return true;
  if (a.is_array()) return SameLayout(a.element(), b.element());
  if (!SameNames(a.fields(), b.fields())) return false;
  for (size_t i = 0; i < a.fields().size(); ++i) {
    if (!SameLayout(a.fields()[i].type, b.fields()[i].type)) return false;
  }
  return true;
}

}  // namespace logquery
