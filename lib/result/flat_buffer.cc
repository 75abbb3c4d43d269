// Keeps the bytes in reverse order, so that writing before the beginning is an append.
#include "lib/result/flat_buffer.h"

#include <algorithm>

namespace logquery::result {
namespace {

// The alignment of the whole buffer, which is that of its largest number.
constexpr size_t kAlignment = 8;
constexpr size_t kReference = sizeof(uint32_t);

template <typename T>
std::string_view BytesOf(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

}  // namespace

void FlatBuffer::Align(size_t alignment, size_t bytes) {
  const size_t over = (reversed_.size() + bytes) % alignment;
  if (over > 0) reversed_.append(alignment - over, '\0');
}

void FlatBuffer::Prepend(std::string_view bytes) { reversed_.append(bytes.rbegin(), bytes.rend()); }

void FlatBuffer::PrependReference(Place place) {
  Align(kReference, kReference);
  const uint32_t distance = here() + static_cast<uint32_t>(kReference) - place;
  Prepend(BytesOf(distance));
}

FlatBuffer::Place FlatBuffer::AddVector(std::string_view elements, size_t count, size_t alignment) {
  Align(std::max(alignment, kReference), elements.size());
  Prepend(elements);
  Prepend(BytesOf(static_cast<uint32_t>(count)));
  return here();
}

FlatBuffer::Place FlatBuffer::AddText(std::string_view text) {
  Align(kReference, text.size() + 1);
  reversed_ += '\0';
  Prepend(text);
  Prepend(BytesOf(static_cast<uint32_t>(text.size())));
  return here();
}

FlatBuffer::Place FlatBuffer::AddPlaces(const std::vector<Place>& places) {
  for (size_t i = places.size(); i > 0; --i) PrependReference(places[i - 1]);
  Align(kReference, 0);
  Prepend(BytesOf(static_cast<uint32_t>(places.size())));
  return here();
}

void FlatBuffer::BeginTable() {
  fields_.clear();
  table_end_ = here();
}

void FlatBuffer::Record(size_t field) {
  if (fields_.size() <= field) fields_.resize(field + 1);
  fields_[field] = here();
}

void FlatBuffer::SetPlace(size_t field, Place place) {
  PrependReference(place);
  Record(field);
}

// The table begins with its distance to the list of its fields' offsets, which is written in front of it.
FlatBuffer::Place FlatBuffer::EndTable() {
  Align(kReference, kReference);
  Prepend(BytesOf(int32_t{0}));
  const Place table = here();
  for (size_t i = fields_.size(); i > 0; --i) {
    const Place field = fields_[i - 1];
    Prepend(BytesOf(static_cast<uint16_t>(field == 0 ? 0 : table - field)));
  }
  Prepend(BytesOf(static_cast<uint16_t>(table - table_end_)));
  Prepend(BytesOf(static_cast<uint16_t>((fields_.size() + 2) * sizeof(uint16_t))));
  const auto distance = static_cast<int32_t>(here() - table);
  const std::string_view bytes = BytesOf(distance);
  for (size_t i = 0; i < bytes.size(); ++i) reversed_[table - 1 - i] = bytes[i];
  return table;
}

std::string FlatBuffer::Finish(Place root) && {
  Align(kAlignment, kReference);
  PrependReference(root);
  return {reversed_.rbegin(), reversed_.rend()};
}

}  // namespace logquery::result
