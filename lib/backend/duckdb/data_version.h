// Detects whether tables' rows have changed since a statement was prepared.
//
// DuckDB plans with statistics of a table's values (their range, whether any is NULL), and a prepared statement keeps
// its plan. If rows with other values are added, it returns wrong results (measured with 1.4.4: a sort returned 261
// instead of 5). Therefore a statement may be reused only for exactly the rows that it was planned for.
//
//     const DataVersion::Stamp stamp = version.Read();   // before the statement is prepared
//     …                                                  // later: a transaction has begun, so its snapshot is fixed
//     if (stamp.settled && version.Read() == stamp) …    // the statement may be run
//
// Thread-safe.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_DATA_VERSION_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_DATA_VERSION_H_

#include <atomic>
#include <cstdint>

namespace logquery::duckdb {

class DataVersion {
 public:
  struct Stamp {
    uint64_t version = 0;
    bool settled = false;  // no change is in progress
    friend bool operator==(const Stamp& a, const Stamp& b) { return a.version == b.version && a.settled == b.settled; }
  };

  // Must live while rows become visible, around the COMMIT.
  class Change {
   public:
    explicit Change(DataVersion* version) : version_(version) { ++version_->begun_; }
    ~Change() { ++version_->ended_; }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

   private:
    DataVersion* const version_;
  };

  Stamp Read() const {
    // In this order, equal numbers mean that no change was in progress when the second number was read.
    const uint64_t ended = ended_.load();
    const uint64_t begun = begun_.load();
    return {begun, begun == ended};
  }

 private:
  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> ended_{0};
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_DATA_VERSION_H_
