// Computes the digests of a receipt, keyed by the backend's secret. Each part is preceded by its length, so that different lists never hash the same
// text.
#include "lib/endpoint/call/receipt.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

constexpr size_t kDigits = 32;

// Of parts, each behind its length, so that no two lists of them look the same. With a key, nobody who lacks it can try
// which parts a digest is of.
class Digest {
 public:
  explicit Digest(std::string_view key) : key_(key) {}
  Digest& Add(std::string_view part) {
    base::StrAppend(&text_, part.size(), ":", part);
    return *this;
  }
  std::string Text() const {
    return (key_.empty() ? base::Sha256Hex(text_) : base::HmacSha256Hex(key_, text_)).substr(0, kDigits);
  }

 private:
  const std::string_view key_;
  std::string text_;
};

// The backend's secret, which is the mark of no table; empty: it has none.
std::string_view KeyIn(const std::vector<TableMark>& marks) {
  const auto key = std::find_if(marks.begin(), marks.end(), [](const TableMark& mark) { return mark.table.empty(); });
  return key == marks.end() ? std::string_view() : std::string_view(key->mark);
}

// A table's name where it stands in a header.
std::string Plain(std::string name) {
  for (char& c : name) {
    const bool plain = absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
    if (!plain) c = '_';
  }
  return name;
}

}  // namespace

std::string MakeReceipt(const PreparedQuery& query, const Bindings& bindings, const CallSpec& spec,
                        std::string_view engine, std::string_view redaction, const std::vector<TableMark>& marks) {
  const std::string_view key = KeyIn(marks);
  Digest what(key);
  what.Add(engine).Add(query.dialect_text()).Add(spec.redact ? redaction : "").Add(spec.redact ? "redacted" : "");
  what.Add(std::to_string(spec.max_rows));
  Digest values(key);
  for (const Value& value : bindings) values.Add(value.type().ToString()).Add(value.DebugString());
  std::string receipt = base::StrCat("query=", what.Text(), "; values=", values.Text());
  for (const std::string& table : query.tables()) {
    const auto mark = std::find_if(marks.begin(), marks.end(),
                                   [&](const TableMark& m) { return base::EqualsIgnoreCase(m.table, table); });
    if (mark == marks.end() || mark->mark.empty()) return "";
    base::StrAppend(&receipt, "; ", Plain(table), "=", Digest(key).Add(table).Add(mark->mark).Text());
  }
  return receipt;
}

}  // namespace logquery::endpoint
