// Makes rows of OTLP's JSON, record by record, for the two encodings of a request: what comes in protobuf is written as this JSON first
// (otlp_protobuf.h), so that the same log gives the same row.
#ifndef LOGQUERY_LIB_STORE_INGEST_OTLP_RECORD_H_
#define LOGQUERY_LIB_STORE_INGEST_OTLP_RECORD_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace logquery::store {

// What the records of one scope have in common, as the members of a row.
struct OtlpAround {
  std::string resource;
  std::string scope;
  std::string_view project;  // of `resource`
};

// Set members of `around` from JSON: a list of attributes, and an InstrumentationScope.
void SetResource(std::string_view attributes, OtlpAround& around);
void SetScope(std::string_view scope, OtlpAround& around);

// A row of a LogRecord. What is no object stays as it is: it is rejected as a row, with the reason.
std::string RowOfOtlpRecord(std::string_view record, const OtlpAround& around);

// The most that SetResource, SetScope or a row of this JSON take, together with what is in `around`.
size_t MostOtlpBytes(std::string_view json, const OtlpAround& around);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_OTLP_RECORD_H_
