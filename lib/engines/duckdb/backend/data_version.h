// Detects whether tables' rows have changed since a statement was prepared.
//
// DuckDB plans with statistics of a table's values (their range, whether any is NULL), and a prepared statement keeps
// its plan, unless it has parameters (since 1.5). If rows with other values are added, it returns wrong results (measured with
// 1.4.4: a sort returned 261 instead of 5). Therefore a statement without parameters may be reused only for exactly the rows that
// it was planned for.
//
//     const DataVersion::Stamp stamp = version.Read();   // before the statement is prepared
//     …                                                  // later: a transaction has begun, so its snapshot is fixed
//     if (stamp.settled && version.Read() == stamp) …    // the statement may be run
//
// Rows can also move without changing: when they are rewritten in another order, or when columns come and go. Each such
// change begins another epoch, in which row ids, and the order of rows that a query does not order, may differ.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_DATA_VERSION_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_DATA_VERSION_H_

#include <atomic>
#include <cstdint>
#include <random>

namespace logquery::duckdb {

// The epoch of one opening of a database. Two openings never have equal ones.
struct Epoch {
  uint64_t opening = 0;  // random
  uint64_t number = 0;
  bool settled = false;  // none is beginning
  friend bool operator==(const Epoch& a, const Epoch& b) {
    return a.opening == b.opening && a.number == b.number && a.settled == b.settled;
  }
};

class DataVersion {
 public:
  struct Stamp {
    uint64_t version = 0;
    bool settled = false;  // no change is in progress
    friend bool operator==(const Stamp& a, const Stamp& b) { return a.version == b.version && a.settled == b.settled; }
  };

  enum class Kind {
    kAdds,   // rows come, and those that are there stay as they are
    kMoves,  // begins another epoch
  };

  // Must live while rows become visible, around the COMMIT.
  class Change {
   public:
    explicit Change(DataVersion* version, Kind kind = Kind::kAdds) : version_(version), kind_(kind) {
      if (kind_ == Kind::kMoves) ++version_->moves_begun_;
      ++version_->begun_;
    }
    ~Change() {
      ++version_->ended_;
      if (kind_ == Kind::kMoves) ++version_->moves_ended_;
    }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

   private:
    DataVersion* const version_;
    const Kind kind_;
  };

  Stamp Read() const {
    // In this order, equal numbers mean that no change was in progress when the second number was read.
    const uint64_t ended = ended_.load();
    const uint64_t begun = begun_.load();
    return {begun, begun == ended};
  }

  Epoch ReadEpoch() const {
    const uint64_t ended = moves_ended_.load();
    const uint64_t begun = moves_begun_.load();
    return {opening_, begun, begun == ended};
  }

 private:
  static uint64_t RandomNumber() {
    std::random_device source;
    return (uint64_t{source()} << 32) | source();
  }

  const uint64_t opening_ = RandomNumber();
  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> ended_{0};
  std::atomic<uint64_t> moves_begun_{0};
  std::atomic<uint64_t> moves_ended_{0};
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_DATA_VERSION_H_
