// The names by which callers' SQL reads logs: those of the WITH entries in definitions that are made for many logs at once.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LOG_ENTRY_NAMES_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LOG_ENTRY_NAMES_H_

#include <string>

#include "absl/strings/ascii.h"
#include "logquery/catalog.h"

namespace logquery::endpoint {

// Returns the log's name, or its table's, as SQL can write it without quotes.
inline std::string LogEntryName(const Table& log) {
  std::string name = log.log.empty() ? log.name : log.log;
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LOG_ENTRY_NAMES_H_
