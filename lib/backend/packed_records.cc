// The bytes: a fingerprint, one byte that is 0 for a NULL record, and the record's fields. Fields of a record or STRUCT are a
// bitmap of those that are not NULL, and then their values; elements of an array are their number before that. Integers, times
// and lengths are varints, so that small ones take a byte; NUMERIC, FLOAT64 and INTERVAL are their bytes in memory.
#include "lib/backend/packed_records.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "lib/base/strings.h"
#include "lib/model/big_numeric.h"

namespace logquery::backend {
namespace {

static_assert(std::endian::native == std::endian::little, "packed records are little-endian");

// Below this number of fields, reading each from its column is as fast.
constexpr size_t kLeastFields = 16;

constexpr size_t kFingerprintBytes = 4;

size_t CountFields(const Type& type) {
  if (!type.is_record() && !type.is_struct()) return 1;
  size_t count = 0;
  for (const Field& field : type.fields()) count += CountFields(field.type);
  return count;
}

bool HasFields(const Type& type) { return type.is_record() || type.is_struct(); }

// Equal for two types only if the packed records of one can be read as the other's.
void Describe(const Type& type, std::string& out) {
  base::StrAppend(&out, type.is_record() ? "r" : "", static_cast<int>(type.kind()), "(");
  if (HasFields(type)) {
    for (const Field& field : type.fields()) {
      base::StrAppend(&out, field.name.size(), ":", field.name);
      Describe(field.type, out);
    }
  } else if (type.is_array()) {
    Describe(type.element(), out);
  }
  out += ')';
}

// FNV-1a, of which folders depend.
std::string FingerprintOf(const Type& type) {
  std::string text;
  Describe(type, text);
  uint32_t hash = 2'166'136'261;
  for (const unsigned char byte : text) hash = (hash ^ byte) * 16'777'619;
  std::string bytes(kFingerprintBytes, '\0');
  std::memcpy(bytes.data(), &hash, kFingerprintBytes);
  return bytes;
}

// Small numbers of either sign become small unsigned ones.
uint64_t Fold(int64_t number) { return (static_cast<uint64_t>(number) << 1) ^ static_cast<uint64_t>(number >> 63); }
int64_t Unfold(uint64_t folded) { return static_cast<int64_t>((folded >> 1) ^ (~(folded & 1) + 1)); }

void PackVarint(uint64_t number, std::string& out) {
  while (number >= 0x80) {
    out += static_cast<char>(number | 0x80);
    number >>= 7;
  }
  out += static_cast<char>(number);
}

template <typename T>
void PackBytes(const T& value, std::string& out) {
  const size_t at = out.size();
  out.resize(at + sizeof(T));
  std::memcpy(out.data() + at, &value, sizeof(T));
}

void PackText(std::string_view text, std::string& out) {
  PackVarint(text.size(), out);
  out += text;
}

void PackValue(const ColumnView& column, int64_t row, std::string& out);

// Appends a bitmap of `count` bits, and returns its place in `out`.
size_t PackBitmap(size_t count, std::string& out) {
  const size_t at = out.size();
  out.append((count + 7) / 8, '\0');
  return at;
}

void SetBit(size_t bitmap, size_t bit, std::string& out) {
  out[bitmap + bit / 8] = static_cast<char>(out[bitmap + bit / 8] | (1 << (bit % 8)));
}

void PackFields(const ColumnView& column, int64_t row, std::string& out) {
  const size_t count = column.type().fields().size();
  const size_t bitmap = PackBitmap(count, out);
  for (size_t i = 0; i < count; ++i) {
    if (column.child(i).IsNull(row)) continue;
    SetBit(bitmap, i, out);
    PackValue(column.child(i), row, out);
  }
}

void PackElements(const ColumnView& column, int64_t row, std::string& out) {
  const ListSlice slice = column.ListAt(row);
  const ColumnView& elements = column.child(0);
  PackVarint(slice.length, out);
  const size_t bitmap = PackBitmap(slice.length, out);
  for (uint64_t i = 0; i < slice.length; ++i) {
    const auto element = static_cast<int64_t>(slice.offset + i);
    if (elements.IsNull(element)) continue;
    SetBit(bitmap, i, out);
    PackValue(elements, element, out);
  }
}

// The value is not NULL.
void PackValue(const ColumnView& column, int64_t row, std::string& out) {
  if (HasFields(column.type())) return PackFields(column, row, out);
  switch (column.type().kind()) {
    case TypeKind::kBool:
      out += column.BoolAt(row) ? '\1' : '\0';
      return;
    case TypeKind::kDate:
      return PackVarint(Fold(column.Int32At(row)), out);
    case TypeKind::kInt64:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return PackVarint(Fold(column.Int64At(row)), out);
    case TypeKind::kFloat64:
      return PackBytes(column.Float64At(row), out);
    case TypeKind::kNumeric:
      return PackBytes(column.Int128At(row), out);
    case TypeKind::kInterval:
      return PackBytes(column.IntervalAt(row), out);
    case TypeKind::kBigNumeric:
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kJson:
      return PackText(column.StringAt(row), out);
    case TypeKind::kArray:
      return PackElements(column, row, out);
    case TypeKind::kStruct:
      return;  // has fields
  }
}

// Takes values from the front of packed bytes. After a failure nothing more may be read.
class Unpacking {
 public:
  explicit Unpacking(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }

  bool Take(size_t count, std::string_view& taken) {
    if (count > bytes_.size()) return false;
    taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return true;
  }

  bool TakeVarint(uint64_t& number) {
    number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) return false;
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      if (shift == 63 && byte > 1) return false;
      number |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  bool TakeValue(ColumnBuilder& out) {
    const Type& type = out.type();
    if (HasFields(type)) return TakeFields(out);
    switch (type.kind()) {
      case TypeKind::kBool:
        return TakeBool(out);
      case TypeKind::kDate:
        return TakeInt<int32_t>(out);
      case TypeKind::kInt64:
      case TypeKind::kTime:
      case TypeKind::kDatetime:
      case TypeKind::kTimestamp:
        return TakeInt<int64_t>(out);
      case TypeKind::kFloat64:
        return TakeBytes<double>(out);
      case TypeKind::kNumeric:
        return TakeBytes<Int128>(out);
      case TypeKind::kInterval:
        return TakeBytes<PackedInterval>(out);
      case TypeKind::kBigNumeric:
        return TakeText(out, model::kBigNumericBytes);
      case TypeKind::kString:
      case TypeKind::kBytes:
      case TypeKind::kJson:
        return TakeText(out);
      case TypeKind::kArray:
        return TakeElements(out);
      case TypeKind::kStruct:
        break;  // has fields
    }
    return false;
  }

 private:
  static bool HasBit(std::string_view bitmap, size_t bit) {
    return ((static_cast<unsigned char>(bitmap[bit / 8]) >> (bit % 8)) & 1) != 0;
  }

  bool TakeBool(ColumnBuilder& out) {
    std::string_view byte;
    if (!Take(1, byte) || static_cast<unsigned char>(byte[0]) > 1) return false;
    out.Append(static_cast<uint8_t>(byte[0]));
    return true;
  }

  template <typename T>
  bool TakeInt(ColumnBuilder& out) {
    uint64_t folded = 0;
    if (!TakeVarint(folded)) return false;
    const int64_t number = Unfold(folded);
    if (number < std::numeric_limits<T>::min() || number > std::numeric_limits<T>::max()) return false;
    out.Append(static_cast<T>(number));
    return true;
  }

  template <typename T>
  bool TakeBytes(ColumnBuilder& out) {
    std::string_view bytes;
    if (!Take(sizeof(T), bytes)) return false;
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    out.Append(value);
    return true;
  }

  // `wanted`: the only length there is of values of the type.
  bool TakeText(ColumnBuilder& out, std::optional<uint64_t> wanted = std::nullopt) {
    uint64_t length = 0;
    std::string_view text;
    if (!TakeVarint(length) || length > std::numeric_limits<uint32_t>::max() || !Take(length, text)) return false;
    if (length != wanted.value_or(length)) return false;
    out.Append(StringRef(text));
    return true;
  }

  bool TakeFields(ColumnBuilder& out) {
    std::string_view bitmap;
    if (!Take((out.child_count() + 7) / 8, bitmap)) return false;
    out.AppendPresent();
    for (size_t i = 0; i < out.child_count(); ++i) {
      if (!HasBit(bitmap, i)) {
        out.child(i).AppendNull();
      } else if (!TakeValue(out.child(i))) {
        return false;
      }
    }
    return true;
  }

  bool TakeElements(ColumnBuilder& out) {
    uint64_t length = 0;
    std::string_view bitmap;
    // Each element has a bit, so a length that is too large ends here.
    if (!TakeVarint(length) || length > uint64_t{8} * bytes_.size() || !Take((length + 7) / 8, bitmap)) return false;
    ColumnBuilder& elements = out.child(0);
    const ListSlice slice{static_cast<uint64_t>(elements.rows()), length};
    for (uint64_t i = 0; i < length; ++i) {
      if (!HasBit(bitmap, i)) {
        elements.AppendNull();
      } else if (!TakeValue(elements)) {
        return false;
      }
    }
    out.Append(slice);
    return true;
  }

  std::string_view bytes_;
};

}  // namespace

bool IsWorthPacking(const Type& record) { return record.is_record() && CountFields(record) >= kLeastFields; }

RecordPacker::RecordPacker(const Type& record) : fingerprint_(FingerprintOf(record)) {}

void RecordPacker::Pack(const ColumnView& column, int64_t row, std::string& out) const {
  out += fingerprint_;
  const bool is_null = column.IsNull(row);
  out += is_null ? '\0' : '\1';
  if (!is_null) PackValue(column, row, out);
}

RecordUnpacker::RecordUnpacker(const Type& record) : fingerprint_(FingerprintOf(record)), rows_(record) {}

bool RecordUnpacker::Add(std::string_view packed) {
  Unpacking unpacking(packed);
  std::string_view fingerprint;
  std::string_view present;
  if (!unpacking.Take(kFingerprintBytes, fingerprint) || fingerprint != fingerprint_ || !unpacking.Take(1, present))
    return false;
  if (present[0] == '\0') {
    rows_.AppendNull();
  } else if (present[0] != '\1' || !unpacking.TakeValue(rows_)) {
    return false;
  }
  return unpacking.at_end();
}

}  // namespace logquery::backend
