// Writes what an engine elsewhere is asked of a query, for golden files.
#ifndef LOGQUERY_TESTS_SPLIT_FRAGMENT_TEXTS_H_
#define LOGQUERY_TESTS_SPLIT_FRAGMENT_TEXTS_H_

#include <string>

#include "lib/emit/dialect.h"
#include "logquery/catalog.h"

namespace logquery::testing {

// Returns each fragment's text and why the rest of the work is done here; for a query that can't be planned, its error.
std::string FragmentTexts(const std::string& sql, const Catalog& catalog, const emit::SqlDialect& dialect);

// Compares the texts of a golden file's queries over `catalog`.
void CheckFragmentTexts(const std::string& file, const Catalog& catalog, const emit::SqlDialect& dialect);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SPLIT_FRAGMENT_TEXTS_H_
