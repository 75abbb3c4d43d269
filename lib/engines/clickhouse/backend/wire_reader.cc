// The type determines a value's size; only text and lists carry their own length.
#include "lib/engines/clickhouse/backend/wire_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "absl/container/flat_hash_set.h"
#include "lib/backend/json_reader.h"
#include "lib/base/json/write.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::clickhouse {
namespace {

using backend::ColumnBuilder;
using backend::TextBlocks;
using base::StrCat;
using Kind = WireType::Kind;

constexpr uint64_t kMaxLength = 1ULL << 40;

absl::Status DoesNotHold(const Type& type, std::string_view value) {
  return absl::InternalError(StrCat("holds ", value, ", which ", type.ToString(), " does not"));
}

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t number = 0;
  for (size_t i = bytes.size(); i-- > 0;) number = (number << 8) | static_cast<unsigned char>(bytes[i]);
  return number;
}

int64_t Signed(std::string_view bytes) {
  const uint64_t number = LittleEndian(bytes);
  const size_t unused = 64 - 8 * bytes.size();
  return static_cast<int64_t>(number << unused) >> unused;
}

// Micros of a count of 10^-scale seconds; false: they do not fit.
bool Micros(int64_t count, int scale, int64_t* out) {
  int64_t factor = 1;
  for (int i = scale; i < 6; ++i) factor *= 10;
  int64_t divisor = 1;
  for (int i = 6; i < scale; ++i) divisor *= 10;
  if (__builtin_mul_overflow(count, factor, &count)) return false;
  *out = count / divisor - (count % divisor < 0 ? 1 : 0);
  return true;
}

absl::Status AppendInteger(const WireType& wire, std::string_view bytes, ColumnBuilder& column) {
  const uint64_t number = LittleEndian(bytes);
  const bool is_signed = wire.kind == Kind::kInt;
  if (!is_signed && number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return DoesNotHold(column.type(), StrCat(number));
  }
  const int64_t value = is_signed ? Signed(bytes) : static_cast<int64_t>(number);
  switch (column.type().kind()) {
    case TypeKind::kBool:
      if (value != 0 && value != 1) return DoesNotHold(column.type(), StrCat(value));
      column.Append(static_cast<uint8_t>(value));
      return absl::OkStatus();
    case TypeKind::kDate:
      if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
        return DoesNotHold(column.type(), StrCat(value));
      }
      column.Append(static_cast<int32_t>(value));
      return absl::OkStatus();
    default:
      column.Append(value);
      return absl::OkStatus();
  }
}

absl::Status AppendTime(const WireType& wire, std::string_view bytes, ColumnBuilder& column) {
  const int64_t count = wire.kind == Kind::kDateTime ? static_cast<int64_t>(LittleEndian(bytes)) : Signed(bytes);
  int64_t micros = 0;
  if (!Micros(count, wire.scale, &micros)) return DoesNotHold(column.type(), StrCat(count));
  column.Append(micros);
  return absl::OkStatus();
}

void AppendFloat(std::string_view bytes, ColumnBuilder& column) {
  double number = 0;
  if (bytes.size() == sizeof(float)) {
    float small = 0;
    std::memcpy(&small, bytes.data(), sizeof(small));
    number = static_cast<double>(small);
  } else {
    std::memcpy(&number, bytes.data(), sizeof(number));
  }
  column.Append(number);
}

absl::Status AppendText(std::string_view text, ColumnBuilder& column, TextBlocks& texts) {
  if (column.type().is(TypeKind::kString) || column.type().is(TypeKind::kBytes)) {
    column.Append(StringRef(texts.Copy(text)));
    return absl::OkStatus();
  }
  // A column that is not Nullable has no other way to hold no record.
  if (text.empty()) return column.AppendNull(), absl::OkStatus();
  return backend::AppendJson(text, column, texts);
}

// Fields that have got no value in this row.
void FillRow(ColumnBuilder& record, int64_t row) {
  for (size_t i = 0; i < record.child_count(); ++i) {
    if (record.child(i).rows() == row) record.child(i).AppendNull();
  }
}

absl::Status AppendField(std::string_view name, const WireType& type, WireCursor& cursor, ColumnBuilder& record,
                         int64_t row, TextBlocks& texts) {
  const int field = record.FindField(name);
  const bool is_wanted = field >= 0 && record.child(static_cast<size_t>(field)).rows() == row;
  if (is_wanted) return AppendWireValue(type, cursor, record.child(static_cast<size_t>(field)), texts);
  return cursor.SkipValue(type) ? absl::OkStatus() : absl::InternalError("ends within a value");
}

absl::Status AppendTuple(const WireType& type, WireCursor& cursor, ColumnBuilder& column, TextBlocks& texts) {
  const int64_t row = column.rows();
  column.AppendPresent();
  for (size_t i = 0; i < type.children.size(); ++i) {
    LOGQUERY_RETURN_IF_ERROR(AppendField(type.names[i], type.children[i], cursor, column, row, texts));
  }
  FillRow(column, row);
  return absl::OkStatus();
}

// A map of texts as JSON. Of two equal keys the first counts, as it does in the server's look-ups.
absl::Status AppendMapAsJson(WireCursor& cursor, ColumnBuilder& column, TextBlocks& texts) {
  absl::flat_hash_set<std::string_view> seen;
  std::string json = "{";
  uint64_t count = 0;
  cursor.TakeVarint(&count);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t length = 0;
    std::string_view key, value;
    const bool is_whole = cursor.TakeVarint(&length) && cursor.Take(length, &key) && cursor.TakeVarint(&length) &&
                          cursor.Take(length, &value);
    if (!is_whole) return absl::InternalError("ends within a value");
    if (!seen.insert(key).second) continue;
    if (json.size() > 1) json += ',';
    base::AppendJsonString(key, json);
    json += ':';
    base::AppendJsonString(value, json);
  }
  return backend::AppendJson(json + "}", column, texts);
}

absl::Status AppendMap(const WireType& type, WireCursor& cursor, ColumnBuilder& column, TextBlocks& texts) {
  if (column.type().is(TypeKind::kJson)) return AppendMapAsJson(cursor, column, texts);
  const int64_t row = column.rows();
  column.AppendPresent();
  uint64_t count = 0;
  cursor.TakeVarint(&count);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t length = 0;
    std::string_view key;
    if (!cursor.TakeVarint(&length) || !cursor.Take(length, &key)) return absl::InternalError("ends within a value");
    LOGQUERY_RETURN_IF_ERROR(AppendField(key, type.children[1], cursor, column, row, texts));
  }
  FillRow(column, row);
  return absl::OkStatus();
}

absl::Status AppendArray(const WireType& type, WireCursor& cursor, ColumnBuilder& column, TextBlocks& texts) {
  ColumnBuilder& elements = column.child(0);
  const auto begin = static_cast<uint64_t>(elements.rows());
  uint64_t count = 0;
  cursor.TakeVarint(&count);
  for (uint64_t i = 0; i < count; ++i) {
    LOGQUERY_RETURN_IF_ERROR(AppendWireValue(type.children[0], cursor, elements, texts));
  }
  column.Append(ListSlice{begin, count});
  return absl::OkStatus();
}

bool HasNoBytes(const WireType& type) {
  if (type.kind == Kind::kNothing) return true;
  if (type.kind != Kind::kTuple && type.kind != Kind::kLowCardinality) return false;
  return std::all_of(type.children.begin(), type.children.end(), HasNoBytes);
}

}  // namespace

bool WireCursor::Skip(uint64_t count) {
  if (count > kMaxLength) return broken_ = true, false;
  if (count > bytes_.size() - at_) return wanted_ = at_ + static_cast<size_t>(count), false;
  at_ += static_cast<size_t>(count);
  return true;
}

bool WireCursor::Take(uint64_t count, std::string_view* out) {
  const size_t begin = at_;
  if (!Skip(count)) return false;
  *out = bytes_.substr(begin, static_cast<size_t>(count));
  return true;
}

bool WireCursor::TakeVarint(uint64_t* out) {
  *out = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    std::string_view byte;
    if (!Take(1, &byte)) return false;
    const auto bits = static_cast<unsigned char>(byte[0]);
    *out |= static_cast<uint64_t>(bits & 0x7F) << shift;
    if ((bits & 0x80) == 0) return true;
  }
  return broken_ = true, false;
}

bool WireCursor::SkipValue(const WireType& type) {
  uint64_t count = 0;
  std::string_view flag;
  switch (type.kind) {
    case Kind::kString:
    case Kind::kJson:
      return TakeVarint(&count) && Skip(count);
    case Kind::kNullable:
      return Take(1, &flag) && (flag[0] != 0 || SkipValue(type.children[0]));
    case Kind::kLowCardinality:
      return SkipValue(type.children[0]);
    case Kind::kTuple:
      for (const WireType& child : type.children) {
        if (!SkipValue(child)) return false;
      }
      return true;
    case Kind::kArray:
    case Kind::kMap:
      if (!TakeVarint(&count)) return false;
      // A value could claim any number of elements that take no bytes.
      if (count > kMaxLength || (count > 0 && HasNoBytes(type.children[0]))) return broken_ = true, false;
      for (uint64_t i = 0; i < count; ++i) {
        if (!SkipValue(type.children[0]) || (type.kind == Kind::kMap && !SkipValue(type.children[1]))) return false;
      }
      return true;
    default:
      return Skip(static_cast<uint64_t>(type.width));
  }
}

absl::Status AppendWireValue(const WireType& type, WireCursor& cursor, ColumnBuilder& column, TextBlocks& texts) {
  std::string_view bytes;
  uint64_t length = 0;
  switch (type.kind) {
    case Kind::kNullable:
      cursor.Take(1, &bytes);
      if (bytes.empty() || bytes[0] != 0) return column.AppendNull(), absl::OkStatus();
      return AppendWireValue(type.children[0], cursor, column, texts);
    case Kind::kLowCardinality:
      return AppendWireValue(type.children[0], cursor, column, texts);
    case Kind::kArray:
      return AppendArray(type, cursor, column, texts);
    case Kind::kMap:
      return AppendMap(type, cursor, column, texts);
    case Kind::kTuple:
      return AppendTuple(type, cursor, column, texts);
    case Kind::kString:
    case Kind::kJson:
      if (!cursor.TakeVarint(&length) || !cursor.Take(length, &bytes)) break;
      return AppendText(bytes, column, texts);
    default:
      if (!cursor.Take(static_cast<uint64_t>(type.width), &bytes)) break;
      if (type.kind == Kind::kFixedString) {
        // Shorter text is filled up with NUL.
        return AppendText(bytes.substr(0, bytes.find_last_not_of('\0') + 1), column, texts);
      }
      if (type.kind == Kind::kFloat) return AppendFloat(bytes, column), absl::OkStatus();
      if (type.kind == Kind::kDateTime || type.kind == Kind::kDateTime64) return AppendTime(type, bytes, column);
      if (type.kind == Kind::kDate) return column.Append(static_cast<int32_t>(LittleEndian(bytes))), absl::OkStatus();
      if (type.kind == Kind::kDate32) return column.Append(static_cast<int32_t>(Signed(bytes))), absl::OkStatus();
      if (type.kind == Kind::kNothing) return column.AppendNull(), absl::OkStatus();
      return AppendInteger(type, bytes, column);
  }
  return absl::InternalError("ends within a value");
}

}  // namespace logquery::clickhouse
