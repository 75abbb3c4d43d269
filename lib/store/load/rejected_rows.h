// The rejected rows of one input, unchanged, in DIR/rejected/NAME.ndjson. For each line, NAME.reasons.ndjson has its
// file, line number and reason.
//
// The files are written under temporary names and renamed after the load's transaction. The transaction records the
// name, so that the next opening of the folder can settle files that a crash left.
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

// Converts a table's name to a part of a file name.
std::string RejectedFileName(std::string_view table);

class RejectedRows {
 public:
  // `folder` is DIR/rejected; `id` and `source` are LoadInput's id and name. Creates no files before the first row.
  RejectedRows(std::string folder, std::string_view table, std::string_view id, std::string source);
  // Removes the files if Publish was not called.
  ~RejectedRows();
  RejectedRows(const RejectedRows&) = delete;
  RejectedRows& operator=(const RejectedRows&) = delete;

  absl::Status Add(const RejectedRow& row);
  bool empty() const { return !rows_.is_open(); }
  const std::string& name() const { return name_; }
  const std::string& source() const { return source_; }

  // Must be called before the transaction commits: syncs everything to disk.
  absl::Status Sync();
  // Must be called after it: renames the files. If that fails they stay for Settle.
  absl::Status Publish();

  // Removes published files of this name, which may be absent.
  void Remove() const;

  // Publishes files that `is_recorded` knows by name, and removes others that crashes left.
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
