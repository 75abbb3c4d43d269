// Prints queries: clauses on lines of their own, lists on one line as long as they fit.
#include "lib/clickhouse_sql/printer.h"

#include <algorithm>
#include <utility>

#include "lib/base/strings.h"
#include "lib/clickhouse_sql/printer_impl.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

void Printer::Line(std::string_view text) {
  if (one_line_) {
    const bool glued = out_.empty() || out_.back() == '(' || text == ")" || text.starts_with("),");
    out_ += StrCat(glued ? "" : out_.back() == ' ' ? "" : " ", text);
    return;
  }
  if (!out_.empty()) out_ += '\n';
  out_.append(static_cast<size_t>(indent_) * 2, ' ');
  out_ += text;
}

void Printer::CommentsBefore(Span span) {
  if (span.end == 0) return;
  while (next_comment_ < comments_.size() && comments_[next_comment_].offset < span.begin) {
    Line(comments_[next_comment_++].text);
  }
}

bool Printer::HasCommentBefore(Span span) const {
  return span.end != 0 && next_comment_ < comments_.size() && comments_[next_comment_].offset < span.begin;
}

void Printer::PrintQuery(const Query& query) {
  for (size_t i = 0; i < query.parts.size(); ++i) {
    const Query::Part& part = query.parts[i];
    if (i > 0) {
      CommentsBefore(part.operator_span);
      Line(part.distinct ? "UNION DISTINCT" : "UNION ALL");
    }
    if (part.select != nullptr) {
      PrintSelect(*part.select);
    } else {
      Line("(");
      Nested([&] { PrintQuery(*part.query); });
      Line(")");
    }
  }
}

void Printer::List(std::string_view head, const std::vector<ExprPtr>& items) {
  std::vector<std::string> texts;
  bool comment = false;
  size_t width = head.size() + static_cast<size_t>(indent_) * 2;
  for (const ExprPtr& item : items) {
    comment = comment || HasCommentBefore(item->span);
    texts.push_back(WithAlias(*item));
    width += texts.back().size() + 2;
    comment = comment || texts.back().find('\n') != std::string::npos;
  }
  if (!comment && (one_line_ || width <= kWidth || items.size() == 1)) {
    Line(StrCat(head, " ", base::Join(texts, ", ")));
    return;
  }
  Line(head);
  Nested([&] {
    for (size_t i = 0; i < items.size(); ++i) {
      CommentsBefore(items[i]->span);
      Line(StrCat(texts[i], i + 1 < items.size() ? "," : ""));
    }
  });
}

void Printer::PrintWith(const Select& select) {
  for (size_t i = 0; i < select.with.size(); ++i) {
    const WithItem& item = select.with[i];
    CommentsBefore(item.span);
    const std::string head = i == 0 ? "WITH " : "";
    const std::string tail = i + 1 < select.with.size() ? "," : "";
    if (item.query == nullptr) {
      Line(StrCat(head, ExprText(*item.value, 0), " AS ", QuoteName(item.name), tail));
      continue;
    }
    Line(StrCat(head, QuoteName(item.name), " AS ("));
    Nested([&] { PrintQuery(*item.query); });
    Line(StrCat(")", tail));
  }
}

void Printer::PrintSelect(const Select& select) {
  PrintWith(select);
  CommentsBefore(select.span);
  List(select.distinct ? "SELECT DISTINCT" : "SELECT", select.items);
  if (select.from != nullptr) {
    CommentsBefore(select.from->span);
    Line("FROM ");
    PrintFrom(*select.from);
  }
  if (!select.array_join.empty()) List(select.left_array_join ? "LEFT ARRAY JOIN" : "ARRAY JOIN", select.array_join);
  if (select.prewhere != nullptr) Condition("PREWHERE", *select.prewhere);
  if (select.where != nullptr) Condition("WHERE", *select.where);
  PrintGroupBy(select);
  if (select.having != nullptr) Condition("HAVING", *select.having);
  if (select.qualify != nullptr) Condition("QUALIFY", *select.qualify);
  PrintOrder(select);
  PrintLimits(select);
}

// A condition that does not fit a line has one operand of its AND to a line.
void Printer::Condition(std::string_view head, const Expr& condition) {
  CommentsBefore(condition.span);
  const std::string whole = StrCat(head, " ", ExprText(condition, 0));
  const bool is_and = condition.kind == ExprKind::kCall && condition.text == "and" && condition.args.size() > 1;
  if (!is_and || one_line_ || whole.size() + static_cast<size_t>(indent_) * 2 <= kWidth) {
    Line(whole);
    return;
  }
  for (size_t i = 0; i < condition.args.size(); ++i) {
    const std::string part = ExprText(*condition.args[i], kNotLevel);
    Line(i == 0 ? StrCat(head, " ", part) : StrCat("  AND ", part));
  }
}

void Printer::PrintGroupBy(const Select& select) {
  if (select.grouping == Grouping::kNone) return;
  if (select.grouping == Grouping::kAll) return Line("GROUP BY ALL");
  if (!select.group_by.empty()) CommentsBefore(select.group_by[0]->span);
  std::vector<std::string> keys;
  for (const ExprPtr& key : select.group_by) keys.push_back(WithAlias(*key));
  const std::string list = base::Join(keys, ", ");
  if (select.grouping == Grouping::kRollup) return Line(StrCat("GROUP BY ROLLUP(", list, ")"));
  if (select.grouping == Grouping::kCube) return Line(StrCat("GROUP BY CUBE(", list, ")"));
  Line(StrCat("GROUP BY ", list));
}

void Printer::PrintOrder(const Select& select) {
  if (select.order_by_all) return Line(select.order_all_descending ? "ORDER BY ALL DESC" : "ORDER BY ALL");
  if (select.order_by.empty()) return;
  CommentsBefore(select.order_by[0].value->span);
  std::vector<std::string> keys;
  for (const OrderItem& item : select.order_by) keys.push_back(OrderText(item));
  Line(StrCat("ORDER BY ", base::Join(keys, ", ")));
}

void Printer::PrintLimits(const Select& select) {
  const auto counts = [&](const ExprPtr& count, const ExprPtr& offset) {
    return StrCat("LIMIT ", ExprText(*count, 0), offset == nullptr ? "" : StrCat(" OFFSET ", ExprText(*offset, 0)));
  };
  if (!select.limit_by.empty()) {
    std::vector<std::string> keys;
    for (const ExprPtr& key : select.limit_by) keys.push_back(ExprText(*key, 0));
    Line(StrCat(counts(select.limit_by_count, select.limit_by_offset), " BY ", base::Join(keys, ", ")));
  }
  if (select.limit != nullptr) {
    CommentsBefore(select.limit->span);
    Line(StrCat(counts(select.limit, select.offset), select.with_ties ? " WITH TIES" : ""));
  } else if (select.offset != nullptr) {
    Line(StrCat("OFFSET ", ExprText(*select.offset, 0)));
  }
}

// Continues the line that ends in FROM or in a join.
void Printer::PrintFrom(const From& from) {
  const std::string alias = from.alias.empty() ? "" : StrCat(" AS ", QuoteName(from.alias));
  switch (from.kind) {
    case From::Kind::kTable:
      out_ += StrCat(QuoteName(from.name), alias);
      return;
    case From::Kind::kSubquery:
      out_ += "(";
      Nested([&] { PrintQuery(*from.query); });
      Line(StrCat(")", alias));
      return;
    case From::Kind::kJoin:
      break;
  }
  PrintFrom(*from.left);
  constexpr std::string_view kJoins[] = {"JOIN ", "LEFT JOIN ", "RIGHT JOIN ", "FULL JOIN ", "CROSS JOIN "};
  CommentsBefore(from.right->span);
  Line(kJoins[static_cast<size_t>(from.join)]);
  PrintFrom(*from.right);
  if (from.on != nullptr) out_ += StrCat(" ON ", ExprText(*from.on, 0));
  if (!from.using_names.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : from.using_names) names.push_back(QuoteName(name));
    out_ += StrCat(" USING (", base::Join(names, ", "), ")");
  }
}

std::string Printer::Finish() {
  while (next_comment_ < comments_.size()) Line(comments_[next_comment_++].text);
  return std::move(out_);
}

std::string Print(const Query& query, std::vector<Comment> comments) {
  Printer printer(std::move(comments));
  printer.PrintQuery(query);
  return printer.Finish();
}

std::string Print(const Expr& expr) { return Printer({}).ExprText(expr, 0); }

}  // namespace logquery::clickhouse_sql
