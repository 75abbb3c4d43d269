// Derives from the dialect of whole queries: numbers the parameters, and binds values that are computed from
// parameters.
#include "lib/engines/bigquery/dialect/fragments.h"

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "lib/engines/bigquery/dialect/bigquery_dialect.h"

namespace logquery::emit {
namespace {

class FragmentDialect final : public BigQueryDialect {
 public:
  const Powers* powers() const override { return &BigQueryPowers(); }
  // The passes of whole queries name parameters and refuse; here parameters have numbers, and the powers say what is left out.
  std::vector<rewrite::Pass> Passes() const override { return {}; }

  std::string Parameter(int slot, std::string_view /*name*/, const Type& /*type*/) const override {
    return base::StrCat("@p", slot);
  }
  std::string TableName(const Table& table) const override { return table.storage_name; }
  bool WritesOutDerivedParameters() const override { return false; }
};

}  // namespace

const SqlDialect& BigQueryFragmentSql() {
  static const auto& dialect = *new FragmentDialect;
  return dialect;
}

}  // namespace logquery::emit
