// The rows of the isolation checks: columns of every kind, with values of the caller's own rows, on which expressions work,
// and values of rows that the caller may not read, on which nearly every function raises an error.
//
//     std::string line = MakeRow({.owner = kOwnProject, .number = 7});
//
// Every text of a hidden row, and only those, holds kMarker where its form allows it: an answer that shows the marker shows a
// value that the caller may not read.
#ifndef LOGQUERY_TESTS_ISOLATION_STORED_ROWS_H_
#define LOGQUERY_TESTS_ISOLATION_STORED_ROWS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"

namespace logquery::isolation {

inline constexpr char kTable[] = "tenant.logs";
inline constexpr char kOwnProject[] = "own";
inline constexpr char kNeighbourProject[] = "neighbour";

// Texts of hidden rows hold the first, large numbers of hidden rows are the second.
inline constexpr std::string_view kMarker = "zqx";
inline constexpr std::string_view kNumberMarker = "4242424242";

// The schema file of kTable. One field of the rows, metadata.request.extra, is not declared: the store learns it.
std::string SchemaText();

struct RowPlan {
  std::string project = kOwnProject;
  absl::Time time;
  int64_t number = 0;    // of its kind: own rows and hidden rows are counted separately
  bool hostile = false;  // holds the values on which functions fail
  std::string address = "10.20.30.40";
};

// The row as a line of NDJSON, without the end of the line.
std::string MakeRow(const RowPlan& plan);

// Columns that hold the same kind of text and differ in how it is stored: repeated, unique, constant, sorted, mostly NULL, a
// leaf of a record, a hot column, a learned field. An expression writes "{number}" for any of them.
const std::map<std::string, std::vector<std::string>>& Roles();

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_STORED_ROWS_H_
