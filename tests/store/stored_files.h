// Rows as files, and what the store says of them.
#ifndef LOGQUERY_TESTS_STORE_STORED_FILES_H_
#define LOGQUERY_TESTS_STORE_STORED_FILES_H_

#include <string>

#include "tests/store/folder_test_util.h"

namespace logquery::store::store_tests {

inline std::string Rows(int count, const std::string& project = "abc") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += Row("\"i\":" + std::to_string(i) + ",\"project\":\"" + project + "\",\"metadata\":{\"level\":\"level " +
                std::to_string(int64_t{i} * 7919) + "\"}") +
            "\n";
  }
  return text;
}

inline bool Says(const absl::Status& status, std::string_view text) {
  return std::string(status.message()).find(text) != std::string::npos;
}

}  // namespace logquery::store::store_tests

#endif  // LOGQUERY_TESTS_STORE_STORED_FILES_H_
