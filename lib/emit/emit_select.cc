// Writes the text of a SELECT, and derived tables.
#include <algorithm>
#include <utility>

#include "lib/emit/emitter_impl.h"

namespace logquery::emit {
namespace {

using rewrite::PlanColumn;

constexpr size_t kMaxNameInAlias = 30;

std::string Joined(std::string_view before, const std::vector<std::string>& parts, std::string_view separator) {
  return parts.empty() ? "" : base::StrCat(before, base::Join(parts, separator));
}

bool Has(const std::vector<PlanColumn>& columns, rewrite::ColumnId id) {
  return std::any_of(columns.begin(), columns.end(), [&](const PlanColumn& column) { return column.id == id; });
}

}  // namespace

std::string Emitter::Alias(const PlanColumn& column) const {
  std::string name;
  for (const unsigned char c : column.name) {
    if (name.size() == kMaxNameInAlias) break;
    if (absl::ascii_isalnum(c) || c == '_') name += absl::ascii_tolower(c);
  }
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0])) || name[0] == '_') name.insert(0, "c");
  return column.id < 0 ? base::StrCat(name, "_h", -column.id) : base::StrCat(name, "_", column.id);
}

PlanColumn Emitter::Hidden(std::string name, Type type) {
  needed_.insert(next_hidden_);
  return {next_hidden_--, std::move(name), std::move(type)};
}

const Known& Emitter::Find(const Select& select, ColumnId id) {
  static const Known& none = *new Known;
  auto found = select.known.find(id);
  if (found != select.known.end()) return found->second;
  // A subquery may give what a SELECT around it knows.
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    found = (*scope)->known.find(id);
    if (found != (*scope)->known.end()) return found->second;
  }
  broken_.Update(absl::InternalError(base::StrCat("no column #", id, " in reach when its SELECT is written")));
  return none;
}

Emitter::Columns Emitter::Needed(const Columns& columns) const {
  Columns needed;
  rewrite::ColumnSet seen;
  for (const PlanColumn& column : columns) {
    if (needed_.contains(column.id) && seen.insert(column.id)) needed.push_back(column);
  }
  return needed;
}

// Returns the columns that must be in the select list in addition to `columns`.
Emitter::Columns Emitter::MissingForClauses(const Select& select, const Columns& columns) const {
  Columns missing;
  for (const PlanColumn& required : select.required) {
    if (!Has(columns, required.id)) missing.push_back(required);
  }
  if (select.stage != Select::Stage::kAggregated) return missing;
  for (const SortKey& key : select.order) {
    if (!key.column.has_value() || !select.IsComputed(*key.column)) continue;
    if (!Has(columns, *key.column) && !Has(missing, *key.column)) missing.push_back({*key.column, "sort", Type()});
  }
  return missing;
}

std::vector<std::string> Emitter::AliasesOf(const Columns& columns) const {
  std::vector<std::string> aliases;
  rewrite::ColumnSet seen;
  for (const PlanColumn& column : columns) {
    std::string alias = Alias(column);
    if (!seen.insert(column.id)) base::StrAppend(&alias, "_p", aliases.size() + 1);
    aliases.push_back(std::move(alias));
  }
  return aliases;
}

std::string Emitter::Exactly(Select select, const Columns& columns, const std::vector<std::string>& aliases) {
  if (Columns missing = MissingForClauses(select, columns); !missing.empty()) {
    missing.insert(missing.end(), columns.begin(), columns.end());
    WrapUnderOrder(select, missing);
  }
  std::vector<Item> items;
  for (const PlanColumn& column : columns) items.push_back({column, aliases[items.size()]});
  return Print(select, items);
}

std::string Emitter::AtLeast(const Select& select, Columns& columns) {
  columns = Needed(columns);
  for (PlanColumn& missing : MissingForClauses(select, columns)) columns.push_back(std::move(missing));
  std::vector<Item> items;
  for (const PlanColumn& column : columns) items.push_back({column, Alias(column)});
  return Print(select, items);
}

void Emitter::Wrap(Select& select, const Columns& columns) {
  Columns exported = columns;
  std::vector<SortKey> order = select.order;
  for (SortKey& key : order) {
    PlanColumn column{key.column.value_or(0), "sort", Type()};
    if (!key.column.has_value()) {
      column = Hidden("sort", Type());
      select.known[column.id] = {{key.text, Text::Kind::kOther}, true};
      key.column = column.id;
    }
    if (!Has(exported, column.id)) exported.push_back(column);
    needed_.insert(column.id);
  }
  if (!select.IsLimited()) select.order.clear();
  if (select.order_ends) order.clear();

  Select outer;
  outer.order = std::move(order);
  const std::string text = AtLeast(select, exported);
  const std::string name = NewQueryName();
  outer.from = base::StrCat("(", text, ") AS ", name);
  for (const PlanColumn& column : exported) {
    outer.known[column.id] = {{base::StrCat(name, ".", Alias(column)), Text::Kind::kPath}, false};
  }
  select = std::move(outer);
}

void Emitter::WrapUnderOrder(Select& select, const Columns& columns) {
  Select tail;
  tail.limit = std::exchange(select.limit, "");
  tail.offset = std::exchange(select.offset, "");
  tail.limit_value = select.limit_value;
  tail.order_ends = std::exchange(select.order_ends, false);
  Wrap(select, columns);
  select.limit = std::move(tail.limit);
  select.offset = std::move(tail.offset);
  select.limit_value = tail.limit_value;
  select.order_ends = tail.order_ends;
}

void Emitter::WrapIfRefers(Select& select, const Columns& columns, const rewrite::ColumnSet& referenced) {
  const bool refers =
      std::any_of(referenced.begin(), referenced.end(), [&](ColumnId id) { return select.IsComputed(id); });
  if (refers) Wrap(select, columns);
}

std::string Emitter::GroupByText(const Select& select, const std::vector<Item>& items) const {
  if (select.stage != Select::Stage::kAggregated || select.is_one_group) return "";
  auto ordinals = [&](const std::vector<PlanColumn>& keys) {
    std::vector<std::string> texts;
    for (const PlanColumn& key : keys) {
      auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.column.id == key.id; });
      texts.push_back(base::StrCat(found - items.begin() + 1));
    }
    return base::Join(texts, ", ");
  };
  if (!select.grouping_sets.has_value()) {
    return base::StrCat(" GROUP BY ", ordinals(select.required));
  }
  std::vector<std::string> sets;
  for (const std::vector<int>& set : *select.grouping_sets) {
    std::vector<PlanColumn> keys;
    for (int place : set) keys.push_back(select.required[static_cast<size_t>(place)]);
    sets.push_back(base::StrCat("(", ordinals(keys), ")"));
  }
  return base::StrCat(" GROUP BY GROUPING SETS (", base::Join(sets, ", "), ")");
}

std::string Emitter::OrderByText(const Select& select, const std::vector<Item>& items) {
  std::vector<std::string> texts;
  for (const SortKey& key : select.order) {
    std::string text = key.text;
    if (key.column.has_value()) {
      const Known& known = Find(select, *key.column);
      auto item = std::find_if(items.begin(), items.end(), [&](const Item& i) { return i.column.id == *key.column; });
      text = known.computed && item != items.end() ? item->alias : known.text.sql;
    }
    texts.push_back(
        base::StrCat(text, key.descending ? " DESC" : " ASC", key.nulls_first ? " NULLS FIRST" : " NULLS LAST"));
  }
  return Joined(" ORDER BY ", texts, ", ");
}

std::string Emitter::Print(const Select& select, const std::vector<Item>& items) {
  std::string text;
  text.reserve(64 * items.size() + select.from.size() + 64);
  if (!select.with.empty()) {
    text = base::StrCat("WITH ", select.recursive ? "RECURSIVE " : "", base::Join(select.with, ", "), " ");
  }
  text += "SELECT ";
  for (const Item& item : items) {
    base::StrAppend(&text, &item == &items.front() ? "" : ", ", Find(select, item.column.id).text.sql, " AS ",
                    item.alias);
  }
  if (items.empty()) text += '1';
  const bool has_clauses = !select.where.empty() || select.stage != Select::Stage::kOpen || !select.order.empty();
  const std::string_view from = select.from.empty() && has_clauses ? dialect_.FromNothing() : select.from;
  if (!from.empty()) base::StrAppend(&text, " FROM ", from);
  text += Joined(" WHERE ", select.where, " AND ");
  text += GroupByText(select, items);
  text += OrderByText(select, items);
  if (!select.limit.empty()) base::StrAppend(&text, " LIMIT ", select.limit);
  if (!select.offset.empty()) base::StrAppend(&text, " OFFSET ", select.offset);
  return text;
}

}  // namespace logquery::emit
