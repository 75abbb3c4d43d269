// Tells whether tables' rows have changed since a statement was prepared.
//
// DuckDB plans with what it knows of a table's values (their range, whether any is NULL), and a prepared statement keeps
// that plan: once rows with other values are in, it gives wrong answers (measured with 1.4.4: a sort gave 261 for 5).
// So a statement may be run again only on the very rows that it was planned for.
//
//     const DataVersion::Stamp stamp = version.Read();   // before the statement is prepared
//     …                                                  // later: a transaction has begun, so what it sees is settled
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
    bool settled = false;  // no change is under way
    friend bool operator==(const Stamp& a, const Stamp& b) { return a.version == b.version && a.settled == b.settled; }
  };

  // Lives while rows become visible, around the COMMIT.
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
    // In this order: equal numbers then mean that none was under way when the second was read.
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
