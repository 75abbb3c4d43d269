#include "tests/fuzz/differential/grammar.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::fuzz {
namespace {

constexpr std::string_view kRecord = "RECORD:";

// Types of records among a line's placeholders.
std::vector<std::string> RecordsOf(std::string_view text) {
  std::vector<std::string> records;
  for (size_t at = text.find(kRecord); at != std::string_view::npos; at = text.find(kRecord, at + 1)) {
    records.emplace_back(text.substr(at, text.find('}', at) - at));
  }
  return records;
}

// Returns where the placeholder ends that begins before `from`.
size_t EndOf(const std::string& text, size_t from) {
  for (size_t at = from; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '}') {
      return at;
    }
  }
  return text.size();
}

// `a|b` in its parts; "\|" is a | of its own. Without one: nothing.
std::vector<std::string> Alternatives(std::string_view inside) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '|') {
      parts.emplace_back();
      continue;
    }
    if (inside[i] == '\\' && i + 1 < inside.size()) ++i;
    parts.back() += inside[i];
  }
  if (parts.size() == 1) parts.clear();
  return parts;
}

}  // namespace

absl::StatusOr<Grammar> Grammar::Read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(base::StrCat("no file ", path));
  Grammar grammar;
  std::string section;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      section = line.substr(1, line.size() - 2);
      continue;
    }
    const size_t colon = line.find(": ");
    if (colon == std::string::npos || section.empty()) {
      return absl::InvalidArgumentError(base::StrCat(path, ":", number, ": expected TYPE: TEXT below a [section]"));
    }
    Template made{line.substr(0, colon), line.substr(colon + 2), {}, false};
    made.needs = RecordsOf(made.text);
    made.has_subquery = made.text.find("(SELECT") != std::string::npos;
    grammar.sections[section][made.type].push_back(std::move(made));
  }
  return grammar;
}

bool ExpressionMaker::Fits(const Template& line, const std::vector<Column>& columns) const {
  if (line.has_subquery && !subqueries_) return false;
  return std::all_of(line.needs.begin(), line.needs.end(), [&](const std::string& record) {
    return std::any_of(columns.begin(), columns.end(), [&](const Column& column) { return column.type == record; });
  });
}

std::string ExpressionMaker::Make(const std::string& type, const std::vector<Column>& columns, int depth) {
  if (depth <= 0 || type.starts_with(kRecord) || type == "DYADIC" || choices_.Below(4) == 0) return Leaf(type, columns);
  std::string made = type;
  std::string text;
  if (choices_.Chance(15)) {
    std::vector<const Template*> any;
    for (const Template& line : grammar_.sections.at("scalars").at("ANY")) {
      const bool comparable = type != "JSON" && !type.starts_with("ARRAY");
      if (Fits(line, columns) && (comparable || !line.text.starts_with("NULLIF"))) any.push_back(&line);
    }
    text = Expand(*choices_.Of(any), type, columns, depth - 1);
  } else {
    text = MakeOf("scalars", made, columns, depth);
  }
  return text.empty() ? Leaf(type, columns) : text;
}

std::string ExpressionMaker::MakeOf(const std::string& section, std::string& type, const std::vector<Column>& columns,
                                    int depth) {
  std::vector<const Template*> fitting;
  for (const auto& [made, lines] : grammar_.sections.at(section)) {
    if (made == "ANY" || (!type.empty() && made != type)) continue;
    for (const Template& line : lines) {
      if (Fits(line, columns)) fitting.push_back(&line);
    }
  }
  if (fitting.empty()) return "";
  const Template& line = *choices_.Of(fitting);
  type = line.type;
  return Expand(line, type, columns, depth - 1);
}

std::string ExpressionMaker::Expand(const Template& line, const std::string& type, const std::vector<Column>& columns,
                                    int depth) {
  std::string text;
  std::map<std::string, std::string> repeated;
  for (size_t at = 0; at < line.text.size(); ++at) {
    const char c = line.text[at];
    const char next = at + 1 < line.text.size() ? line.text[at + 1] : ' ';
    if (c == '\\' && (next == '{' || next == '}')) {
      text += line.text[++at];
    } else if (c != '{') {
      text += c;
    } else {
      const size_t end = EndOf(line.text, at + 1);
      const std::string_view inside = std::string_view(line.text).substr(at + 1, end - at - 1);
      text += Placeholder(inside, type, columns, depth, repeated);
      at = end;
    }
  }
  return text;
}

std::string ExpressionMaker::Placeholder(std::string_view inside, const std::string& type,
                                         const std::vector<Column>& columns, int depth,
                                         std::map<std::string, std::string>& repeated) {
  if (const std::vector<std::string> parts = Alternatives(inside); !parts.empty()) return choices_.Of(parts);
  if (const auto window = windows_.find(std::string(inside)); window != windows_.end()) {
    return choices_.Of(window->second);
  }
  const size_t equals = inside.find('=');
  const std::string name(inside.substr(0, equals));
  if (equals == std::string_view::npos && repeated.contains(name)) return repeated[name];
  std::string wanted(equals == std::string_view::npos ? inside : inside.substr(equals + 1));
  if (wanted == "ANY") wanted = type;
  std::string made = Make(wanted, columns, depth);
  if (equals != std::string_view::npos) repeated[name] = made;
  return made;
}

std::string ExpressionMaker::Leaf(const std::string& type, const std::vector<Column>& columns) {
  std::vector<std::string> texts;
  for (const Column& column : columns) {
    if (type == "DYADIC" ? column.dyadic : column.type == type) texts.push_back(column.text);
  }
  if (texts.empty() || (choices_.Chance(20) && !type.starts_with(kRecord))) return MakeLiteral(type);
  return choices_.Of(texts);
}

std::string ExpressionMaker::MakeLiteral(const std::string& type) {
  static const auto* literals = new std::map<std::string, std::vector<std::string>>{
      {"BOOL", {"TRUE", "FALSE", "CAST(NULL AS BOOL)"}},
      {"INT64", {"0", "1", "2", "200", "404", "-3", "0x1F", "CAST(NULL AS INT64)"}},
      {"FLOAT64",
       {"0.0", "0.5", "1e3", "-2.25", "CAST(NULL AS FLOAT64)", "CAST('NaN' AS FLOAT64)", "CAST('inf' AS FLOAT64)"}},
      {"DYADIC", {"0.5", "2.0", "-0.25"}},
      {"NUMERIC", {"NUMERIC '1.5'", "NUMERIC '-0.25'", "CAST(NULL AS NUMERIC)"}},
      {"STRING",
       {"'a'", "''", "'GET'", "'error'", "'/rest/v1'", "'2026-03-04'", "'12'", "'it''s'", "'\\u00e9t\\u00e9'",
        "CAST(NULL AS STRING)"}},
      {"BYTES", {"b'ab'", "b''", "b'\\xff\\x00'", "CAST(NULL AS BYTES)"}},
      {"DATE", {"DATE '2026-03-04'", "DATE '2026-02-28'", "CAST(NULL AS DATE)"}},
      {"TIMESTAMP",
       {"TIMESTAMP '2026-03-04 05:01:00+00'", "TIMESTAMP '2026-03-03 23:59:59.25Z'", "CAST(NULL AS TIMESTAMP)"}},
      {"DATETIME", {"DATETIME '2026-03-04T05:01:00'", "CAST(NULL AS DATETIME)"}},
      {"TIME", {"TIME '05:01:00'", "CAST(NULL AS TIME)"}},
      {"JSON", {"JSON '[1, \"a\"]'", "JSON 'null'", "CAST(NULL AS JSON)"}},
      {"ARRAY<STRING>", {"['a', 'b']", "ARRAY<STRING>[]", "CAST(NULL AS ARRAY<STRING>)"}},
      {"ARRAY<INT64>", {"[1, 2, 200]", "ARRAY<INT64>[]", "CAST(NULL AS ARRAY<INT64>)"}},
  };
  return choices_.Of(literals->at(type));
}

}  // namespace logquery::fuzz
