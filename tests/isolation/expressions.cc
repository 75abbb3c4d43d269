#include "tests/isolation/expressions.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "tests/isolation/stored_rows.h"

namespace logquery::isolation {
namespace {

// Places in which an expression is put over the second and later columns of its roles.
constexpr std::array<std::string_view, 4> kMorePlaces = {"where", "select", "group_by", "countif"};
// Places of each expression in a short run: as a condition, as a value, in a short query, and in a subquery.
constexpr std::array<std::string_view, 6> kShortPlaces = {"where",         "countif",    "group_by",
                                                          "select_newest", "where_bool", "array_filter"};

template <size_t N>
bool Has(const std::array<std::string_view, N>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool Mentions(const std::string& text, std::string_view qualifier) {
  for (size_t at = text.find(qualifier); at != std::string::npos; at = text.find(qualifier, at + 1)) {
    if (at == 0 || (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '_')) return true;
  }
  return false;
}

// The log, and the records of it that the expression reads.
std::string FromOf(const std::string& expression) {
  std::string from = "logs AS t";
  const bool request = Mentions(expression, "r."), response = Mentions(expression, "s.");
  if (request || response || Mentions(expression, "m.")) from += " CROSS JOIN UNNEST(t.metadata) AS m";
  if (request) from += " CROSS JOIN UNNEST(m.request) AS r";
  if (response) from += " CROSS JOIN UNNEST(m.response) AS s";
  return from;
}

absl::Status BadLine(int number, const std::string& line) {
  return absl::InvalidArgumentError(
      base::StrCat("line ", number, " is not TYPE: TEXT within a section such as [raising]: ", line));
}

}  // namespace

absl::StatusOr<Catalogue> Catalogue::Read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError("there is no file " + path);
  Catalogue catalogue;
  std::string section, line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[' && line.back() == ']') {
      section = line.substr(1, line.size() - 2);
      continue;
    }
    const size_t colon = line.find(": ");
    if (colon == std::string::npos || section.empty()) return BadLine(number, line);
    const std::string head = line.substr(0, colon), text = line.substr(colon + 2);
    if (section == "places") {
      const size_t space = head.find(' ');
      catalogue.places.push_back(
          {head.substr(0, space), space == std::string::npos ? "" : head.substr(space + 1), text});
    } else {
      catalogue.expressions.push_back({section, head, text});
    }
  }
  return catalogue;
}

std::vector<Query> Catalogue::Queries(Coverage coverage) const {
  std::vector<Query> queries;
  for (const Expression& expression : expressions) {
    const size_t columns = coverage == Coverage::kEverywhere ? ColumnCount(expression.text) : 1;
    for (size_t which = 0; which < columns; ++which) {
      for (const Place& place : places) {
        if (!place.type.empty() && place.type != expression.type) continue;
        // The emitter refuses a subquery in a lambda.
        if (Mentions(place.text, "e -> ") && Mentions(expression.text, "SELECT ")) continue;
        if (which > 0 && !Has(kMorePlaces, place.name)) continue;
        if (coverage == Coverage::kOncePerKind && !Has(kShortPlaces, place.name)) continue;
        queries.push_back({base::StrCat("[", expression.section, "] ", expression.text), place.name,
                           Placed(place, expression.type, OverColumns(expression.text, which))});
      }
    }
  }
  return queries;
}

std::string OverColumns(const std::string& text, size_t which) {
  std::string over = text;
  for (const auto& [role, columns] : Roles()) {
    over = absl::StrReplaceAll(over, {{"{" + role + "}", columns[which % columns.size()]}});
  }
  return over;
}

size_t ColumnCount(const std::string& text) {
  size_t count = 1;
  for (const auto& [role, columns] : Roles()) {
    if (text.find("{" + role + "}") != std::string::npos) count = std::max(count, columns.size());
  }
  return count;
}

std::string Placed(const Place& place, const std::string& type, const std::string& expression) {
  const std::string x = type == "JSON" ? base::StrCat("TO_JSON_STRING(", expression, ")") : "(" + expression + ")";
  return absl::StrReplaceAll(place.text, {{"{x}", x}, {"{from}", FromOf(expression)}});
}

}  // namespace logquery::isolation
