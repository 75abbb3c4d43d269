// Reads the books' SQL by recursive descent: NAME, STRUCT("name" TYPE, …), and either with [] behind.
#include "lib/store/tables/booked_type.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/dialect/types.h"

namespace logquery::store {
namespace {

constexpr int kMostDepth = 64;
constexpr std::string_view kMarks = " /* BIGNUMERIC";

// Marks which of the type's parts without parts are BIGNUMERIC, by their number: the engine has them as BYTES.
void MarkBigNumerics(const Type& type, int& part, std::string& marks) {
  if (type.is_array() && !type.is_record()) return MarkBigNumerics(type.element(), part, marks);
  if (type.is_record() || type.is_struct()) {
    for (const Field& field : type.fields()) MarkBigNumerics(field.type, part, marks);
    return;
  }
  ++part;
  if (type.is(TypeKind::kBigNumeric)) base::StrAppend(&marks, " ", part);
}

class BookedTypeReader {
 public:
  explicit BookedTypeReader(std::string_view booked) : text_(booked.substr(0, booked.find(kMarks))) {
    std::string_view marks = booked.substr(std::min(text_.size() + kMarks.size(), booked.size()));
    while (!marks.empty()) {
      const size_t end = std::min(marks.find(' ', 1), marks.size());
      int part = 0;
      if (absl::SimpleAtoi(base::ToAbsl(marks.substr(0, end)), &part)) big_numerics_.push_back(part);
      marks.remove_prefix(end);
    }
  }

  // Empty: it can't be read.
  std::string Read() {
    std::string type = ReadType(0);
    return text_.empty() ? type : "";
  }

 private:
  bool TakeIf(std::string_view token) {
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  std::string ReadType(int depth) {
    if (depth > kMostDepth) return "";
    std::string type = TakeIf("STRUCT(") ? ReadStruct(depth) : ReadPlain();
    while (!type.empty() && TakeIf("[]")) type = base::StrCat("ARRAY<", type, ">");
    return type;
  }

  std::string ReadStruct(int depth) {
    std::string fields;
    do {
      const std::string name = ReadName();
      if (!TakeIf(" ")) return "";
      const std::string type = ReadType(depth + 1);
      if (type.empty()) return "";
      base::StrAppend(&fields, fields.empty() ? "" : ", ", name, " ", type);
    } while (TakeIf(", "));
    return TakeIf(")") ? base::StrCat("STRUCT<", fields, ">") : "";
  }

  // Quoted, with quotes in it doubled.
  std::string ReadName() {
    std::string name;
    if (!TakeIf("\"")) return name;
    while (!text_.empty()) {
      if (TakeIf("\"\"")) {
        name += '"';
        continue;
      }
      if (TakeIf("\"")) break;
      name += text_[0];
      text_.remove_prefix(1);
    }
    return name;
  }

  std::string ReadPlain() {
    ++part_;
    if (std::find(big_numerics_.begin(), big_numerics_.end(), part_) != big_numerics_.end()) {
      return TakeIf("BLOB") ? "BIGNUMERIC" : "";
    }
    static const auto& kinds = *new std::vector<Type>{
        Type::Bool(), Type::Int64(),     Type::Float64(),  Type::Numeric(), Type::String(), Type::Bytes(),
        Type::Date(), Type::Timestamp(), Type::Interval(), Type::Time(),    Type::Json()};
    for (const Type& kind : kinds) {
      const std::string booked = emit::DuckDbType(kind);
      if (!text_.starts_with(booked)) continue;
      const std::string_view rest = text_.substr(booked.size());
      if (!rest.empty() && absl::ascii_isalnum(static_cast<unsigned char>(rest[0]))) continue;
      text_ = rest;
      return kind.ToString();
    }
    return "";
  }

  std::string_view text_;
  std::vector<int> big_numerics_;
  int part_ = 0;
};

}  // namespace

std::string BookedType(const Type& type) {
  int part = 0;
  std::string marks;
  MarkBigNumerics(type, part, marks);
  return base::StrCat(emit::DuckDbType(type), marks.empty() ? "" : base::StrCat(kMarks, marks, " */"));
}

std::string DeclaredTypeText(const Type& type) {
  const bool is_plain = !type.is_array() && !type.is_struct();
  return is_plain ? type.ToString() : BookedTypeText(BookedType(type));
}

std::string BookedTypeText(std::string_view booked) {
  std::string type = BookedTypeReader(booked).Read();
  return type.empty() ? std::string(booked) : type;
}

}  // namespace logquery::store
