// Erasing a project from a folder: its rows in every log that says whose its rows are, its rejected rows, and the records of
// requests that its tokens have sent.
//
//     EraseReport report = *backend->store().Erase({.project = "abcdefghijklmnopqrst"});
//
// Files that wait in a spool are not read (spool.h counts them), nor are backups. docs/loading.md says what stays.
#ifndef LOGQUERY_STORE_ERASURE_H_
#define LOGQUERY_STORE_ERASURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "logquery/cancellation.h"

namespace logquery {

struct EraseRequest {
  std::string project = {};  // as rows name it: compared byte by byte
  bool dry_run = false;      // only counts
  CancellationToken cancellation = {};
};

struct EraseReport {
  struct Table {
    std::string table;
    std::string log;
    int64_t rows = 0;
  };
  std::vector<Table> tables;  // only those that have rows of the project, in the schema's order
  int64_t rows = 0;
  int64_t rejected_rows = 0;          // of files and of events
  int64_t idempotency_keys = 0;       // of requests by tokens of the project
  int64_t unknown_rejected_rows = 0;  // whose project can't be told; they stay

  // Returns whether anything of the project existed.
  bool any() const { return rows > 0 || rejected_rows > 0 || idempotency_keys > 0; }
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_ERASURE_H_
