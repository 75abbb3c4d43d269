// One row of each log as NDJSON, with the fields that lib/model/log_schema.json declares.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_ROWS_H_
#define LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_ROWS_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "shim/cli/folder/sample/sample_random.h"
#include "shim/cli/folder/sample/sample_text.h"
#include "shim/cli/folder/sample/sample_world.h"

namespace logquery::shim {

struct SampleTime {
  explicit SampleTime(int64_t unix_micros);
  std::string_view second() const { return std::string_view(text).substr(0, 19); }  // 2026-01-15T12:34:56
  std::string_view milli() const { return std::string_view(text).substr(0, 23); }   // 2026-01-15T12:34:56.123
  std::string_view micro() const { return text; }                                   // 2026-01-15T12:34:56.123456
  int64_t unix_micros;
  std::string text;
};

// The input from which a row is made; `out` is appended to.
struct SampleRow {
  const SampleWorld& world;
  SampleRandom& random;
  size_t project;
  const SampleTime& time;
  std::string& out;

  std::string_view ref() const { return world.projects()[project].ref; }
  Uuid NewUuid() const {
    const uint64_t high = random.Next();
    return Uuid{high, random.Next()};
  }
  // `{"id":…,"timestamp":…,"event_message":"`
  void Begin() const;
};

// A client's address: one in 25 is IPv6, in any of the forms that logs show.
std::string SampleAddress(SampleRandom& random);

void AppendEdgeRow(const SampleRow& row);
void AppendFunctionEdgeRow(const SampleRow& row);
void AppendFunctionRow(const SampleRow& row);
void AppendPostgresRow(const SampleRow& row);
void AppendAuthRow(const SampleRow& row);
void AppendRealtimeRow(const SampleRow& row);
void AppendStorageRow(const SampleRow& row);
void AppendPostgrestRow(const SampleRow& row);
void AppendPgbouncerRow(const SampleRow& row);

struct SampleSource {
  std::string_view table;
  int per_mille;  // of all rows
  void (*append)(const SampleRow&);
};

inline constexpr std::array<SampleSource, 9> kSampleSources = {{
    {"cloudflare.logs.prod", 600, AppendEdgeRow},
    {"postgres.logs", 50, AppendPostgresRow},
    {"deno-relay-logs", 250, AppendFunctionEdgeRow},
    {"deno-subhosting-events", 30, AppendFunctionRow},
    {"gotrue.logs.prod", 30, AppendAuthRow},
    {"realtime.logs.prod", 15, AppendRealtimeRow},
    {"storage.logs.prod.2", 15, AppendStorageRow},
    {"postgREST.logs.prod", 5, AppendPostgrestRow},
    {"pgbouncer.logs.prod", 5, AppendPgbouncerRow},
}};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_ROWS_H_
