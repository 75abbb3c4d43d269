// Numbers of fields and types are those of Arrow's Schema.fbs and Message.fbs.
#include "lib/result/arrow_message.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "lib/base/utf8.h"
#include "lib/result/flat_buffer.h"

namespace logquery::result {
namespace {

using Place = FlatBuffer::Place;

constexpr int16_t kVersion5 = 4;
constexpr uint8_t kSchemaHeader = 1, kRecordBatchHeader = 3;
// Readers map buffers into memory as they are; this is the alignment that Arrow recommends for them.
constexpr size_t kBufferAlignment = 64;
constexpr char kPadding[kBufferAlignment] = {};

enum ArrowType : uint8_t {
  kInt = 2,
  kFloatingPoint = 3,
  kBinary = 4,
  kUtf8 = 5,
  kBool = 6,
  kDecimal = 7,
  kDate = 8,
  kTime = 9,
  kTimestamp = 10,
  kInterval = 11,
  kList = 12,
  kStruct = 13,
};
constexpr int16_t kDoublePrecision = 2, kDayUnit = 0, kMicrosecondUnit = 2, kMonthDayNanoUnit = 2;

ArrowType ArrowTypeOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return kBool;
    case TypeKind::kInt64:
      return kInt;
    case TypeKind::kFloat64:
      return kFloatingPoint;
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
      return kDecimal;
    case TypeKind::kString:
    case TypeKind::kJson:
      return kUtf8;
    case TypeKind::kBytes:
      return kBinary;
    case TypeKind::kDate:
      return kDate;
    case TypeKind::kTime:
      return kTime;
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return kTimestamp;
    case TypeKind::kInterval:
      return kInterval;
    case TypeKind::kArray:
      return kList;
    case TypeKind::kStruct:
      return kStruct;
  }
  return kBinary;
}

std::string ValidName(std::string_view name) {
  std::string valid;
  base::AppendValidUtf8(name, valid);
  return valid;
}

// Adds the table that has the type's own parameters.
Place AddType(const Type& type, FlatBuffer& out) {
  const ArrowType arrow = ArrowTypeOf(type);
  const Place zone = type.is(TypeKind::kTimestamp) ? out.AddText("UTC") : 0;
  out.BeginTable();
  if (arrow == kInt) {
    out.Set<int32_t>(0, 64);
    out.Set<bool>(1, true);
  } else if (arrow == kFloatingPoint) {
    out.Set<int16_t>(0, kDoublePrecision);
  } else if (arrow == kDecimal) {
    const bool big = type.is(TypeKind::kBigNumeric);
    out.Set<int32_t>(0, big ? 76 : 38);
    out.Set<int32_t>(1, big ? 38 : 9);
    out.Set<int32_t>(2, big ? 256 : 128);
  } else if (arrow == kDate) {
    out.Set<int16_t>(0, kDayUnit);
  } else if (arrow == kTime) {
    out.Set<int16_t>(0, kMicrosecondUnit);
    out.Set<int32_t>(1, 64);
  } else if (arrow == kTimestamp) {
    out.Set<int16_t>(0, kMicrosecondUnit);
    if (zone != 0) out.SetPlace(1, zone);
  } else if (arrow == kInterval) {
    out.Set<int16_t>(0, kMonthDayNanoUnit);
  }
  return out.EndTable();
}

// Marks JSON text as such.
Place AddJsonMetadata(FlatBuffer& out) {
  std::vector<Place> pairs;
  for (const auto& [key, value] : {std::array<std::string_view, 2>{"ARROW:extension:name", "arrow.json"},
                                   std::array<std::string_view, 2>{"ARROW:extension:metadata", ""}}) {
    const Place key_text = out.AddText(key);
    const Place value_text = out.AddText(value);
    out.BeginTable();
    out.SetPlace(0, key_text);
    out.SetPlace(1, value_text);
    pairs.push_back(out.EndTable());
  }
  return out.AddPlaces(pairs);
}

Place AddField(std::string_view name, const Type& type, FlatBuffer& out) {
  std::vector<Place> children;
  if (type.is_array()) {
    children.push_back(AddField("item", type.element(), out));
  } else if (type.is_struct()) {
    for (const Field& field : type.fields()) children.push_back(AddField(field.name, field.type, out));
  }
  const Place metadata = type.is(TypeKind::kJson) ? AddJsonMetadata(out) : 0;
  const Place child_list = out.AddPlaces(children);
  const Place arrow_type = AddType(type, out);
  const Place name_text = out.AddText(ValidName(name));
  out.BeginTable();
  out.SetPlace(0, name_text);
  out.Set<bool>(1, true);
  out.Set<uint8_t>(2, ArrowTypeOf(type));
  out.SetPlace(3, arrow_type);
  out.SetPlace(5, child_list);
  if (metadata != 0) out.SetPlace(6, metadata);
  return out.EndTable();
}

// The message's metadata, with the marks in front of it. Its length is a multiple of 8, so the body begins aligned.
std::string Encapsulated(uint8_t header_type, Place header, int64_t body_bytes, FlatBuffer metadata) {
  metadata.BeginTable();
  metadata.Set<int64_t>(3, body_bytes);
  metadata.SetPlace(2, header);
  metadata.Set<int16_t>(0, kVersion5);
  metadata.Set<uint8_t>(1, header_type);
  const Place root = metadata.EndTable();
  const std::string bytes = std::move(metadata).Finish(root);
  const auto length = static_cast<int32_t>(bytes.size());
  std::string message("\xff\xff\xff\xff");
  message.append(reinterpret_cast<const char*>(&length), sizeof(length));
  return message += bytes;
}

// One column or part of one, as the message describes it.
struct Node {
  int64_t length;
  int64_t nulls;
};
struct Span {
  int64_t offset;  // in the body
  int64_t length;
};

// Lists the parts of arrays, each before its children, and where their buffers are in the body.
class Body {
 public:
  void Add(const ArrowArray& array, const Type& type) {
    const auto rows = static_cast<size_t>(array.length);
    nodes.push_back({array.length, array.null_count});
    AddBuffer(array.buffers[0], array.null_count == 0 ? 0 : (rows + 7) / 8);
    AddValues(array, type, rows);
    if (type.is_array()) {
      Add(*array.children[0], type.element());
    } else if (type.is_struct()) {
      for (size_t i = 0; i < type.fields().size(); ++i) Add(*array.children[i], type.fields()[i].type);
    }
  }

  std::vector<Node> nodes;
  std::vector<Span> spans;
  std::vector<std::string_view> buffers;  // their bytes, without padding
  size_t bytes = 0;                       // of the whole body

 private:
  void AddBuffer(const void* data, size_t length) {
    spans.push_back({static_cast<int64_t>(bytes), static_cast<int64_t>(length)});
    buffers.emplace_back(static_cast<const char*>(data), data == nullptr ? 0 : length);
    bytes += (length + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  }

  void AddValues(const ArrowArray& array, const Type& type, size_t rows) {
    switch (ArrowTypeOf(type)) {
      case kBool:
        return AddBuffer(array.buffers[1], (rows + 7) / 8);
      case kDate:
        return AddBuffer(array.buffers[1], rows * 4);
      case kInt:
      case kFloatingPoint:
      case kTime:
      case kTimestamp:
        return AddBuffer(array.buffers[1], rows * 8);
      case kInterval:
        return AddBuffer(array.buffers[1], rows * 16);
      case kDecimal:
        return AddBuffer(array.buffers[1], rows * (type.is(TypeKind::kBigNumeric) ? 32 : 16));
      case kList:
        return AddBuffer(array.buffers[1], (rows + 1) * sizeof(int32_t));
      case kUtf8:
      case kBinary: {
        AddBuffer(array.buffers[1], (rows + 1) * sizeof(int32_t));
        int32_t end = 0;
        std::memcpy(&end, static_cast<const char*>(array.buffers[1]) + rows * sizeof(end), sizeof(end));
        return AddBuffer(array.buffers[2], static_cast<size_t>(end));
      }
      case kStruct:
        return;
    }
  }
};

}  // namespace

std::string ArrowSchemaMessage(const Schema& schema) {
  FlatBuffer metadata;
  std::vector<Place> fields;
  for (const Field& field : schema) fields.push_back(AddField(field.name, field.type, metadata));
  const Place list = metadata.AddPlaces(fields);
  metadata.BeginTable();
  metadata.SetPlace(1, list);
  const Place header = metadata.EndTable();
  return Encapsulated(kSchemaHeader, header, 0, std::move(metadata));
}

void AppendArrowRows(const ArrowArray& rows, const Schema& schema, Output& out) {
  Body body;
  for (size_t i = 0; i < schema.size(); ++i) body.Add(*rows.children[i], schema[i].type);
  FlatBuffer metadata;
  const Place buffers = metadata.AddStructs(body.spans);
  const Place nodes = metadata.AddStructs(body.nodes);
  metadata.BeginTable();
  metadata.Set<int64_t>(0, rows.length);
  metadata.SetPlace(1, nodes);
  metadata.SetPlace(2, buffers);
  const Place header = metadata.EndTable();
  out.Append(Encapsulated(kRecordBatchHeader, header, static_cast<int64_t>(body.bytes), std::move(metadata)));
  for (const std::string_view buffer : body.buffers) {
    if (buffer.empty()) continue;  // its address may be null
    out.Append(buffer);
    const size_t over = buffer.size() % kBufferAlignment;
    if (over > 0) out.Append({kPadding, kBufferAlignment - over});
  }
}

}  // namespace logquery::result
