// Fills the templates; the shared emitter writes everything around them.
#include "lib/engines/described/dialect/described_dialect.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/spellings.h"
#include "lib/engines/described/dialect/described_powers.h"
#include "lib/engines/described/dialect/described_words.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using base::StrCat;

// Pairs of pairs: a chain of thousands would nest as deep as it is long.
std::string Nested(const std::string& text, const std::vector<std::string>& args, size_t begin, size_t end) {
  if (end - begin == 1) return args[begin];
  const size_t middle = begin + (end - begin) / 2;
  return FillTemplate(text,
                      std::vector<std::string>{Nested(text, args, begin, middle), Nested(text, args, middle, end)});
}

class DescribedDialect final : public SqlDialect {
 public:
  explicit DescribedDialect(DescribedWords words) : words_(std::move(words)), powers_(&words_) {}

  const Powers* powers() const override { return &powers_; }

  std::string Identifier(std::string_view name) const override { return words_.Identifier(name); }
  std::string TypeName(const Type& type) const override { return words_.TypeName(type); }
  StatusOr<std::string> Literal(const Value& value) const override { return words_.Literal(value); }
  std::string Parameter(int slot, std::string_view /*name*/, const Type& type) const override {
    return words_.Parameter(slot, type);
  }

  std::string TableName(const Table& table) const override {
    return Identifier(table.storage_name.empty() ? table.name : table.storage_name);
  }
  StatusOr<Text> StoredColumn(const rewrite::TableScan& scan, size_t column, std::string_view alias) const override {
    return Text{StrCat(alias, ".", Identifier(scan.storage[column])), Text::Kind::kPath};
  }

  StatusOr<Text> Field(const Text&, const Type&, int) const override { return CanNot("fields of records"); }
  StatusOr<Text> Call(const rewrite::FunctionCall& call, const std::vector<Text>& args) const override {
    const CallTemplate* const entry = words_.calls().Find(*call.overload, call.arguments);
    if (entry == nullptr) return CanNot(call.overload->row->name);
    std::vector<std::string> texts;
    for (const Text& arg : args) texts.push_back(arg.sql);
    return Text{entry->nests ? Nested(entry->text, texts, 0, texts.size()) : FillTemplate(entry->text, texts),
                Text::Kind::kOther};
  }
  StatusOr<Sql> Cast(const CastTexts& texts) const override {
    const std::string_view entry = words_.calls().Cast(texts.cast->operand->type.kind(), texts.cast->type.kind());
    if (entry.empty()) return CanNot(StrCat("a cast to ", texts.cast->type.ToString()));
    return FillTemplate(entry, Texts{texts.operand.ToSql()});
  }
  StatusOr<Sql> Convert(const Type&, const Type&, const Text&) const override { return CanNot("arrays"); }
  StatusOr<Sql> Struct(const Type&, const Texts&) const override { return CanNot("STRUCT"); }
  // Powers keep arrays here.
  Sql Array(const Type&, const Texts& elements) const override { return JoinTexts(elements, ", "); }
  StatusOr<Sql> Lambda(const rewrite::LambdaScalar&, const std::vector<std::string>&, const Sql&) const override {
    return CanNot("lambdas");
  }

  StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const override {
    const CallTemplate* const entry = words_.calls().Find(*call.overload, call.arguments);
    if (entry == nullptr) return CanNot(call.overload->row->name);
    const Sql text = FillTemplate(call.distinct ? entry->distinct : entry->text, texts.args);
    return texts.over.empty() ? text : Cat(text, " ", texts.over);
  }

  std::string NanTest(const Type&, const std::string&) const override { return ""; }
  std::string Grouping(const std::string& key) const override { return StrCat("GROUPING(", key, ")"); }
  std::string_view FromNothing() const override { return ""; }
  std::string_view Materialized(bool /*materialized*/) const override { return ""; }

 private:
  absl::Status CanNot(std::string_view what) const {
    return absl::UnimplementedError(StrCat(words_.spellings().engine, " is not asked for ", what));
  }

  const DescribedWords words_;
  const DescribedPowers powers_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<SqlDialect>> MakeDescribedDialect(const EngineSpellings& spellings) {
  LOGQUERY_ASSIGN_OR_RETURN(DescribedWords words, DescribedWords::Create(spellings));
  return std::unique_ptr<SqlDialect>(std::make_unique<DescribedDialect>(std::move(words)));
}

}  // namespace logquery::emit
