// The rows of one input that a load refused, kept as they came: DIR/rejected/NAME.ndjson, and line by line in
// NAME.reasons.ndjson the file, the line and the reason.
//
// They are written beside and get their names after the load's transaction; the name is recorded in that transaction, so
// that what a crash leaves is settled at the next opening.
#ifndef LOGQUERY_LIB_STORE_LOAD_REJECTED_ROWS_H_
#define LOGQUERY_LIB_STORE_LOAD_REJECTED_ROWS_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "lib/store/rows/input_file.h"
#include "lib/store/rows/row_batch.h"

namespace logquery::store {

// A table's name as a part of a file's.
std::string RejectedFileName(std::string_view table);

class RejectedRows {
 public:
  // `folder` is DIR/rejected, `id` and `source` are LoadInput's id and name. Nothing is made before the first row.
  RejectedRows(std::string folder, std::string_view table, std::string_view id, std::string source);
  // Removes the files if Publish was not called.
  ~RejectedRows();
  RejectedRows(const RejectedRows&) = delete;
  RejectedRows& operator=(const RejectedRows&) = delete;

  absl::Status Add(const RejectedRow& row);
  bool empty() const { return !rows_.is_open(); }
  const std::string& name() const { return name_; }
  const std::string& source() const { return source_; }

  // Before the transaction commits: everything is on the disk.
  absl::Status Sync();
  // After it: the files get their names. Where that fails they stay as they are, for Settle.
  absl::Status Publish();

  // Publishes what `is_recorded` knows by name, removes the rest of what crashes left.
  static absl::Status Settle(const std::string& folder, absl::FunctionRef<bool(const std::string&)> is_recorded);

 private:
  absl::Status Flush();

  const std::string folder_;
  const std::string name_;
  const std::string source_;
  File rows_;
  File reasons_;
  std::string rows_buffer_;
  std::string reasons_buffer_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_REJECTED_ROWS_H_
