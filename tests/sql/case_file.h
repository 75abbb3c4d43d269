// Files of cases: an input and what comes of it.
//
//     [a name for the case]
//     select 1
//     --
//     SELECT 1
//     ==
//
// Lines that begin with # before a case are comments. With LOGQUERY_UPDATE_GOLDEN set in the environment, the second
// part of every case is written anew; read the difference before committing it.
#ifndef LOGQUERY_TESTS_SQL_CASE_FILE_H_
#define LOGQUERY_TESTS_SQL_CASE_FILE_H_

#include <functional>
#include <string>
#include <vector>

namespace logquery::sql {

struct FileCase {
  std::string comment;  // lines before it
  std::string name;
  std::string input;
  std::string output;
};

// The cases of tests/testdata/sql/FILE.
std::vector<FileCase> ReadCases(const std::string& file);

// Checks that `run` makes of each case's input its output.
void CheckCases(const std::string& file, const std::function<std::string(const std::string&)>& run);

}  // namespace logquery::sql

#endif  // LOGQUERY_TESTS_SQL_CASE_FILE_H_
