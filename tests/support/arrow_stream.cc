// Follows https://flatbuffers.dev/internals/ and Arrow's Message.fbs, and shares no code with what writes streams.
#include "tests/support/arrow_stream.h"

#include <cstring>
#include <memory>
#include <stdexcept>

namespace logquery::testing {
namespace {

void Require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

template <typename T>
T Number(std::string_view bytes, size_t at) {
  Require(at % sizeof(T) == 0, "a number out of alignment");
  Require(at + sizeof(T) <= bytes.size(), "a number behind the end");
  T number;
  std::memcpy(&number, bytes.data() + at, sizeof(T));
  return number;
}

class Table {
 public:
  Table(std::string_view bytes, size_t at) : bytes_(bytes), at_(at) {}

  template <typename T>
  T Get(size_t field) const {
    const size_t place = Find(field);
    return place == 0 ? T() : Number<T>(bytes_, place);
  }
  bool Has(size_t field) const { return Find(field) != 0; }
  Table Sub(size_t field) const { return {bytes_, Follow(Find(field))}; }
  std::string Text(size_t field) const {
    const size_t at = Follow(Find(field));
    const auto length = Number<uint32_t>(bytes_, at);
    Require(at + 4 + length < bytes_.size() && bytes_[at + 4 + length] == '\0', "a text without its end");
    return std::string(bytes_.substr(at + 4, length));
  }
  size_t Count(size_t field) const { return Has(field) ? Number<uint32_t>(bytes_, Follow(Find(field))) : 0; }
  Table Element(size_t field, size_t i) const { return {bytes_, Follow(Follow(Find(field)) + 4 + 4 * i)}; }
  // The elements of a vector of structs of two 64-bit numbers.
  std::pair<int64_t, int64_t> Pair(size_t field, size_t i) const {
    const size_t at = Follow(Find(field)) + 4 + 16 * i;
    return {Number<int64_t>(bytes_, at), Number<int64_t>(bytes_, at + 8)};
  }

 private:
  size_t Find(size_t field) const {
    const size_t list = at_ - static_cast<size_t>(Number<int32_t>(bytes_, at_));
    if (4 + 2 * field >= Number<uint16_t>(bytes_, list)) return 0;
    const auto offset = Number<uint16_t>(bytes_, list + 4 + 2 * field);
    Require(offset < Number<uint16_t>(bytes_, list + 2), "a field outside of its table");
    return offset == 0 ? 0 : at_ + offset;
  }
  size_t Follow(size_t at) const {
    Require(at != 0, "a field that is not there");
    return at + Number<uint32_t>(bytes_, at);
  }

  std::string_view bytes_;
  size_t at_;
};

ArrowStream::Column ReadColumn(const Table& field) {
  ArrowStream::Column column;
  column.name = field.Text(0);
  column.nullable = field.Get<uint8_t>(1) != 0;
  column.type = field.Get<uint8_t>(2);
  field.Sub(3);
  for (size_t i = 0; i < field.Count(5); ++i) column.children.push_back(ReadColumn(field.Element(5, i)));
  for (size_t i = 0; i < field.Count(6); ++i) {
    const Table pair = field.Element(6, i);
    if (pair.Text(0) == "ARROW:extension:name") column.extension = pair.Text(1);
  }
  return column;
}

ArrowStream::Batch ReadBatch(const Table& header, std::string_view body) {
  ArrowStream::Batch batch;
  batch.rows = header.Get<int64_t>(0);
  for (size_t i = 0; i < header.Count(1); ++i) {
    const auto [length, nulls] = header.Pair(1, i);
    batch.nodes.push_back({length, nulls});
  }
  for (size_t i = 0; i < header.Count(2); ++i) {
    const auto [offset, length] = header.Pair(2, i);
    Require(offset % 8 == 0, "a buffer out of alignment");
    Require(offset >= 0 && length >= 0 && static_cast<size_t>(offset + length) <= body.size(),
            "a buffer outside of its body");
    batch.buffers.push_back(body.substr(static_cast<size_t>(offset), static_cast<size_t>(length)));
  }
  return batch;
}

// Memory that a made array owns.
struct Made {
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> pointers;
};

void Release(ArrowArray* array) {
  const std::unique_ptr<Made> made(static_cast<Made*>(array->private_data));
  for (const auto& child : made->children) {
    if (child->release != nullptr) child->release(child.get());
  }
  array->release = nullptr;
}

void Finish(int64_t length, int64_t nulls, std::unique_ptr<Made> made, ArrowArray& array) {
  for (const auto& child : made->children) made->pointers.push_back(child.get());
  array = {};
  array.length = length;
  array.null_count = nulls;
  array.n_buffers = static_cast<int64_t>(made->buffers.size());
  array.buffers = made->buffers.data();
  array.n_children = static_cast<int64_t>(made->pointers.size());
  array.children = made->pointers.data();
  array.release = Release;
  array.private_data = made.release();
}

class Maker {
 public:
  explicit Maker(const ArrowStream::Batch& batch) : batch_(batch) {}

  void Make(const Type& type, ArrowArray& array) {
    Require(node_ < batch_.nodes.size(), "fewer nodes than columns");
    const ArrowStream::Node node = batch_.nodes[node_++];
    auto made = std::make_unique<Made>();
    AddBuffer(*made);
    Require(node.nulls == 0 || made->buffers[0] != nullptr, "NULLs without a bitmap");
    if (type.is_array()) {
      AddBuffer(*made);
      Make(type.element(), *made->children.emplace_back(std::make_unique<ArrowArray>()));
    } else if (type.is_struct()) {
      for (const Field& field : type.fields()) {
        Make(field.type, *made->children.emplace_back(std::make_unique<ArrowArray>()));
      }
    } else {
      AddBuffer(*made);
      const bool is_text = type.is(TypeKind::kString) || type.is(TypeKind::kJson) || type.is(TypeKind::kBytes);
      if (is_text) AddBuffer(*made);
    }
    Finish(node.length, node.nulls, std::move(made), array);
  }

  void CheckEnd() const {
    Require(node_ == batch_.nodes.size() && buffer_ == batch_.buffers.size(), "more nodes or buffers than columns");
  }

 private:
  void AddBuffer(Made& made) {
    Require(buffer_ < batch_.buffers.size(), "fewer buffers than columns");
    const std::string_view buffer = batch_.buffers[buffer_++];
    made.buffers.push_back(buffer.empty() ? nullptr : buffer.data());
  }

  const ArrowStream::Batch& batch_;
  size_t node_ = 0;
  size_t buffer_ = 0;
};

}  // namespace

ArrowStream ReadArrowStream(std::string_view given) {
  ArrowStream stream;
  stream.bytes = given;
  const std::string_view bytes = stream.bytes;
  for (size_t at = 0;;) {
    Require(Number<uint32_t>(bytes, at) == 0xFFFFFFFF, "no message begins here");
    const auto length = Number<uint32_t>(bytes, at + 4);
    if (length == 0) {
      Require(at + 8 == bytes.size(), "bytes behind the end");
      Require(!stream.columns.empty(), "a stream without a schema");
      return stream;
    }
    Require(length % 8 == 0 && at + 8 + length <= bytes.size(), "metadata that is cut off or out of alignment");
    const std::string_view metadata = bytes.substr(at + 8, length);
    const Table message(metadata, Number<uint32_t>(metadata, 0));
    Require(message.Get<int16_t>(0) == 4, "a message of another version");
    const auto body_bytes = static_cast<size_t>(message.Get<int64_t>(3));
    Require(body_bytes % 8 == 0 && at + 8 + length + body_bytes <= bytes.size(), "a body that is cut off");
    const std::string_view body = bytes.substr(at + 8 + length, body_bytes);
    const Table header = message.Sub(2);
    if (message.Get<uint8_t>(1) == 1) {
      Require(stream.columns.empty() && header.Get<int16_t>(0) == 0, "a second schema, or one of another byte order");
      for (size_t i = 0; i < header.Count(1); ++i) stream.columns.push_back(ReadColumn(header.Element(1, i)));
    } else {
      Require(message.Get<uint8_t>(1) == 3 && !stream.columns.empty(), "a message of another kind");
      stream.batches.push_back(ReadBatch(header, body));
      stream.batches.back().bytes = 8 + length + body_bytes;
    }
    at += 8 + length + body_bytes;
  }
}

void MakeArrays(const ArrowStream::Batch& batch, const Schema& schema, ArrowArray& array) {
  auto made = std::make_unique<Made>();
  made->buffers.push_back(nullptr);
  Maker maker(batch);
  for (const Field& field : schema) {
    maker.Make(field.type, *made->children.emplace_back(std::make_unique<ArrowArray>()));
  }
  maker.CheckEnd();
  Finish(batch.rows, 0, std::move(made), array);
}

}  // namespace logquery::testing
