// Computes the digests of a receipt, keyed by the backend's secret. Each part is preceded by its length, so that different lists
// never hash the same text.
#include "lib/endpoint/call/receipt.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "absl/strings/ascii.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

constexpr size_t kDigits = 32;

// Digests of lists of texts. With a key, nobody who lacks it can try which texts a digest is of.
class Digests {
 public:
  explicit Digests(std::string_view key) {
    if (!key.empty()) keyed_.emplace(key);
  }

  // Each text stands behind its length, so that no two lists look the same.
  std::string Of(std::initializer_list<std::string_view> texts) const {
    std::string all;
    for (const std::string_view text : texts) Add(text, all);
    return OfAll(all);
  }
  static void Add(std::string_view text, std::string& all) { base::StrAppend(&all, text.size(), ":", text); }
  std::string OfAll(std::string_view all) const {
    return (keyed_ ? keyed_->Hex(all) : base::Sha256Hex(all)).substr(0, kDigits);
  }

 private:
  std::optional<base::HmacSha256> keyed_;
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

std::string MakeReceipt(const PlannedCall& planned, const CallSpec& spec, std::string_view engine,
                        std::string_view redaction, const std::vector<TableMark>& marks) {
  const Digests digests(KeyIn(marks));
  const PreparedQuery& query = *planned.query;
  std::string values, ran;
  for (const std::string_view part :
       {engine, std::string_view(query.dialect_text()), std::string_view(spec.redact ? redaction : ""),
        std::string_view(spec.redact ? "redacted" : "")}) {
    Digests::Add(part, ran);
  }
  Digests::Add(std::to_string(spec.max_rows), ran);
  if (planned.finish != nullptr) Digests::Add(planned.finish->description(), ran);
  for (const Value& value : planned.bindings) {
    Digests::Add(value.type().ToString(), values);
    Digests::Add(value.DebugString(), values);
  }
  std::string receipt = base::StrCat("query=", digests.OfAll(ran), "; values=", digests.OfAll(values));
  for (const std::string& table : query.tables()) {
    const auto mark = std::find_if(marks.begin(), marks.end(),
                                   [&](const TableMark& m) { return base::EqualsIgnoreCase(m.table, table); });
    if (mark == marks.end() || mark->mark.empty()) return "";
    base::StrAppend(&receipt, "; ", Plain(table), "=", digests.Of({table, mark->mark}));
  }
  return receipt;
}

}  // namespace logquery::endpoint
