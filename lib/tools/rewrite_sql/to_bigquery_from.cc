// FROM: `logs` becomes the log that WHERE names, or a union of the logs that it leaves.
#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/all_logs.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

const Field* ColumnNamed(const Table& table, std::string_view name) {
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Field& f) { return f.name == name; });
  return found == table.columns.end() ? nullptr : &*found;
}

// The conjuncts of the conditions on rows.
std::vector<const ch::Expr*> Conjuncts(const ch::Select& select) {
  std::vector<const ch::Expr*> conjuncts;
  for (const ch::ExprPtr* condition : {&select.prewhere, &select.where}) {
    if (*condition == nullptr) continue;
    if ((*condition)->kind != ch::ExprKind::kCall || (*condition)->text != "and") {
      conjuncts.push_back(condition->get());
      continue;
    }
    for (const ch::ExprPtr& arg : (*condition)->args) conjuncts.push_back(arg.get());
  }
  return conjuncts;
}

bool IsSource(const ch::Expr& expr) { return expr.kind == ch::ExprKind::kName && expr.path.back() == "source"; }

bool IsMap(const ch::Expr& expr) { return expr.kind == ch::ExprKind::kName && expr.path.back() == "log_attributes"; }

bool IsKeys(const ch::Expr& expr) {
  return expr.kind == ch::ExprKind::kCall && expr.text == "mapKeys" && expr.args.size() == 1 && IsMap(*expr.args[0]);
}

template <typename Visit>
void VisitExprs(const ch::Expr& expr, const Visit& visit) {
  visit(expr);
  for (const ch::ExprPtr& arg : expr.args) VisitExprs(*arg, visit);
  for (const ch::ExprPtr& param : expr.params) VisitExprs(*param, visit);
  if (expr.over == nullptr) return;
  for (const ch::ExprPtr& key : expr.over->partition_by) VisitExprs(*key, visit);
  for (const ch::OrderItem& item : expr.over->order_by) VisitExprs(*item.value, visit);
}

template <typename Visit>
void VisitSelect(const ch::Select& select, const std::map<std::string, const ch::Expr*>& values, const Visit& visit) {
  for (const ch::ExprPtr& item : select.items) VisitExprs(*item, visit);
  for (const ch::ExprPtr* clause : {&select.prewhere, &select.where, &select.having, &select.qualify}) {
    if (*clause != nullptr) VisitExprs(**clause, visit);
  }
  for (const ch::ExprPtr& key : select.group_by) VisitExprs(*key, visit);
  for (const ch::OrderItem& item : select.order_by) VisitExprs(*item.value, visit);
  for (const auto& [name, value] : values) VisitExprs(*value, visit);
}

}  // namespace

std::string ToBigQuery::ColumnOfKey(const std::string& key) {
  std::string name;
  for (const char c : key) name += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return StrCat("attribute_", name);
}

std::optional<std::pair<std::string, Type>> ToBigQuery::FieldOf(const Table& log, const std::string& key,
                                                                Source& source) const {
  // A column of the row wins over a field of metadata.
  const bool shown = key == "id" || key == "timestamp" || key == "event_message" || key == "metadata";
  if (!shown && ColumnNamed(log, key) != nullptr) {
    const bool is_project = log.project_path.size() == 1 && log.project_path[0] == key;
    return std::pair(is_project ? std::string(kProject) : key, is_project ? Type::String() : Type::Bytes());
  }
  const Field* metadata = ColumnNamed(log, "metadata");
  if (metadata == nullptr || !metadata->type.is_record()) return std::nullopt;
  Type type = metadata->type.element();
  const std::string table = source.alias.empty() ? "" : StrCat(source.alias, ".");
  std::vector<std::pair<std::string, std::string>> needed = {{"", StrCat(table, "metadata")}};
  std::string path;
  for (size_t at = 0; at <= key.size();) {
    const size_t dot = std::min(key.find('.', at), key.size());
    const std::string name = key.substr(at, dot - at);
    const int field = type.FindField(name);
    if (field < 0 || type.fields()[static_cast<size_t>(field)].name != name) return std::nullopt;
    const Type inner = type.fields()[static_cast<size_t>(field)].type;
    path = path.empty() ? name : StrCat(path, ".", name);
    if (dot == key.size()) {
      if (inner.is_record() || inner.is_struct()) return std::nullopt;
      std::string alias;
      for (const auto& [record, array] : needed) {
        auto known = source.records.find(record);
        if (known == source.records.end()) {
          std::string last = record.empty() ? "m" : record.substr(record.rfind('.') + 1);
          const auto taken = [&](const std::string& wanted) {
            return std::any_of(source.records.begin(), source.records.end(),
                               [&](const auto& other) { return base::EqualsIgnoreCase(other.second, wanted); });
          };
          while (taken(last) || base::EqualsIgnoreCase(last, source.alias)) last += "_";
          const std::string from =
              record.empty() ? array : StrCat(alias, ".", sql::QuoteIdentifier(record.substr(record.rfind('.') + 1)));
          source.joins.push_back(StrCat("LEFT JOIN UNNEST(", from, ") AS ", sql::QuoteIdentifier(last)));
          known = source.records.emplace(record, sql::QuoteIdentifier(last)).first;
        }
        alias = known->second;
      }
      return std::pair(StrCat(alias, ".", sql::QuoteIdentifier(name)), inner);
    }
    if (!inner.is_record()) return std::nullopt;
    type = Type(inner.element());
    needed.emplace_back(path, "");
    at = dot + 1;
  }
  return std::nullopt;
}

std::string ToBigQuery::TextOf(const std::pair<std::string, Type>& field) {
  const auto& [text, type] = field;
  if (text == kProject) return text;
  if (type.is(TypeKind::kString)) return StrCat("IFNULL(", text, ", '')");
  if (type.is(TypeKind::kInt64) || type.is(TypeKind::kBool)) return StrCat("IFNULL(CAST(", text, " AS STRING), '')");
  const bool list = type.is_array() && (type.element().is(TypeKind::kString) || type.element().is(TypeKind::kInt64));
  return list ? StrCat("IF(ARRAY_LENGTH(", text, ") > 0, TO_JSON_STRING(", text, "), '')") : "";
}

// The upper-case level of the row, if it is one of those that the view knows; otherwise INFO.
absl::StatusOr<std::string> ToBigQuery::SeverityOf(const Table& log, Source& source, sql::Span span) const {
  if (log.log == "edge_logs" || log.log == "function_edge_logs") return std::string("'INFO'");
  for (const char* column : {"severity_text", "severityText", "level"}) {
    if (ColumnNamed(log, column) != nullptr) return Unsupported(span, StrCat("severity_text of ", log.log));
  }
  std::vector<std::string> levels;
  for (const char* key : {"level", "parsed.error_severity"}) {
    Source trial = source;
    const auto field = FieldOf(log, key, trial);
    if (!field || !field->second.is(TypeKind::kString)) continue;
    source = std::move(trial);
    levels.push_back(field->first);
  }
  if (levels.empty()) return std::string("'INFO'");
  const std::string level =
      levels.size() == 1 ? StrCat("UPPER(", levels[0], ")") : StrCat("UPPER(COALESCE(", base::Join(levels, ", "), "))");
  return StrCat(
      "IF(", level,
      " IN ('TRACE', 'DEBUG', 'INFO', 'NOTICE', 'WARN', 'WARNING', 'ERROR', 'FATAL', 'CRITICAL', 'EMERGENCY', "
      "'ALERT', 'LOG', 'PANIC'), ",
      level, ", 'INFO')");
}

absl::StatusOr<std::vector<std::string>> ToBigQuery::UnionItems(const Table& log, const std::set<std::string>& keys,
                                                                const std::set<std::string>& columns,
                                                                const Source& source, Source& branch) const {
  branch.log = &log;
  const std::string table = branch.alias.empty() ? "" : StrCat(branch.alias, ".");
  std::vector<std::string> items;
  for (const char* column : {"id", "timestamp", "event_message"}) items.push_back(StrCat(table, column));
  items.push_back(StrCat(sql::QuoteString(log.log), " AS source"));
  if (columns.contains("severity_text")) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string severity, SeverityOf(log, branch, {}));
    items.push_back(StrCat(severity, " AS severity_text"));
  }
  if (source.has_map) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string map, MapText(branch, {}));
    items.push_back(StrCat(map, " AS ", kMapColumn));
  }
  if (source.has_keys) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string list, KeysText(branch, "element", {}));
    items.push_back(StrCat(list, " AS ", kKeysColumn));
  }
  for (const std::string& key : keys) {
    const auto field = FieldOf(log, key, branch);
    const std::string value = field ? TextOf(*field) : "''";
    if (value.empty())
      return Unsupported({}, StrCat("the key ", key, " of ", log.log, ", whose type is ", field->second.ToString()));
    items.push_back(StrCat(value, " AS ", ColumnOfKey(key)));
  }
  return items;
}

absl::StatusOr<std::string> ToBigQuery::UnionText(const std::vector<const Table*>& logs,
                                                  const std::set<std::string>& keys,
                                                  const std::set<std::string>& columns, const Source& source,
                                                  int indent) {
  const std::string pad(static_cast<size_t>(indent + 1) * 2, ' ');
  std::vector<std::string> selects;
  for (const Table* log : logs) {
    Source branch;
    LOGQUERY_ASSIGN_OR_RETURN(std::vector<std::string> items, UnionItems(*log, keys, columns, source, branch));
    // `timestamp` is a column of the table; a record's field of that name would hide it.
    std::string from = log->log;
    if (!branch.joins.empty()) {
      Source qualified;
      qualified.alias = "t";
      LOGQUERY_ASSIGN_OR_RETURN(items, UnionItems(*log, keys, columns, source, qualified));
      from = StrCat(log->log, " AS t");
      for (const std::string& join : qualified.joins) from += StrCat(" ", join);
    }
    selects.push_back(StrCat(pad, "SELECT ", base::Join(items, ", "), " FROM ", from));
  }
  const std::string end(static_cast<size_t>(indent) * 2, ' ');
  return StrCat("(\n", base::Join(selects, StrCat("\n", pad, "UNION ALL\n")), "\n", end, ") AS ",
                sql::QuoteIdentifier(source.alias.empty() ? "logs" : source.alias));
}

absl::StatusOr<std::string> ToBigQuery::LogsText(const ch::Select& select, Source& source, Scope& scope, int indent) {
  source.is_logs = true;
  const auto shadowed = scope.aliases.find("source");
  const bool hidden = shadowed != scope.aliases.end() && !IsSource(*shadowed->second);
  std::vector<std::string> wanted;
  bool limited = false;
  for (const ch::Expr* conjunct : Conjuncts(select)) {
    const bool equal = conjunct->kind == ch::ExprKind::kCall && conjunct->text == "equals";
    const bool in = conjunct->kind == ch::ExprKind::kCall && conjunct->text == "in";
    if ((!equal && !in) || !IsSource(*conjunct->args[0])) continue;
    if (hidden && conjunct->args[0]->path.size() == 1) continue;
    const ch::Expr& other = *conjunct->args[1];
    std::vector<std::string> names;
    if (other.kind == ch::ExprKind::kString) names.push_back(other.text);
    if (in && other.kind == ch::ExprKind::kCall && (other.text == "tuple" || other.text == "array")) {
      for (const ch::ExprPtr& name : other.args) {
        if (name->kind == ch::ExprKind::kString) names.push_back(name->text);
      }
    }
    if (names.empty() || limited) continue;
    wanted = std::move(names);
    limited = true;
    scope.picks_log = equal ? conjunct : nullptr;
  }
  std::vector<const Table*> logs;
  for (const Table& table : catalog_.tables()) {
    if (table.log.empty() || model::HoldsAllLogs(table)) continue;
    if (!limited || std::find(wanted.begin(), wanted.end(), table.log) != wanted.end()) logs.push_back(&table);
  }
  if (logs.empty()) {
    // Another name matches no row. Any log has the columns.
    const auto first = std::find_if(catalog_.tables().begin(), catalog_.tables().end(), [](const Table& table) {
      return !table.log.empty() && !model::HoldsAllLogs(table);
    });
    if (first == catalog_.tables().end()) return Unsupported(select.span, "there are no logs");
    Note(select.span, StrCat("no log is named ", base::Join(wanted, ", "), ", so that no row matches"));
    source.log = &*first;
    source.empty = true;
    return StrCat(source.log->log, source.alias.empty() ? "" : StrCat(" AS ", sql::QuoteIdentifier(source.alias)));
  }
  std::set<std::string> keys, columns;
  absl::Status status;
  VisitSelect(select, values_, [&](const ch::Expr& expr) {
    if (expr.kind == ch::ExprKind::kCall && (expr.text == "arrayElement" || expr.text == "mapContains") &&
        expr.args.size() == 2 && expr.args[0]->kind == ch::ExprKind::kName &&
        expr.args[0]->path.back() == "log_attributes" && expr.args[1]->kind == ch::ExprKind::kString) {
      keys.insert(expr.args[1]->text);
      if (expr.text == "mapContains" && logs.size() > 1 && status.ok())
        status = Unsupported(expr.span, "mapContains over several logs");
    }
    if (expr.kind == ch::ExprKind::kName) columns.insert(expr.path.back());
    source.has_keys = source.has_keys || IsKeys(expr);
  });
  source.has_map = std::any_of(select.items.begin(), select.items.end(), [](const auto& item) { return IsMap(*item); });
  LOGQUERY_RETURN_IF_ERROR(status);
  const bool one = logs.size() == 1 && limited;
  if (one) {
    source.log = logs[0];
    source.qualifies = !keys.empty() || columns.contains("severity_text") || columns.contains("log_attributes");
    return StrCat(source.log->log, source.alias.empty() ? "" : StrCat(" AS ", sql::QuoteIdentifier(source.alias)));
  }
  scope.picks_log = nullptr;
  if (source.alias.empty()) source.alias = "logs";
  Note(select.span, "the rows of several logs are a UNION ALL with the keys that are read, as texts");
  return UnionText(logs, keys, columns, source, indent);
}

absl::StatusOr<std::string> ToBigQuery::FromText(const ch::Select& select, Scope& scope, int indent) {
  const ch::From& from = *select.from;
  const auto single = [&](const ch::From& item, bool alone) -> absl::StatusOr<std::string> {
    Source source;
    source.alias = item.alias;
    std::string text;
    if (item.kind == ch::From::Kind::kSubquery) {
      LOGQUERY_ASSIGN_OR_RETURN(text, QueryText(*item.query, indent + 1));
      source.columns = last_columns_;
      const std::string end(static_cast<size_t>(indent) * 2, ' ');
      text = StrCat("(\n", text, "\n", end, ")",
                    source.alias.empty() ? "" : StrCat(" AS ", sql::QuoteIdentifier(source.alias)));
    } else if (const auto entry = entries_.find(item.name); entry != entries_.end()) {
      source.columns = entry->second;
      text = StrCat(sql::QuoteIdentifier(item.name),
                    source.alias.empty() ? "" : StrCat(" AS ", sql::QuoteIdentifier(source.alias)));
      if (source.alias.empty()) source.alias = item.name;
    } else if (alone) {
      LOGQUERY_ASSIGN_OR_RETURN(text, LogsText(select, source, scope, indent));
    } else {
      return Unsupported(item.span, "a join of logs; select their columns in WITH entries, and join those");
    }
    scope.sources.push_back(std::move(source));
    return text;
  };
  if (from.kind != ch::From::Kind::kJoin) return single(from, true);
  using Join = ch::From::Join;
  if (from.left->kind == ch::From::Kind::kJoin || from.right->kind == ch::From::Kind::kJoin)
    return Unsupported(from.span, "a join of three tables");
  LOGQUERY_ASSIGN_OR_RETURN(const std::string left, single(*from.left, false));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string right, single(*from.right, false));
  scope.sources[0].absent = from.join == Join::kRight || from.join == Join::kFull;
  scope.sources[1].absent = from.join == Join::kLeft || from.join == Join::kFull;
  const bool outer = scope.sources[0].absent || scope.sources[1].absent;
  if (outer && !from.using_names.empty()) return Unsupported(from.using_span, "an outer join with USING; write ON");
  if (outer) Note(from.span, "in ClickHouse the columns of an absent row have defaults, in BigQuery they are NULL");
  const std::string pad(static_cast<size_t>(indent) * 2, ' ');
  const char* const words = from.join == Join::kCross   ? "CROSS JOIN "
                            : from.join == Join::kLeft  ? "LEFT JOIN "
                            : from.join == Join::kRight ? "RIGHT JOIN "
                            : from.join == Join::kFull  ? "FULL JOIN "
                                                        : "JOIN ";
  std::string text = StrCat(left, "\n", pad, words, right);
  if (from.on != nullptr) {
    scope.in_join = true;
    const absl::StatusOr<BqValue> on = Condition(*from.on, scope);
    scope.in_join = false;
    LOGQUERY_RETURN_IF_ERROR(on.status());
    text += StrCat(" ON ", on->text);
  }
  if (!from.using_names.empty()) text += StrCat(" USING (", base::Join(from.using_names, ", "), ")");
  return text;
}

}  // namespace logquery::tools
