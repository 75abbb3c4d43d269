// Writes FlatBuffers (https://flatbuffers.dev/internals/), as much of the format as Arrow's metadata uses: tables, texts, and
// vectors of tables and of structs.
//
//     FlatBuffer buffer;
//     const FlatBuffer::Place name = buffer.AddText("id");
//     buffer.BeginTable();
//     buffer.SetPlace(0, name);
//     buffer.Set<bool>(1, true);
//     std::string bytes = std::move(buffer).Finish(buffer.EndTable());
//
// References point forward, so a buffer is written from its end: an object must be added before those that refer to it, and none
// may be added between BeginTable and EndTable. Numbers are little-endian. Not thread-safe.
#ifndef LOGQUERY_LIB_RESULT_FLAT_BUFFER_H_
#define LOGQUERY_LIB_RESULT_FLAT_BUFFER_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace logquery::result {

class FlatBuffer {
 public:
  static_assert(std::endian::native == std::endian::little);
  // An object's distance from the end of the buffer to its first byte.
  using Place = uint32_t;

  Place AddText(std::string_view text);
  // Adds a vector of objects that were added before.
  Place AddPlaces(const std::vector<Place>& places);
  // Adds a vector of structs whose members are 8 bytes each.
  template <typename T>
  Place AddStructs(const std::vector<T>& structs) {
    static_assert(sizeof(T) % 8 == 0);
    return AddVector({reinterpret_cast<const char*>(structs.data()), structs.size() * sizeof(T)}, structs.size(), 8);
  }

  void BeginTable();
  // Sets the table's field with this index, each at most once.
  template <typename T>
  void Set(size_t field, T value) {
    Align(sizeof(T), sizeof(T));
    Prepend({reinterpret_cast<const char*>(&value), sizeof(T)});
    Record(field);
  }
  void SetPlace(size_t field, Place place);
  Place EndTable();

  // Returns the whole buffer; its length is a multiple of 8.
  std::string Finish(Place root) &&;

 private:
  Place here() const { return static_cast<Place>(reversed_.size()); }
  // Pads so that what begins `bytes` before here is aligned.
  void Align(size_t alignment, size_t bytes);
  void Prepend(std::string_view bytes);
  void PrependReference(Place place);
  Place AddVector(std::string_view elements, size_t count, size_t alignment);
  void Record(size_t field);

  std::string reversed_;
  std::vector<Place> fields_;  // of the open table; 0: not set
  Place table_end_ = 0;
};

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_FLAT_BUFFER_H_
