// Makes rows of OTLP's JSON, record by record, for the two encodings of a request: what comes in protobuf is written as this JSON
// first (otlp_protobuf.h), so that the same log gives the same row.
#ifndef LOGQUERY_LIB_STORE_INGEST_OTLP_RECORD_H_
#define LOGQUERY_LIB_STORE_INGEST_OTLP_RECORD_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "lib/store/ingest/checked_json.h"
#include "lib/store/ingest/row_sink.h"

namespace logquery::store {

// The common data of one scope's records, as the members of a row.
struct OtlpAround {
  std::string resource;
  std::string scope;
  std::string project;  // of `resource`, as JSON; empty: it has none
  std::string problem;  // why no record within it becomes a row; empty: they do
};

// Set members of `around` from a Resource and an InstrumentationScope.
void SetResource(const CheckedJson& resource, OtlpAround& around);
void SetScope(const CheckedJson& scope, OtlpAround& around);

struct OtlpRow {
  std::string row;
  std::string problem;  // why there is none; empty: there is one
};

// A row of a LogRecord. Warns of members that no LogRecord has.
OtlpRow RowOfOtlpRecord(const CheckedJson& record, const OtlpAround& around, RowSink& sink);

// The most that checking this JSON, and SetResource, SetScope or its row take, together with what is in `around`.
size_t MostOtlpBytes(std::string_view json, const OtlpAround& around);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_OTLP_RECORD_H_
