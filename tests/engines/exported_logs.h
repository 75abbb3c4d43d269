// A data folder with an export of it, to be loaded into an engine, and the answers that both have to give alike.
#ifndef LOGQUERY_TESTS_ENGINES_EXPORTED_LOGS_H_
#define LOGQUERY_TESTS_ENGINES_EXPORTED_LOGS_H_

#include <string>
#include <vector>

#include "logquery/query_backend.h"

namespace logquery::testing {

// Rows of `cloudflare.logs.prod` on three days: records that are absent, empty and whole, text that wants quoting, fields that are
// not declared.
class ExportedLogs {
 public:
  ExportedLogs();
  ~ExportedLogs();
  ExportedLogs(const ExportedLogs&) = delete;
  ExportedLogs& operator=(const ExportedLogs&) = delete;

  // The folder of the files.
  std::string folder() const { return path_ + "/out"; }
  // Answers from the data folder.
  std::vector<std::string> Answers() const;

 private:
  std::string path_;
};

// Answers of a backend that has these rows.
std::vector<std::string> AnswersOf(QueryBackend& backend);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_EXPORTED_LOGS_H_
