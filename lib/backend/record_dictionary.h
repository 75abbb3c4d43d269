// Dictionaries with which packed records (packed_records.h) are compressed one by one. Records of one log are much alike, so with a
// dictionary that was trained on some of them a record takes about a quarter of its bytes, and can still be read alone.
//
//     RecordCompressor compressor;
//     compressor.Compress(*dictionary, packed, bytes);     // when a row is stored
//
//     RecordExpander expander(&dictionaries);
//     if (const auto packed = expander.Expand(bytes)) …    // a packed record; nullopt: read the fields' columns instead
//
// A compressed record is a frame of zstd (RFC 8878) that names its dictionary. The first bytes of a frame and of a packed record
// differ.
#ifndef LOGQUERY_LIB_BACKEND_RECORD_DICTIONARY_H_
#define LOGQUERY_LIB_BACKEND_RECORD_DICTIONARY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/call_once.h"
#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"

struct ZSTD_CCtx_s;
struct ZSTD_CDict_s;
struct ZSTD_DCtx_s;
struct ZSTD_DDict_s;

namespace logquery::backend {

// Thread-safe.
class RecordDictionary {
 public:
  static constexpr size_t kMostBytes = 32 << 10;

  // Trains a dictionary on `samples`, which are the packed records one after the other, and their sizes.
  // Invalid-argument: there are too few records, or they have nothing in common.
  static absl::StatusOr<std::shared_ptr<const RecordDictionary>> Train(std::string_view samples,
                                                                       const std::vector<size_t>& sizes);
  // Returns the dictionary that bytes() returned before. Data-loss: the bytes are none.
  static absl::StatusOr<std::shared_ptr<const RecordDictionary>> FromBytes(std::string bytes);

  ~RecordDictionary();
  RecordDictionary(const RecordDictionary&) = delete;
  RecordDictionary& operator=(const RecordDictionary&) = delete;

  // Follows from the bytes; not 0.
  uint32_t id() const { return id_; }
  const std::string& bytes() const { return bytes_; }

 private:
  friend class RecordCompressor;
  friend class RecordExpander;

  RecordDictionary(std::string bytes, uint32_t id) : bytes_(std::move(bytes)), id_(id) {}
  // Both return nullptr without memory for it, or if the bytes are damaged.
  const ZSTD_CDict_s* ForCompressing() const;
  const ZSTD_DDict_s* ForExpanding() const;

  const std::string bytes_;
  const uint32_t id_;
  // Made when they are needed first: together they take several times the bytes, and most dictionaries are for old rows.
  mutable absl::once_flag compressing_made_;
  mutable ZSTD_CDict_s* compressing_ = nullptr;
  mutable absl::once_flag expanding_made_;
  mutable ZSTD_DDict_s* expanding_ = nullptr;
};

// The dictionaries of a folder by their numbers. Thread-safe.
class RecordDictionaries {
 public:
  // One that is added twice stays until it is removed twice.
  void Add(std::shared_ptr<const RecordDictionary> dictionary);
  void Remove(uint32_t id);
  // Returns nullptr if there is none of this number.
  std::shared_ptr<const RecordDictionary> Find(uint32_t id) const;

 private:
  struct Entry {
    std::shared_ptr<const RecordDictionary> dictionary;
    int times = 0;  // that it was added
  };

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<uint32_t, Entry> by_id_ ABSL_GUARDED_BY(mutex_);
};

// Not thread-safe.
class RecordCompressor {
 public:
  RecordCompressor();
  ~RecordCompressor();
  RecordCompressor(const RecordCompressor&) = delete;
  RecordCompressor& operator=(const RecordCompressor&) = delete;

  // Appends the compressed record, or the packed one as it is if that is shorter.
  void Compress(const RecordDictionary& dictionary, std::string_view packed, std::string& out);

 private:
  ZSTD_CCtx_s* const context_;
};

// Not thread-safe.
class RecordExpander {
 public:
  // More bytes are no record.
  static constexpr size_t kMostBytes = 64 << 20;

  // Borrows `dictionaries`; nullptr: there are none.
  explicit RecordExpander(const RecordDictionaries* dictionaries);
  ~RecordExpander();
  RecordExpander(RecordExpander&& other) noexcept;
  RecordExpander& operator=(RecordExpander&&) = delete;

  // Returns the size that Expand() would return, if it returned any.
  static uint64_t ExpandedSize(std::string_view bytes);

  // Returns the packed record of these bytes, which may be one. It lives as long as the expander and `bytes`. Nullopt: they are
  // damaged, or their dictionary is gone.
  std::optional<std::string_view> Expand(std::string_view bytes);

 private:
  // Returns the dictionary of that number, which stays until the expander goes.
  const RecordDictionary* Find(uint32_t id);

  const RecordDictionaries* dictionaries_;
  ZSTD_DCtx_s* context_;
  std::vector<std::shared_ptr<const RecordDictionary>> used_;
  std::vector<std::unique_ptr<char[]>> expanded_;
};

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_RECORD_DICTIONARY_H_
