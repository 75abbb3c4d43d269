// An interpreter of the dialect's few forms: SELECT columns or counts FROM a table or a SELECT, WHERE, LIMIT.
#include "tests/split/invented_engine.h"

#include <functional>
#include <map>
#include <optional>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/sql/ast.h"
#include "lib/sql/parser.h"
#include "tests/split/invented_dialect.h"

namespace logquery::testing {
namespace {

using base::StrCat;
using sql::If;

using Row = std::map<std::string, Value>;  // by the column's name
// Takes a row; false: no more are wanted.
using TakeRow = std::function<absl::StatusOr<bool>(const Row&)>;

absl::Status Unknown(std::string_view what) {
  return absl::InternalError(StrCat("the invented engine does not know ", what));
}

class Interpreter {
 public:
  Interpreter(TableSource& rows, const Catalog& catalog, const Bindings& bindings,
              const CancellationToken& cancellation)
      : rows_(rows), catalog_(catalog), bindings_(bindings), cancellation_(cancellation) {}

  absl::Status Run(const sql::Query& query, const TakeRow& take) {
    const auto* const select = If<sql::Select>(query.body.get());
    if (select == nullptr || !query.with.empty() || !query.order_by.empty() || query.offset != nullptr ||
        select->group_by.has_value()) {
      return Unknown("that clause");
    }
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t limit, LimitOf(query));
    if (IsCount(*select)) return Count(*select, limit, take);
    int64_t left = limit;
    if (left == 0) return absl::OkStatus();
    return Rows(*select, [&](const Row& row) -> absl::StatusOr<bool> {
      Row out;
      for (const sql::SelectItem& item : select->items) {
        LOGQUERY_ASSIGN_OR_RETURN(Value value, Of(*item.expr, row));
        out.insert_or_assign(item.alias->text, std::move(value));
      }
      LOGQUERY_ASSIGN_OR_RETURN(const bool more, take(out));
      return --left > 0 && more;
    });
  }

 private:
  absl::StatusOr<int64_t> LimitOf(const sql::Query& query) const {
    if (query.limit == nullptr) return std::numeric_limits<int64_t>::max();
    LOGQUERY_ASSIGN_OR_RETURN(const Value value, Of(*query.limit, {}));
    return value.int64_value();
  }

  static bool IsCount(const sql::Select& select) {
    return If<sql::Call>(select.items[0].expr.get()) != nullptr &&
           sql::As<sql::Call>(*select.items[0].expr).name[0].text == "COUNT";
  }

  absl::Status Count(const sql::Select& select, int64_t limit, const TakeRow& take) {
    std::vector<int64_t> counts(select.items.size());
    const TakeRow count = [&](const Row& row) -> absl::StatusOr<bool> {
      for (size_t i = 0; i < counts.size(); ++i) {
        const auto& argument = sql::As<sql::Call>(*select.items[i].expr).arguments[0];
        if (argument.value != nullptr) {
          LOGQUERY_ASSIGN_OR_RETURN(const Value value, Of(*argument.value, row));
          if (value.is_null()) continue;
        }
        ++counts[i];
      }
      return true;
    };
    LOGQUERY_RETURN_IF_ERROR(Rows(select, count));
    Row out;
    for (size_t i = 0; i < counts.size(); ++i)
      out.insert_or_assign(select.items[i].alias->text, Value::Int64(counts[i]));
    return limit == 0 ? absl::OkStatus() : take(out).status();
  }

  // The rows of FROM that meet WHERE.
  absl::Status Rows(const sql::Select& select, const TakeRow& take) {
    const TakeRow kept = [&](const Row& row) -> absl::StatusOr<bool> {
      if (select.where != nullptr) {
        LOGQUERY_ASSIGN_OR_RETURN(const Value value, Of(*select.where, row));
        if (value.is_null() || !value.bool_value()) return true;
      }
      return take(row);
    };
    if (const auto* const query = If<sql::SubqueryItem>(select.from.get())) return Run(*query->query, kept);
    const auto* const table = If<sql::TableItem>(select.from.get());
    return table == nullptr ? Unknown("that FROM") : Scan(select, table->path[0].text, kept);
  }

  absl::Status Scan(const sql::Select& select, const std::string& name, const TakeRow& take) {
    ScanRequest request;
    request.table = catalog_.Find(name);
    if (request.table == nullptr) return Unknown(StrCat("the table ", name));
    std::map<std::string, bool> wanted;
    for (const sql::SelectItem& item : select.items) Names(*item.expr, wanted);
    if (select.where != nullptr) Names(*select.where, wanted);
    for (size_t i = 0; i < request.table->columns.size(); ++i) {
      if (wanted.contains(request.table->columns[i].name)) request.columns.push_back(i);
    }
    if (request.columns.empty()) request.columns.push_back(0);
    Sink sink(request, take);
    const absl::Status status = rows_.Scan(request, cancellation_, sink);
    return sink.done() ? sink.status() : status;
  }

  class Sink : public BatchSink {
   public:
    Sink(const ScanRequest& request, const TakeRow& take) : request_(request), take_(take) {}
    absl::Status Append(const Batch& batch) override {
      for (int64_t i = 0; i < batch.rows(); ++i) {
        Row row;
        for (size_t c = 0; c < request_.columns.size(); ++c) {
          row.insert_or_assign(request_.table->columns[request_.columns[c]].name, batch.column(c).ValueAt(i));
        }
        absl::StatusOr<bool> more = take_(row);
        if (more.ok() && *more) continue;
        done_ = true;
        status_ = more.status();
        return absl::CancelledError("no more rows are wanted");
      }
      return absl::OkStatus();
    }
    bool done() const { return done_; }
    absl::Status status() const { return status_; }

   private:
    const ScanRequest& request_;
    const TakeRow& take_;
    bool done_ = false;
    absl::Status status_;
  };

  static void Names(const sql::Expr& expr, std::map<std::string, bool>& names) {
    if (const auto* const path = If<sql::PathExpr>(&expr)) names[path->names.back().text] = true;
    if (const auto* const all = If<sql::Nary>(&expr)) {
      for (const sql::ExprPtr& operand : all->operands) Names(*operand, names);
    }
    if (const auto* const call = If<sql::Call>(&expr)) {
      for (const auto& argument : call->arguments) {
        if (argument.value != nullptr) Names(*argument.value, names);
      }
    }
  }

  absl::StatusOr<Value> Of(const sql::Expr& expr, const Row& row) const {
    if (const auto* const path = If<sql::PathExpr>(&expr)) {
      const auto found = row.find(path->names.back().text);
      if (found == row.end()) return Unknown(StrCat("the column ", path->names.back().text));
      return found->second;
    }
    if (const auto* const parameter = If<sql::ParameterExpr>(&expr)) {
      size_t number = 0;
      if (!absl::SimpleAtoi(parameter->name.substr(1), &number) || number == 0 || number > bindings_.size())
        return Unknown(StrCat("the parameter ", parameter->name));
      return bindings_[number - 1];
    }
    if (const auto* const literal = If<sql::Literal>(&expr)) return OfLiteral(*literal);
    if (const auto* const all = If<sql::Nary>(&expr)) return AllOf(all->operands, row);
    if (const auto* const call = If<sql::Call>(&expr)) return OfCall(*call, row);
    return Unknown("that expression");
  }

  static absl::StatusOr<Value> OfLiteral(const sql::Literal& literal) {
    int64_t number = 0;
    if (literal.form == sql::Literal::Form::kBool) return Value::Bool(literal.text == "true");
    if (literal.form == sql::Literal::Form::kString) return Value::String(literal.text);
    if (literal.form == sql::Literal::Form::kInteger && absl::SimpleAtoi(literal.text, &number))
      return Value::Int64(number);
    return Unknown(StrCat("the literal ", literal.text));
  }

  // FALSE beats NULL, and NULL beats TRUE.
  absl::StatusOr<Value> AllOf(const std::vector<sql::ExprPtr>& operands, const Row& row) const {
    Value all = Value::Bool(true);
    for (const sql::ExprPtr& operand : operands) {
      LOGQUERY_ASSIGN_OR_RETURN(Value value, Of(*operand, row));
      if (value.is_null()) all = Value::Null(Type::Bool());
      if (!value.is_null() && !value.bool_value()) return value;
    }
    return all;
  }

  absl::StatusOr<Value> OfCall(const sql::Call& call, const Row& row) const {
    const std::string& name = call.name[0].text;
    std::vector<Value> values;
    Value all = Value::Bool(true);
    for (const sql::Call::Argument& argument : call.arguments) {
      LOGQUERY_ASSIGN_OR_RETURN(Value value, Of(*argument.value, row));
      values.push_back(std::move(value));
    }
    if (name == "IS_NULL") return Value::Bool(values[0].is_null());
    if (name == "ALL_OF") {
      for (const Value& value : values) {
        if (value.is_null()) all = Value::Null(Type::Bool());
        if (!value.is_null() && !value.bool_value()) return value;
      }
      return all;
    }
    if (values[0].is_null() || values[1].is_null()) return Value::Null(Type::Bool());
    const int order = Compare(values[0], values[1]);
    if (name == "EQ") return Value::Bool(order == 0);
    if (name == "NE") return Value::Bool(order != 0);
    if (name == "LT") return Value::Bool(order < 0);
    if (name == "LE") return Value::Bool(order <= 0);
    if (name == "GT") return Value::Bool(order > 0);
    if (name == "GE") return Value::Bool(order >= 0);
    return Unknown(name);
  }

  static int Compare(const Value& a, const Value& b) {
    if (a.type().is(TypeKind::kString)) return a.string_value().compare(b.string_value());
    const int64_t left = a.type().is(TypeKind::kBool) ? a.bool_value() : a.int64_value();
    const int64_t right = b.type().is(TypeKind::kBool) ? b.bool_value() : b.int64_value();
    return left < right ? -1 : left > right ? 1 : 0;
  }

  TableSource& rows_;
  const Catalog& catalog_;
  const Bindings& bindings_;
  const CancellationToken& cancellation_;
};

}  // namespace

const emit::SqlDialect& InventedEngine::dialect() const { return InventedSql(); }

std::vector<std::string> InventedEngine::texts() const {
  absl::MutexLock lock(&mutex_);
  return texts_;
}

absl::Status InventedEngine::Run(const QueryFragment& fragment, const Bindings& bindings,
                                 const CancellationToken& cancellation, BatchSink& sink) {
  {
    absl::MutexLock lock(&mutex_);
    texts_.push_back(fragment.text);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr query, sql::ParseQuery(fragment.text, {}));
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, rows_->ReadCatalog());
  const auto* const select = If<sql::Select>(query->body.get());
  if (select == nullptr || select->items.size() != fragment.schema.size()) return Unknown("that text");
  std::vector<std::vector<Value>> rows;
  const auto flush = [&]() -> absl::Status {
    if (rows.empty()) return absl::OkStatus();
    const ValueBatch batch(fragment.schema, rows);
    rows.clear();
    return sink.Append(batch.batch());
  };
  const TakeRow take = [&](const Row& row) -> absl::StatusOr<bool> {
    std::vector<Value>& values = rows.emplace_back();
    for (const sql::SelectItem& item : select->items) values.push_back(row.at(item.alias->text));
    if (rows.size() == 1'000) LOGQUERY_RETURN_IF_ERROR(flush());
    return true;
  };
  LOGQUERY_RETURN_IF_ERROR(Interpreter(*rows_, catalog, bindings, cancellation).Run(*query, take));
  return flush();
}

}  // namespace logquery::testing
