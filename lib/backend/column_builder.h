// Builds a batch's columns value by value: scalars from a server's binary format, records and arrays from that format
// or from JSON.
#ifndef LOGQUERY_LIB_BACKEND_COLUMN_BUILDER_H_
#define LOGQUERY_LIB_BACKEND_COLUMN_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::backend {

// Text that must live until the batch that borrows it has been passed on.
class TextBlocks {
 public:
  std::string_view Copy(std::string_view text);
  void Clear();
  int64_t bytes() const { return bytes_; }

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t left_ = 0;
  char* next_ = nullptr;
  int64_t bytes_ = 0;
};

// A column, or a field's or element's column below it. Each Append… adds one row.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(Type type);

  const Type& type() const { return type_; }
  int64_t rows() const { return rows_; }

  // For a record or STRUCT, also adds NULL to its fields.
  void AppendNull();
  template <typename T>
  void Append(const T& value) {
    const size_t at = data_.size();
    data_.resize(at + sizeof(T));
    std::memcpy(data_.data() + at, &value, sizeof(T));
    AddRow(true);
  }
  // Adds a present record or STRUCT; the caller must add one row to each child().
  void AppendPresent() { AddRow(true); }

  // The columns of the fields, or of the elements (0).
  size_t child_count() const { return children_.size(); }
  ColumnBuilder& child(size_t i) { return children_[i]; }
  // Returns the index of the field with exactly this name; -1 if there is none.
  int FindField(std::string_view name) const;

  void Clear();
  // Borrows the builder's memory, until it is changed.
  ColumnView View();

 private:
  void AddRow(bool valid);
  size_t Width() const;

  Type type_;
  std::vector<ColumnBuilder> children_;
  base::StringMap<int> fields_;
  std::vector<std::byte> data_;
  std::vector<uint64_t> validity_;
  std::vector<ColumnView> views_;
  int64_t rows_ = 0;
};

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_COLUMN_BUILDER_H_
