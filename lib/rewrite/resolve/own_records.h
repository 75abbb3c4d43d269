// The records of logs that an operator declares, and of tables that a program or an engine elsewhere has. A path reads their
// fields as those of a STRUCT, `http.path`, beside UNNEST. Records of the built-in logs are arrays only, so that their queries are
// valid GoogleSQL.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_OWN_RECORDS_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_OWN_RECORDS_H_

#include <unordered_set>
#include <vector>

#include "logquery/catalog.h"
#include "logquery/type.h"

namespace logquery::rewrite {

// Not thread-safe: the first question collects the records.
class OwnRecords {
 public:
  // `catalog` may be nullptr; it is borrowed.
  explicit OwnRecords(const Catalog* catalog) : catalog_(catalog) {}

  // Returns whether this is the STRUCT of such a record. A query that makes an equal STRUCT does not make a record: what counts is
  // that the type comes from the catalog, whose types share their parts with all copies.
  bool Has(const Type& record);

 private:
  void Collect(const std::vector<Field>& fields);

  const Catalog* catalog_;
  std::unordered_set<const std::vector<Field>*> records_;
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_OWN_RECORDS_H_
