// DuckDB's lists: unnest in the select list, list_transform and list_filter.
#include "lib/engines/duckdb/dialect/lists.h"

#include "lib/base/strings.h"

namespace logquery::emit {
namespace {

using base::StrCat;

class DuckDbListDialect final : public ListDialect {
 public:
  std::string Rows(std::string_view list) const override { return StrCat("unnest(", list, ")"); }
  std::string Length(std::string_view list) const override { return StrCat("len(", list, ")"); }
  std::string Greatest(const std::vector<std::string>& lengths) const override {
    return lengths.size() == 1 ? lengths[0] : StrCat("greatest(", base::Join(lengths, ", "), ")");
  }
  std::string NumbersBelow(std::string_view length) const override { return StrCat("range(", length, ")"); }
  std::string NeverEmpty(std::string_view list, std::string_view length) const override {
    return StrCat("CASE WHEN ", length, " > 0 THEN ", list, " ELSE [NULL] END");
  }
  std::string ElementAt(std::string_view list, std::string_view number) const override {
    return StrCat("(", list, ")[", number, " + 1]");
  }
  std::string Picked(std::string_view length, std::string_view number, const std::vector<std::string>& values,
                     std::string_view row, std::string_view condition) const override {
    std::vector<std::string> fields;
    for (size_t i = 0; i < values.size(); ++i) fields.push_back(StrCat("e", i, " := ", values[i]));
    const std::string rows = StrCat("list_transform(", NumbersBelow(length), ", lambda ", number, ": struct_pack(",
                                    base::Join(fields, ", "), "))");
    return StrCat("list_filter(", rows, ", lambda ", row, ": coalesce(", condition, ", FALSE))");
  }
  std::string Gathered(std::string_view value, std::string_view order, std::string_view empty) const override {
    return StrCat("coalesce(list(", value, order, "), ", empty, ")");
  }
};

}  // namespace

const ListDialect& DuckDbLists() {
  static const DuckDbListDialect& lists = *new DuckDbListDialect;
  return lists;
}

}  // namespace logquery::emit
