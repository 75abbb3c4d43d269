// Which rows of a data folder have packed records.
//
// A packed record is a whole record, such as a row's `metadata`, stored a second time as one value. Queries for the newest rows of
// a log read it about three times as fast as the columns of the record's fields; no answer depends on it. Rows get it when they are
// stored, and not later.
#ifndef LOGQUERY_PACKED_RECORDS_H_
#define LOGQUERY_PACKED_RECORDS_H_

#include <cstdint>

namespace logquery {

enum class PackedRecords : uint8_t {
  // The rows of open days, which are today and yesterday, and those of projects with few rows. Clustering removes the others.
  kOpenDays,
  // All rows, so that older pages of projects with many rows are faster, too. Clustering keeps the packed records that it finds.
  // docs/performance.md has the bytes that they take.
  kAll,
};

}  // namespace logquery

#endif  // LOGQUERY_PACKED_RECORDS_H_
