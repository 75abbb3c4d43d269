// Uses the memory layouts of batch.h.
#include "lib/backend/column_builder.h"

#include <algorithm>
#include <utility>

#include "lib/model/decimal_text.h"

namespace logquery::backend {
namespace {

constexpr size_t kBlockBytes = 256 << 10;

}  // namespace

std::string_view TextBlocks::Copy(std::string_view text) {
  if (text.size() > left_) {
    const size_t size = std::max(text.size(), kBlockBytes);
    blocks_.emplace_back(new char[size]);
    next_ = blocks_.back().get();
    left_ = size;
  }
  char* const copy = next_;
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  next_ += text.size();
  left_ -= text.size();
  bytes_ += static_cast<int64_t>(text.size());
  return {copy, text.size()};
}

void TextBlocks::Clear() {
  blocks_.clear();
  left_ = 0;
  next_ = nullptr;
  bytes_ = 0;
}

ColumnBuilder::ColumnBuilder(Type type) : type_(std::move(type)) {
  if (type_.is_record() || type_.is_struct()) {
    children_.reserve(type_.fields().size());
    for (const Field& field : type_.fields()) {
      fields_.emplace(field.name, static_cast<int>(children_.size()));
      children_.emplace_back(field.type);
    }
  } else if (type_.is_array()) {
    children_.emplace_back(type_.element());
  }
}

int ColumnBuilder::FindField(std::string_view name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? -1 : found->second;
}

size_t ColumnBuilder::Width() const {
  if (type_.is_record() || type_.is_struct()) return 0;
  switch (type_.kind()) {
    case TypeKind::kBool:
      return sizeof(uint8_t);
    case TypeKind::kDate:
      return sizeof(int32_t);
    case TypeKind::kNumeric:
      return sizeof(Int128);
    case TypeKind::kBigNumeric:
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kJson:
      return sizeof(StringRef);
    case TypeKind::kArray:
      return sizeof(ListSlice);
    case TypeKind::kInterval:
      return sizeof(PackedInterval);
    default:
      return sizeof(int64_t);
  }
}

void ColumnBuilder::AddRow(bool valid) {
  if ((rows_ & 63) == 0) validity_.push_back(0);
  if (valid) validity_.back() |= uint64_t{1} << (rows_ & 63);
  ++rows_;
}

void ColumnBuilder::AppendNull() {
  data_.resize(data_.size() + Width());
  if (type_.is_record() || type_.is_struct()) {
    for (ColumnBuilder& field : children_) field.AppendNull();
  }
  AddRow(false);
}

void ColumnBuilder::Clear() {
  data_.clear();
  validity_.clear();
  rows_ = 0;
  for (ColumnBuilder& below : children_) below.Clear();
}

ColumnView ColumnBuilder::View() {
  views_.clear();
  for (ColumnBuilder& below : children_) views_.push_back(below.View());
  const bool has_data = Width() > 0;
  return ColumnView(&type_, validity_.data(), has_data ? static_cast<const void*>(data_.data()) : nullptr,
                    views_.data(), type_.is(TypeKind::kNumeric) ? model::kNumericScale : 0);
}

}  // namespace logquery::backend
