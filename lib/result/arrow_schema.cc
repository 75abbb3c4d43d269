// Each exported struct owns what it points to, so that a consumer may move a child out and release it by itself.
#include "lib/result/arrow_schema.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace logquery::result {
namespace {

constexpr std::string_view kExtensionKey = "ARROW:extension:name";
constexpr std::string_view kJsonExtension = "arrow.json";

struct Description {
  std::string name;
  std::string metadata;
  std::vector<std::unique_ptr<ArrowSchema>> children;
  std::vector<ArrowSchema*> pointers;
};

void Release(ArrowSchema* schema) {
  const std::unique_ptr<Description> description(static_cast<Description*>(schema->private_data));
  for (const std::unique_ptr<ArrowSchema>& child : description->children) {
    if (child->release != nullptr) child->release(child.get());
  }
  schema->release = nullptr;
}

void AppendLength(size_t length, std::string& out) {
  const auto number = static_cast<int32_t>(length);
  out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

// One key with its value, in the interface's encoding.
std::string Metadata(std::string_view key, std::string_view value) {
  std::string out;
  AppendLength(1, out);
  for (const std::string_view text : {key, value}) {
    AppendLength(text.size(), out);
    out += text;
  }
  return out;
}

const char* FormatOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return "b";
    case TypeKind::kInt64:
      return "l";
    case TypeKind::kFloat64:
      return "g";
    case TypeKind::kNumeric:
      return "d:38,9";
    case TypeKind::kBigNumeric:
      return "d:76,38,256";
    case TypeKind::kString:
    case TypeKind::kJson:
      return "u";
    case TypeKind::kBytes:
      return "z";
    case TypeKind::kDate:
      return "tdD";
    case TypeKind::kTime:
      return "ttu";
    case TypeKind::kDatetime:
      return "tsu:";
    case TypeKind::kTimestamp:
      return "tsu:UTC";
    case TypeKind::kInterval:
      return "tin";
    case TypeKind::kArray:
      return "+l";
    case TypeKind::kStruct:
      return "+s";
  }
  return "n";
}

// The interface's strings end at a NUL.
std::string NameOf(const std::string& name) { return name.substr(0, name.find('\0')); }

void Describe(const std::string& name, const Type& type, ArrowSchema& out);

void AddChild(const std::string& name, const Type& type, Description& description) {
  description.children.push_back(std::make_unique<ArrowSchema>());
  Describe(name, type, *description.children.back());
  description.pointers.push_back(description.children.back().get());
}

void Finish(const char* format, int64_t flags, std::unique_ptr<Description> description, ArrowSchema& out) {
  out.format = format;
  out.name = description->name.c_str();
  out.metadata = description->metadata.empty() ? nullptr : description->metadata.data();
  out.flags = flags;
  out.n_children = static_cast<int64_t>(description->pointers.size());
  out.children = description->pointers.empty() ? nullptr : description->pointers.data();
  out.dictionary = nullptr;
  out.release = Release;
  out.private_data = description.release();
}

void Describe(const std::string& name, const Type& type, ArrowSchema& out) {
  auto description = std::make_unique<Description>();
  description->name = NameOf(name);
  if (type.is(TypeKind::kJson)) description->metadata = Metadata(kExtensionKey, kJsonExtension);
  if (type.is_array()) {
    AddChild("item", type.element(), *description);
  } else if (type.is_struct()) {
    for (const Field& field : type.fields()) AddChild(field.name, field.type, *description);
  }
  Finish(FormatOf(type), ARROW_FLAG_NULLABLE, std::move(description), out);
}

}  // namespace

void ExportArrowSchema(const Schema& schema, ArrowSchema& out) {
  auto description = std::make_unique<Description>();
  for (const Field& column : schema) AddChild(column.name, column.type, *description);
  Finish("+s", 0, std::move(description), out);
}

}  // namespace logquery::result
