// Trains with zstd's "fast cover" algorithm, whose parameters are fixed, because a search for better ones takes several times as
// long and gains a few bytes of a hundred.
#define ZDICT_STATIC_LINKING_ONLY

#include "lib/backend/record_dictionary.h"

#include <zdict.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::backend {
namespace {

// Lower levels are not faster on so few bytes, and higher ones save hardly any more.
constexpr int kLevel = 3;

// The lengths of what is looked for in common, in bytes (ZDICT_fastCover_params_t).
constexpr unsigned kSegment = 512;
constexpr unsigned kPart = 8;

bool IsFrame(std::string_view bytes) {
  const uint32_t magic = ZSTD_MAGICNUMBER;
  return bytes.size() >= sizeof(magic) && std::memcmp(bytes.data(), &magic, sizeof(magic)) == 0;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const RecordDictionary>> RecordDictionary::Train(std::string_view samples,
                                                                                const std::vector<size_t>& sizes) {
  ZDICT_fastCover_params_t parameters = {};
  parameters.k = kSegment;
  parameters.d = kPart;
  parameters.zParams.compressionLevel = kLevel;
  std::string bytes(kMostBytes, '\0');
  const size_t size = ZDICT_trainFromBuffer_fastCover(bytes.data(), bytes.size(), samples.data(), sizes.data(),
                                                      static_cast<unsigned>(sizes.size()), parameters);
  if (ZDICT_isError(size) != 0) {
    return absl::InvalidArgumentError(
        base::StrCat("no dictionary of ", sizes.size(), " packed records: ", ZDICT_getErrorName(size)));
  }
  bytes.resize(size);
  return FromBytes(std::move(bytes));
}

absl::StatusOr<std::shared_ptr<const RecordDictionary>> RecordDictionary::FromBytes(std::string bytes) {
  const uint32_t id = ZDICT_getDictID(bytes.data(), bytes.size());
  if (id == 0) return absl::DataLossError("the bytes are no dictionary of packed records");
  return std::shared_ptr<const RecordDictionary>(new RecordDictionary(std::move(bytes), id));
}

RecordDictionary::~RecordDictionary() {
  ZSTD_freeCDict(compressing_);
  ZSTD_freeDDict(expanding_);
}

const ZSTD_CDict_s* RecordDictionary::ForCompressing() const {
  absl::call_once(compressing_made_, [&] { compressing_ = ZSTD_createCDict(bytes_.data(), bytes_.size(), kLevel); });
  return compressing_;
}

const ZSTD_DDict_s* RecordDictionary::ForExpanding() const {
  absl::call_once(expanding_made_, [&] { expanding_ = ZSTD_createDDict(bytes_.data(), bytes_.size()); });
  return expanding_;
}

void RecordDictionaries::Add(std::shared_ptr<const RecordDictionary> dictionary) {
  absl::MutexLock lock(&mutex_);
  Entry& entry = by_id_[dictionary->id()];
  entry.dictionary = std::move(dictionary);
  ++entry.times;
}

void RecordDictionaries::Remove(uint32_t id) {
  absl::MutexLock lock(&mutex_);
  const auto found = by_id_.find(id);
  if (found != by_id_.end() && --found->second.times == 0) by_id_.erase(found);
}

std::shared_ptr<const RecordDictionary> RecordDictionaries::Find(uint32_t id) const {
  absl::MutexLock lock(&mutex_);
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second.dictionary;
}

// Without memory for a context, records are stored as they are, and frames are as good as damaged.
RecordCompressor::RecordCompressor() : context_(ZSTD_createCCtx()) {}

RecordCompressor::~RecordCompressor() { ZSTD_freeCCtx(context_); }

void RecordCompressor::Compress(const RecordDictionary& dictionary, std::string_view packed, std::string& out) {
  const size_t before = out.size();
  out.resize(before + packed.size());
  const ZSTD_CDict* const compressing = dictionary.ForCompressing();
  size_t size = 0;
  if (context_ != nullptr && compressing != nullptr) {
    // An error if the record does not become shorter.
    size = ZSTD_compress_usingCDict(context_, out.data() + before, packed.size(), packed.data(), packed.size(),
                                    compressing);
  }
  if (size == 0 || ZSTD_isError(size) != 0) {
    packed.copy(out.data() + before, packed.size());
  } else {
    out.resize(before + size);
  }
}

RecordExpander::RecordExpander(const RecordDictionaries* dictionaries)
    : dictionaries_(dictionaries), context_(ZSTD_createDCtx()) {}

RecordExpander::~RecordExpander() { ZSTD_freeDCtx(context_); }

RecordExpander::RecordExpander(RecordExpander&& other) noexcept
    : dictionaries_(other.dictionaries_),
      context_(std::exchange(other.context_, nullptr)),
      used_(std::move(other.used_)),
      expanded_(std::move(other.expanded_)) {}

const RecordDictionary* RecordExpander::Find(uint32_t id) {
  const auto used = std::find_if(used_.begin(), used_.end(), [&](const auto& one) { return one->id() == id; });
  if (used != used_.end()) return used->get();
  std::shared_ptr<const RecordDictionary> found = dictionaries_ == nullptr ? nullptr : dictionaries_->Find(id);
  if (found == nullptr) return nullptr;
  used_.push_back(std::move(found));
  return used_.back().get();
}

uint64_t RecordExpander::ExpandedSize(std::string_view bytes) {
  return IsFrame(bytes) ? ZSTD_getFrameContentSize(bytes.data(), bytes.size()) : bytes.size();
}

std::optional<std::string_view> RecordExpander::Expand(std::string_view bytes) {
  if (!IsFrame(bytes)) return bytes;
  const RecordDictionary* const dictionary = Find(ZSTD_getDictID_fromFrame(bytes.data(), bytes.size()));
  const uint64_t size = ExpandedSize(bytes);
  // The two values for an unknown size and for an error are larger.
  if (dictionary == nullptr || context_ == nullptr || size > kMostBytes) return std::nullopt;
  const ZSTD_DDict* const expanding = dictionary->ForExpanding();
  if (expanding == nullptr) return std::nullopt;
  std::unique_ptr<char[]>& expanded = expanded_.emplace_back(new char[size]);
  const size_t written =
      ZSTD_decompress_usingDDict(context_, expanded.get(), size, bytes.data(), bytes.size(), expanding);
  if (written != size) return std::nullopt;
  return std::string_view(expanded.get(), size);
}

}  // namespace logquery::backend
