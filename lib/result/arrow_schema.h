// Describes columns by Arrow's C data interface.
#ifndef LOGQUERY_LIB_RESULT_ARROW_SCHEMA_H_
#define LOGQUERY_LIB_RESULT_ARROW_SCHEMA_H_

#include "logquery/arrow.h"
#include "logquery/type.h"

namespace logquery::result {

// Sets `out` to a struct with a field for each column. The caller releases it.
void ExportArrowSchema(const Schema& schema, ArrowSchema& out);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_ARROW_SCHEMA_H_
