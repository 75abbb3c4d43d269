// Makes the declaration of a log from rows: what `logquery schema --infer` prints.
//
//     SchemaInference inference({.log = "app_logs"});
//     inference.BeginFile("app_logs.ndjson");
//     for each line of the file: inference.Add(line);
//     LOGQUERY_ASSIGN_OR_RETURN(InferredSchema schema, inference.Finish());
//
// The types are those that a folder would learn from the rows: BOOL, INT64, FLOAT64, STRING, arrays of these, and records.
#ifndef LOGQUERY_LIB_TOOLS_INFER_SCHEMA_H_
#define LOGQUERY_LIB_TOOLS_INFER_SCHEMA_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace logquery::endpoint {

struct InferOptions {
  std::string log = {};   // the log's name
  std::string time = {};  // the column of times; empty: found by its name and values
  std::string project =
      {};  // path of the project, "tenant" or "meta.tenant"; empty: the field `project`, if rows have it
};

struct InferredSchema {
  std::string json;  // a schema file
  // For people: what was left out and why, and how to load the rows.
  std::vector<std::string> notes;
};

// Used by one thread.
class SchemaInference {
 public:
  explicit SchemaInference(InferOptions options);
  ~SchemaInference();

  // A line that is longer is no row.
  static constexpr size_t kLongestRow = 8 << 20;

  // The name of the file whose lines follow, for messages; its lines are counted from 1.
  void BeginFile(std::string name);
  // Takes a row, a JSON object as text; an empty line is none. A line that is no JSON object is counted and kept out, and the
  // notes name the first of them.
  void Add(std::string_view line);
  int64_t rows() const;
  int64_t lines() const;  // rows, and lines that are none

  // InvalidArgument: there is no row, fewer than half of the lines are rows, there is no column of times, or no such column or
  // name; the message says what is there.
  absl::StatusOr<InferredSchema> Finish() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_INFER_SCHEMA_H_
