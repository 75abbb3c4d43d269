// Records packed into bytes. A store can keep them beside the columns of a record's fields, because a whole record is read
// much faster from one value than from the columns of 80 fields.
//
//     RecordPacker packer(type);
//     packer.Pack(column, row, bytes);           // when a row is stored
//
//     RecordUnpacker unpacker(type);
//     if (!unpacker.Add(bytes)) …                // not of this type: read the fields' columns instead
//     unpacker.View();                           // a column of that type, with the values that were packed
//
// Packing is exact for every type: a NULL field, a NULL array and an empty one, every bit of a number, invalid UTF-8. The bytes
// begin with a fingerprint of the type. All bytes are checked, so that damaged ones are not read as a record.
#ifndef LOGQUERY_LIB_BACKEND_PACKED_RECORDS_H_
#define LOGQUERY_LIB_BACKEND_PACKED_RECORDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/backend/column_builder.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::backend {

// Returns whether a record with these fields is read faster from packed bytes than from the columns of its fields.
bool IsWorthPacking(const Type& record);

// Immutable.
class RecordPacker {
 public:
  explicit RecordPacker(const Type& record);

  // Appends the row's record, which may be NULL. `column` must have the type that the constructor got.
  void Pack(const ColumnView& column, int64_t row, std::string& out) const;

 private:
  std::string fingerprint_;
};

// Not thread-safe.
class RecordUnpacker {
 public:
  explicit RecordUnpacker(const Type& record);

  // Adds the packed record as the next row. Texts are borrowed from `packed`. Returns false if the bytes are no packed
  // record of this type; then the unpacker can't be used any more.
  [[nodiscard]] bool Add(std::string_view packed);
  // Returns the rows so far as a column; borrows the unpacker's memory, until it is changed.
  ColumnView View() { return rows_.View(); }

 private:
  std::string fingerprint_;
  ColumnBuilder rows_;
};

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_PACKED_RECORDS_H_
